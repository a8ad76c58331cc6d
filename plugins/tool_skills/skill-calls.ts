import type { SkillOrigin, SkillService, ToolResult } from 'amber-agent/sdk'

/** Runs a call of `read_skill`. */
export async function readSkill(skills: SkillService, name: string): Promise<ToolResult> {
  const read = await skills.read(name)
  if (!read.ok) return { ok: false, error: read.error }
  const { origin, source } = read.skill
  return {
    ok: true,
    output: `Skill ${name} (${origin}, ${source}):\n\n${read.body}`,
    meta: { origin, source },
  }
}

/** Runs a call of `list_skills`: `name: description` lines, and what is wrong with those that are not usable. */
export async function listSkills(
  skills: SkillService,
  only: { readonly name?: string; readonly origin?: SkillOrigin },
): Promise<ToolResult> {
  const { skills: all, problems } = await skills.list()
  const part = only.name?.toLowerCase() ?? ''
  const found = all.filter(
    (skill) => skill.name.includes(part) && (only.origin === undefined || skill.origin === only.origin),
  )
  const lines = found.map(({ name, description }) => `${name}: ${description}`)
  const trouble = problems.length === 0 ? [] : ['', 'Not usable:', ...problems]
  return { ok: true, output: [...(lines.length > 0 ? lines : ['No skill fits.']), ...trouble].join('\n') }
}

/** Runs a call of `write_skill`. */
export async function writeSkill(
  skills: SkillService,
  skill: {
    readonly name: string
    readonly description: string
    readonly body: string
    readonly scope?: 'project' | 'global'
  },
): Promise<ToolResult> {
  const written = await skills.write({ ...skill, scope: skill.scope ?? 'project' })
  if (!written.ok) return { ok: false, error: written.error }
  const what = written.replaced ? 'Replaced' : 'Wrote'
  const note = written.note === undefined ? '' : `\n${written.note}`
  return { ok: true, output: `${what} ${written.path}.${note}`, meta: { path: written.path } }
}
