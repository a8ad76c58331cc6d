import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { SkillLine, SkillService } from '../../../sdk/index.ts'
import { messageOf } from '../../base/errors.ts'
import { didYouMean } from '../../base/nearest.ts'
import { cutToBytes } from '../../base/text-limit.ts'
import type { InstalledSkill, Snapshot } from '../../registry/snapshot.ts'
import { splitFrontMatter } from './front-matter.ts'
import { createSkillFolders, type FoundSkill } from './skill-folder.ts'
import { writeSkill } from './write-skill.ts'

/** What the service is made with. */
export interface SkillServiceDeps {
  readonly snapshot: () => Snapshot
  /** `<config>/skills`. */
  readonly userFolder: string
  /** The workspace's root; its `.amber/skills` count once it is trusted (SAFE-4). */
  readonly workspace: () => Promise<string>
  readonly isTrusted: () => Promise<boolean>
}

/** What one skill may take of a model's context, in bytes (SKL-1). */
export const SKILL_BUDGET_BYTES = 48 * 1024

const BELOW_WORKSPACE = '.amber/skills/'

type Known = SkillLine & { readonly file?: string; readonly installed?: InstalledSkill }

/**
 * The skills of this run (SKL-1). Of one name the workspace's counts before the user's, and neither displaces a
 * plugin's; what is displaced is told. Each listing reads again what changed, so nothing is stale.
 */
export function createSkillService(deps: SkillServiceDeps): SkillService {
  const folders = createSkillFolders()
  const list = async () => {
    const trusted = await deps.isTrusted()
    const workspace = join(await deps.workspace(), BELOW_WORKSPACE)
    const [user, project] = await Promise.all([
      folders.find(deps.userFolder),
      trusted ? folders.find(workspace) : { skills: [], problems: [] },
    ])
    const sources = [
      ...[...deps.snapshot().skills.values()].map(ofPlugin),
      ...project.skills.map((skill) => ofFolder(skill, 'workspace')),
      ...user.skills.map((skill) => ofFolder(skill, 'user')),
    ]
    return withoutDoubles(sources, [...user.problems, ...project.problems])
  }
  return {
    async list() {
      const { skills, problems } = await list()
      return { skills: skills.map(lineOf), problems }
    },
    async read(name) {
      const { skills } = await list()
      const skill = skills.find((one) => one.name === name)
      if (skill === undefined) return absent(deps.snapshot(), name, skills)
      const text = await readText(skill)
      if (!text.ok) return { ok: false, error: `The skill ${name} cannot be read: ${text.error}` }
      return { ok: true, skill: lineOf(skill), body: withinBudget(text.text, skill.file) }
    },
    async write(skill) {
      const owner = deps.snapshot().skills.get(skill.name)
      if (owner !== undefined) {
        return {
          ok: false,
          error: `The skill ${skill.name} is plugin ${owner.plugin}'s. Choose another name.`,
        }
      }
      if (skill.scope === 'global') return writeSkill({ root: deps.userFolder, below: '' }, skill)
      const written = await writeSkill({ root: await deps.workspace(), below: BELOW_WORKSPACE }, skill)
      if (!written.ok || (await deps.isTrusted())) return written
      return { ...written, note: 'It is used once the user trusts this workspace: amber trust add' }
    },
  }
}

const lineOf = ({ name, description, origin, source }: Known): SkillLine => ({
  name,
  description,
  origin,
  source,
})

function ofPlugin(installed: InstalledSkill): Known {
  const { name, description, plugin } = installed
  return { name, description, origin: 'plugin', source: plugin, installed }
}

function ofFolder({ name, description, file }: FoundSkill, origin: 'user' | 'workspace'): Known {
  return { name, description, origin, source: dirname(file), file }
}

function withoutDoubles(sources: readonly Known[], problems: readonly string[]) {
  const byName = new Map<string, Known>()
  const doubles: string[] = []
  for (const skill of sources) {
    const holder = byName.get(skill.name)
    if (holder === undefined) byName.set(skill.name, skill)
    else
      doubles.push(`${skill.source} is not used: ${holder.origin} ${holder.source} has a skill ${skill.name}`)
  }
  return { skills: [...byName.values()], problems: [...problems, ...doubles] }
}

function absent(snapshot: Snapshot, name: string, skills: readonly Known[]) {
  const gone = snapshot.unavailable.get(`skill:${name}`)
  if (gone !== undefined) {
    const error = `The skill ${name} belongs to plugin ${gone.plugin}, which ${gone.why}. The user can mend that with: ${gone.remedy}`
    return { ok: false, error } as const
  }
  const near = didYouMean(
    name,
    skills.map((one) => one.name),
  )
  return {
    ok: false,
    error: `There is no skill ${name}. ${near || 'list_skills shows what there is.'}`,
  } as const
}

type Text = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly error: string }

async function readText({ installed, file }: Known): Promise<Text> {
  if (installed !== undefined) {
    const outcome = await installed.read()
    if (outcome.kind === 'value') return { ok: true, text: bodyOf(outcome.value) }
    return { ok: false, error: outcome.kind === 'declined' ? outcome.why : outcome.fault.diagnostic.message }
  }
  try {
    return { ok: true, text: bodyOf(await readFile(file ?? '', 'utf8')) }
  } catch (thrown) {
    return { ok: false, error: messageOf(thrown) }
  }
}

function bodyOf(text: string): string {
  return splitFrontMatter(text)?.body ?? text
}

function withinBudget(body: string, file: string | undefined): string {
  const cut = cutToBytes(body, SKILL_BUDGET_BYTES)
  if (cut.leftOut === 0) return cut.text
  const where = file === undefined ? '' : `; the whole is in ${file}`
  return `${cut.text}\n[… ${cut.leftOut} bytes of this skill were left out${where}]`
}
