import { lstat, opendir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { confine } from '../confinement.ts'
import type { PlainWord } from './words.ts'

/** Where words of a command may lead. */
export interface PathContext {
  /** The workspace's real path. */
  readonly root: string
  /** Every folder in which the command may find itself: real paths inside the workspace. */
  readonly folders: readonly string[]
}

/** What is wrong with a word as a path. */
export type PathProblem = { readonly effect: 'outside' | 'unknown'; readonly why: string }

/** How many names a pattern may meet before it counts as unknown. */
const MOST_NAMES = 5_000

/** Devices that hold nothing of anybody's. */
const HARMLESS = new Set(['/dev/null', '/dev/stdin', '/dev/stdout', '/dev/stderr', '/dev/zero', '/dev/tty'])

/** Whether a word, should it be a path, stays in the workspace; undefined when it does (SAFE-1 for a shell's words). */
export async function pathProblem(word: PlainWord, context: PathContext): Promise<PathProblem | undefined> {
  for (const text of candidatesOf(word.text)) {
    const problem = word.isPattern ? await patternProblem(text, context) : await textProblem(text, context)
    if (problem) return problem
  }
  return undefined
}

/** What of a word may be a path: the word, what an option has attached, what stands behind a `=`. */
function candidatesOf(text: string): readonly string[] {
  if (text === '' || text === '-' || text === '--') return []
  if (!text.startsWith('-')) {
    const equals = text.indexOf('=')
    return equals === -1 ? [text] : [text, text.slice(equals + 1)]
  }
  const found: string[] = []
  const equals = text.indexOf('=')
  if (equals !== -1) found.push(text.slice(equals + 1))
  if (!text.startsWith('--') && text.includes('/')) found.push(text.slice(2))
  const lead = text.search(/[/~]|\.\./)
  if (lead > 0 && equals === -1) found.push(text.slice(lead))
  // A slash alone is what `cut -d/` cuts at.
  return found.filter((one) => one !== '' && one !== '/')
}

async function textProblem(text: string, context: PathContext): Promise<PathProblem | undefined> {
  if (text.startsWith('~')) return outside(text)
  if (HARMLESS.has(text) || /^\/dev\/fd\/\d$/.test(text)) return undefined
  if (text.length > 4000) return undefined
  const places = text.startsWith('/') ? [text] : context.folders.map((folder) => `${folder}/${text}`)
  if (places.length === 0) return { effect: 'unknown', why: `where ${short(text)} leads is not known` }
  let doubt: PathProblem | undefined
  for (const place of places) {
    const found = await confine(context.root, place)
    if (found.ok) continue
    if (found.rule === 'outside' || found.rule === 'dangling-link') return outside(text)
    // What the system cannot follow (a name that is too long, a file as a folder) leads nowhere.
    // `missing` here is a ".." out of a folder that an earlier part may make.
    if (found.rule === 'unreadable' || found.rule === 'link-loop' || found.rule === 'missing')
      doubt = { effect: 'unknown', why: `where ${short(text)} leads is not known` }
  }
  return doubt
}

/** A pattern may meet links: every name that it could meet is looked at, a superset of those that it does meet. */
async function patternProblem(text: string, context: PathContext): Promise<PathProblem | undefined> {
  if (text.startsWith('~')) return outside(text)
  const names = text.split('/')
  const first = names.findIndex((name) => /[*?[]/.test(name))
  const base = names.slice(0, first).join('/')
  const start = text.startsWith('/')
    ? [base === '' ? '/' : base]
    : context.folders.map((one) => (base === '' ? one : `${one}/${base}`))
  if (names.slice(first).includes('..'))
    return { effect: 'unknown', why: `where ${short(text)} leads is not known` }
  let places: readonly string[] = start
  let budget = MOST_NAMES
  for (let depth = first; depth < names.length; depth++) {
    const next: string[] = []
    for (const place of places) {
      const problem = await textProblem(place, context)
      if (problem) return problem
      const met = await namesIn(place, budget)
      budget -= met.length
      if (budget <= 0) return { effect: 'unknown', why: `${short(text)} meets very many files` }
      for (const one of met.filter(({ name }) => mayMatch(names[depth] ?? '', name))) {
        if (one.isLink) {
          const led = await textProblem(join(place, one.name), context)
          if (led) return led
        }
        if (one.isFolder) next.push(join(place, one.name))
      }
    }
    places = next
  }
  return undefined
}

/** Whether a name begins and ends as the pattern does; what lies between may be anything. */
function mayMatch(pattern: string, name: string): boolean {
  const head = /^[^*?[]*/.exec(pattern)?.[0] ?? ''
  const tail = /[^*?\]]*$/.exec(pattern)?.[0] ?? ''
  if (head === pattern) return name === pattern
  return name.startsWith(head) && name.endsWith(tail)
}

async function namesIn(
  folder: string,
  most: number,
): Promise<readonly { readonly name: string; readonly isLink: boolean; readonly isFolder: boolean }[]> {
  const found: { name: string; isLink: boolean; isFolder: boolean }[] = []
  try {
    if (!(await lstat(folder)).isDirectory()) return []
    for await (const entry of await opendir(folder)) {
      const isLink = entry.isSymbolicLink()
      found.push({ name: entry.name, isLink, isFolder: entry.isDirectory() || isLink })
      if (found.length > most) break
    }
  } catch {
    // A folder that cannot be listed gives the shell no names either.
  }
  return found
}

function outside(text: string): PathProblem {
  return { effect: 'outside', why: short(text) }
}

function short(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

/**
 * What git and amber keep in a workspace decides what they run, so writing there is no ordinary write: the problem with
 * a path that leads into `.git` or `.amber`, in any spelling that a file system may take for it.
 */
export async function ownFileProblem(text: string, context: PathContext): Promise<PathProblem | undefined> {
  const places = text.startsWith('/') ? [text] : context.folders.map((folder) => `${folder}/${text}`)
  const problem: PathProblem = { effect: 'unknown', why: `writing ${short(text)}` }
  if (isOwnFile(text)) return problem
  for (const place of places) {
    const found = await confine(context.root, place)
    if (found.ok && isOwnFile(relative(context.root, found.path))) return problem
  }
  return undefined
}

function isOwnFile(path: string): boolean {
  return path
    .split('/')
    .some((name) => /^\.(git|amber)$/i.test(name) || (name.startsWith('.') && /[*?[]/.test(name)))
}
