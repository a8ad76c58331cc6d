import type { Command, Option } from 'commander'
import { AmberError } from '../base/errors.ts'
import { didYouMean } from '../base/nearest.ts'
import { EXIT } from '../headless/exit-code.ts'
import type { Io } from './io.ts'

/** The shells that amber can be completed in. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const

/** One command with everything that may follow it. */
interface Words {
  /** `plugin list`; empty for amber itself. */
  readonly path: string
  readonly commands: readonly { readonly name: string; readonly summary: string }[]
  readonly options: readonly {
    readonly flag: string
    readonly summary: string
    readonly choices: readonly string[]
  }[]
}

/** `amber completion SHELL`: prints a script, made from the very command tree that parses. Gives the exit code. */
export function run(shell: string, context: { readonly io: Io; readonly program: Command }): number {
  const known = SHELLS.find((one) => one === shell)
  if (known === undefined) {
    const hint = `${didYouMean(shell, SHELLS)} There are: ${SHELLS.join(', ')}.`.trim()
    throw new AmberError('usage', `There is no completion for ${shell}.`, hint)
  }
  context.io.out.write(WRITERS[known](describe(context.program)))
  return EXIT.done
}

function describe(program: Command): readonly Words[] {
  const anywhere = program.options.filter((one) => !one.hidden)
  const visit = (command: Command, path: readonly string[]): readonly Words[] => [
    {
      path: path.join(' '),
      commands: command.commands.map((one) => ({
        name: one.name(),
        summary: one.summary() || one.description(),
      })),
      options: [...new Set([...command.options.filter((one) => !one.hidden), ...anywhere])].map(
        describeOption,
      ),
    },
    ...command.commands.flatMap((one) => visit(one, [...path, one.name()])),
  ]
  return visit(program, [])
}

function describeOption(option: Option): Words['options'][number] {
  return {
    flag: option.long ?? option.short ?? '',
    summary: option.description,
    choices: option.argChoices ?? [],
  }
}

const WRITERS: Readonly<Record<(typeof SHELLS)[number], (tree: readonly Words[]) => string>> = {
  bash: writeBash,
  // zsh runs bash's script in its own bashcompinit, which zsh ships.
  zsh: (tree) => `#compdef amber\nautoload -U +X bashcompinit && bashcompinit\n${writeBash(tree)}`,
  fish: writeFish,
}

function writeBash(tree: readonly Words[]): string {
  const cases = tree.map(
    ({ path, commands, options }) =>
      `    ${quote(path)}) words=${quote([...commands.map((one) => one.name), ...options.map((one) => one.flag)].join(' '))} ;;`,
  )
  const choices = new Map(
    tree
      .flatMap((one) => one.options)
      .flatMap((one) => (one.choices.length > 0 ? [[one.flag, one.choices]] : [])),
  )
  const choiceCases = [...choices].map(
    ([flag, values]) =>
      `    ${flag}) COMPREPLY=($(compgen -W ${quote(values.join(' '))} -- "$current")); return ;;`,
  )
  const paths = quote(
    tree
      .map((one) => one.path)
      .filter(Boolean)
      .join('\n'),
  )
  return `# amber's completion: amber completion bash > ~/.local/share/bash-completion/completions/amber
_amber() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" path="" next word words=""
  local paths=${paths}
  case "$previous" in
${choiceCases.join('\n')}
    --workspace|--plugin|--dir) COMPREPLY=($(compgen -d -- "$current")); return ;;
  esac
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    next="\${path:+$path }$word"
    if grep -qxF -- "$next" <<<"$paths"; then path="$next"; fi
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [ \${#COMPREPLY[@]} -eq 0 ]; then COMPREPLY=($(compgen -f -- "$current")); fi
}
complete -o filenames -F _amber amber
`
}

function writeFish(tree: readonly Words[]): string {
  const lines = tree.flatMap(({ path, commands, options }) => {
    const names = commands.map((one) => one.name).join(' ')
    const seen =
      path === ''
        ? '__fish_use_subcommand'
        : path
            .split(' ')
            .map((word) => `__fish_seen_subcommand_from ${word}`)
            .join('; and ')
    const fresh = path === '' || names === '' ? seen : `${seen}; and not __fish_seen_subcommand_from ${names}`
    return [
      ...commands.map(
        (one) => `complete -c amber -f -n ${quote(fresh)} -a ${one.name} -d ${quote(one.summary)}`,
      ),
      ...options.map((one) => {
        const values = one.choices.length > 0 ? ` -x -a ${quote(one.choices.join(' '))}` : ''
        return `complete -c amber -n ${quote(seen)} -l ${one.flag.replace(/^--/, '')}${values} -d ${quote(one.summary)}`
      }),
    ]
  })
  return `# amber's completion: amber completion fish > ~/.config/fish/completions/amber.fish\n${lines.join('\n')}\n`
}

/** In single quotes, where neither bash nor fish reads anything but the quote itself. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
