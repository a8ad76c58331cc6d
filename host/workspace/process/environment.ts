import { isAbsolute } from 'node:path'
import { isInside } from '../inside.ts'

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Nothing may wait for a person who cannot answer, or take the screen (row B5). */
const UNATTENDED: Environment = {
  TERM: 'dumb',
  NO_COLOR: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  SYSTEMD_PAGER: 'cat',
  BAT_PAGER: 'cat',
  DELTA_PAGER: 'cat',
  EDITOR: 'false',
  VISUAL: 'false',
  GIT_EDITOR: 'false',
  GIT_SEQUENCE_EDITOR: 'false',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: 'false',
  GCM_INTERACTIVE: 'never',
  SSH_ASKPASS: 'false',
  SSH_ASKPASS_REQUIRE: 'never',
  SUDO_ASKPASS: '/bin/false',
  DEBIAN_FRONTEND: 'noninteractive',
}

/** Keys of providers by the names that vendors give them. */
const KEY_NAME = /API_?KEY/i

/** A shorter value than this is no key, and may stand in other variables by chance. */
const SHORTEST_KEY = 8

/**
 * The environment of a child (contract SAFE-6): amber's own without its keys, under whatever name a key's value stands,
 * and set so that nothing asks, pages or edits. `keyNames` are the variables that providers read their keys from.
 */
export function childEnvironment(env: Environment, keyNames: Iterable<string>): Environment {
  const named = new Set(keyNames)
  const isKey = (name: string) => named.has(name) || KEY_NAME.test(name)
  const values = new Set(
    Object.entries(env).flatMap(([name, value]) =>
      isKey(name) && value !== undefined && value.length >= SHORTEST_KEY ? [value] : [],
    ),
  )
  const kept = Object.entries(env).filter(
    ([name, value]) => value !== undefined && !isKey(name) && !values.has(value) && name !== 'CDPATH',
  )
  return { ...Object.fromEntries(kept), ...UNATTENDED }
}

/** Variables by which a shell or a tool can be made to run something. */
const LEADING =
  /^(BASH_ENV|ENV|SHELLOPTS|BASHOPTS|PS4|PROMPT_COMMAND|GLOBIGNORE|POSIXLY_CORRECT|RIPGREP_CONFIG_PATH|LESSOPEN|BASH_FUNC_.*|GIT_.*)$/

/**
 * The environment of a command that runs without having been allowed: nothing in the workspace or in the repository's
 * configuration decides which programs run (contract SAFE-3). `git` is what to say to git.
 */
export function neutralEnvironment(
  env: Environment,
  options: { readonly root: string; readonly git: readonly (readonly [key: string, value: string])[] },
): Environment {
  const kept = Object.entries(env).filter(([name]) => !LEADING.test(name))
  const path = (env.PATH ?? '/usr/bin:/bin')
    .split(':')
    .filter((folder) => isAbsolute(folder) && !isInside(options.root, folder))
  return {
    ...Object.fromEntries(kept),
    PATH: path.join(':'),
    ...Object.fromEntries(Object.entries(UNATTENDED).filter(([name]) => name.startsWith('GIT_'))),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_CONFIG_COUNT: String(options.git.length),
    ...Object.fromEntries(
      options.git.flatMap(([key, value], at) => [
        [`GIT_CONFIG_KEY_${at}`, key],
        [`GIT_CONFIG_VALUE_${at}`, value],
      ]),
    ),
  }
}
