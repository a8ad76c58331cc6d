import type { Dirent } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf, systemCode } from '../../base/errors.ts'
import { readSkillText } from './front-matter.ts'

/** A skill found in a folder. */
export interface FoundSkill {
  readonly name: string
  readonly description: string
  /** Its SKILL.md, absolute. */
  readonly file: string
}

/** What a folder holds. */
export interface FoundSkills {
  readonly skills: readonly FoundSkill[]
  /** One sentence for each that is not usable. */
  readonly problems: readonly string[]
}

/** Looks into folders of skills again and again, and reads only what changed. */
export interface SkillFolders {
  find(folder: string): Promise<FoundSkills>
}

/** A SKILL.md with its scripts' documentation is small; a larger file is a mistake. Bytes. */
export const MAX_SKILL_BYTES = 256 * 1024
const MAX_SKILLS = 500

type Finding = { readonly skill: FoundSkill; readonly note?: string } | { readonly problem: string }

/** Makes a reader that remembers each file by its size, time and inode. */
export function createSkillFolders(): SkillFolders {
  const known = new Map<string, { readonly stamp: string; readonly finding: Finding }>()
  const readOne = async (folder: string, entry: Dirent): Promise<Finding | undefined> => {
    const file = join(folder, entry.name, 'SKILL.md')
    try {
      const status = await stat(file)
      const stamp = `${status.mtimeMs}:${status.size}:${status.ino}`
      const before = known.get(file)
      if (before?.stamp === stamp) return before.finding
      const finding = status.isFile() ? await readFinding(file, status.size, entry.name) : noFile(file)
      known.set(file, { stamp, finding })
      return finding
    } catch (thrown) {
      const isPlainFolder = entry.isDirectory() && systemCode(thrown) === 'ENOENT'
      if (isPlainFolder) return undefined
      return { problem: `${file} cannot be read: ${messageOf(thrown)}` }
    }
  }
  return {
    async find(folder) {
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
      const folders = entries
        // A link may lead to a folder (row L21): what it is shows when its SKILL.md is asked for.
        .filter((entry) => !entry.name.startsWith('.') && (entry.isDirectory() || entry.isSymbolicLink()))
        .sort((a, b) => (a.name < b.name ? -1 : 1))
      const findings = await Promise.all(folders.slice(0, MAX_SKILLS).map((entry) => readOne(folder, entry)))
      const present = findings.filter((finding) => finding !== undefined)
      return {
        skills: present.flatMap((one) => ('skill' in one ? [one.skill] : [])),
        problems: [
          ...present.flatMap((one) => ('problem' in one ? [one.problem] : (one.note ?? []))),
          ...(folders.length > MAX_SKILLS ? [`${folder} holds more than ${MAX_SKILLS} skills`] : []),
        ],
      }
    },
  }
}

const noFile = (file: string): Finding => ({ problem: `${file} is no file` })

async function readFinding(file: string, size: number, folderName: string): Promise<Finding> {
  if (size > MAX_SKILL_BYTES)
    return { problem: `${file} has ${size} bytes; at most ${MAX_SKILL_BYTES} are read` }
  const read = await readSkillText(await readFile(file, 'utf8'))
  if (!read.ok) return { problem: `${file} is not used: ${read.error}` }
  const { name, description } = read
  const skill = { name, description, file }
  return name === folderName ? { skill } : { skill, note: `${file} is called ${name}, unlike its folder` }
}
