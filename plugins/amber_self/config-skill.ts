import type { SelfDescription } from 'amber-agent/sdk'

/** The skill's text, from amber as it is at this moment: nothing in it can be stale. */
export function configSkill({ version, places, settings, environment, commands }: SelfDescription): string {
  return [
    `# amber ${version}: where things are and how to change them`,
    'Change files and settings only when the user asks for it. Keys never belong in a conversation: tell the user where to put one.',
    section(
      'Places',
      places.map(({ what, path, movedBy }) => {
        const moved = movedBy.length === 0 ? '' : ` (moved by ${movedBy.join(' or ')})`
        return `- ${what}: \`${path}\`${moved}`
      }),
    ),
    section('Settings in config.json', [
      'Change one with `amber config set KEY VALUE`; `null` takes it out.',
      ...settings.map(
        ({ key, about, value }) => `- \`${key}\`${value === undefined ? '' : ` = ${value}`}: ${about}`,
      ),
    ]),
    section('Environment variables', [
      ...environment.map(({ name, about, isSet }) => `- \`${name}\`${isSet ? ' (set)' : ''}: ${about}`),
    ]),
    section('On the command line', [
      '- `amber plugin list|on ID|off ID`, `amber provider list`, `amber session list|show ID|export ID`, `amber doctor`; `--help` after any of them.',
    ]),
    section(
      'In a conversation',
      commands.map(({ line, help }) => `- \`${line}\`: ${help}`),
    ),
  ].join('\n\n')
}

function section(title: string, lines: readonly string[]): string {
  return [`## ${title}`, '', ...lines].join('\n')
}
