import type { SkillLine } from 'amber-agent/sdk'

/** What the lines may take of every request, in characters. */
const BUDGET = 8_000
const LINE = 300

const HEAD = `## Skills

A skill is a set of instructions for a kind of task. When one fits what is asked, load it with \`read_skill\` before you begin. \`write_skill\` keeps what you learnt, when the user wants it kept. There are:`

/** The discovery lines alone: names and descriptions, in a budget; `''` when there are none (SKL-1). */
export function discoveryText(skills: readonly SkillLine[]): string {
  if (skills.length === 0) return ''
  const lines: string[] = []
  let room = BUDGET
  for (const skill of skills) {
    const line = discoveryLine(skill)
    room -= line.length + 1
    if (room < 0) break
    lines.push(line)
  }
  const more = skills.length - lines.length
  const rest = more === 0 ? [] : [`- … and ${more} more: \`list_skills\``]
  return [HEAD, '', ...lines, ...rest].join('\n')
}

/** One skill on one line. */
export function discoveryLine({ name, description }: SkillLine): string {
  const text = description.length > LINE ? `${description.slice(0, LINE - 1)}…` : description
  return `- ${name}: ${text}`
}
