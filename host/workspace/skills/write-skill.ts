import { realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { SkillService } from '../../../sdk/index.ts'
import { writeFileAtomic } from '../../base/atomic-file.ts'
import { messageOf } from '../../base/errors.ts'
import { makeFolder } from '../../base/make-folder.ts'
import { wellFormed } from '../../base/text-limit.ts'
import { confine } from '../confinement.ts'
import { nameProblem, readSkillText } from './front-matter.ts'
import { MAX_SKILL_BYTES } from './skill-folder.ts'

type Skill = Parameters<SkillService['write']>[0]
type Written = Awaited<ReturnType<SkillService['write']>>

/** Where skills may be written. */
export interface SkillPlace {
  /** Everything that is written stays below it by its real path. Made when it is missing. */
  readonly root: string
  /** The folder of skills, relative to it. */
  readonly below: string
}

/** Writes `NAME/SKILL.md` below a place, in one step, and never outside it. Rejects never. */
export async function writeSkill(place: SkillPlace, skill: Skill): Promise<Written> {
  const problem = nameProblem(skill.name)
  if (problem !== undefined) return { ok: false, error: `The name ${problem}.` }
  const text = skillText(skill)
  if (Buffer.byteLength(text) > MAX_SKILL_BYTES) {
    return {
      ok: false,
      error: `A skill has at most ${MAX_SKILL_BYTES} bytes; move the rest to files beside it.`,
    }
  }
  const reads = await readSkillText(text)
  if (!reads.ok) return { ok: false, error: `As it is, the skill could not be used: ${reads.error}.` }
  try {
    makeFolder(place.root, { mode: 0o700 })
    const found = await confine(await realpath(place.root), `${place.below}${skill.name}/SKILL.md`)
    if (!found.ok) return { ok: false, error: found.error }
    if (found.kind !== 'file' && found.kind !== 'missing') {
      return { ok: false, error: `${found.path} is no file. Choose another name.` }
    }
    makeFolder(dirname(found.path))
    await writeFileAtomic(found.path, text, { mode: 0o644 })
    return { ok: true, path: found.path, replaced: found.kind === 'file' }
  } catch (thrown) {
    return { ok: false, error: `The skill could not be written: ${messageOf(thrown)}` }
  }
}

/** JSON's quoted text is YAML's too, whatever stands in it. */
function skillText({ name, description, body }: Skill): string {
  const line = wellFormed(description).replace(/\s+/g, ' ').trim()
  const end = body.endsWith('\n') ? '' : '\n'
  return `---\nname: ${name}\ndescription: ${JSON.stringify(line)}\n---\n\n${wellFormed(body)}${end}`
}
