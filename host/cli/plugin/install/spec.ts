import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { AmberError } from '../../../base/errors.ts'

/** Where a plugin is to come from (interfaces 2). */
export type PluginSpec =
  /** A plugin's folder, or a packed plugin; which one its file says. Absolute. */
  | { readonly kind: 'path'; readonly path: string }
  /** A package of the npm registry: `NAME`, `NAME@VERSION` or `NAME@TAG`. */
  | { readonly kind: 'npm'; readonly name: string }
  /** A git repository; `ref` is a branch or tag. */
  | { readonly kind: 'git'; readonly url: string; readonly ref: string | undefined }

/** npm's own rule for names, and a version or tag; nothing that npm would take for a path, a URL or an option. */
const NPM_NAME = /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*(@[A-Za-z0-9^~>=<*.+ -]{1,80})?$/
const GIT_REF = /^[A-Za-z0-9_][\w./+-]{0,200}$/

/** Reads a SPEC. Throws an AmberError of code `usage` when it is none. */
export function readSpec(text: string, cwd: string): PluginSpec {
  const [, scheme = '', rest = ''] = /^([a-z][a-z+]+):(.*)$/s.exec(text) ?? []
  if (scheme === 'npm') return npmSpec(rest, text)
  if (scheme === 'git') return gitSpec(rest, text, cwd)
  if (scheme !== '' || text === '') throw noSpec(text)
  const path = text.startsWith('~/') ? join(homedir(), text.slice(2)) : text
  return { kind: 'path', path: resolve(cwd, path) }
}

/** The spec as text that means the same wherever it is read again. */
export function specText(spec: PluginSpec): string {
  if (spec.kind === 'path') return spec.path
  if (spec.kind === 'npm') return `npm:${spec.name}`
  return `git:${spec.url}${spec.ref === undefined ? '' : `#${spec.ref}`}`
}

function npmSpec(name: string, text: string): PluginSpec {
  if (name.length <= 300 && NPM_NAME.test(name) && !name.startsWith('-')) return { kind: 'npm', name }
  throw noSpec(text)
}

function gitSpec(rest: string, text: string, cwd: string): PluginSpec {
  const at = rest.lastIndexOf('#')
  const ref = at === -1 ? undefined : rest.slice(at + 1)
  const given = at === -1 ? rest : rest.slice(0, at)
  if (/^[./~]/.test(given)) return { kind: 'git', url: `file://${resolve(cwd, given)}`, ref: checkedRef(ref) }
  // `git@host:path` is ssh's short form; an address that begins with a dash would be an option of git's.
  const isUrl =
    /^(https?|ssh|git|file):\/\/[^\s-]\S*$/.test(given) || /^[\w][\w.-]*@[\w][\w.-]*:\S+$/.test(given)
  if (!isUrl) throw noSpec(text)
  return { kind: 'git', url: given, ref: checkedRef(ref) }
}

function checkedRef(ref: string | undefined): string | undefined {
  if (ref === undefined || (GIT_REF.test(ref) && !ref.includes('..'))) return ref
  throw new AmberError('usage', `"${ref}" is no branch or tag.`, 'Write git:URL#BRANCH or git:URL#TAG.')
}

function noSpec(text: string): AmberError {
  return new AmberError(
    'usage',
    `"${text}" names no plugin.`,
    'Write a folder, a .tgz file, npm:NAME, npm:NAME@VERSION or git:URL.',
  )
}
