import { opendir } from 'node:fs/promises'

/** How many entries of one folder are looked at for a name that is nearly right. */
const ENTRY_LIMIT = 10_000

/** Every blank that Unicode has beside the space itself; file names of screenshots hold U+202F before "AM". */
const BLANKS = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g

/** A name with the differences taken out that people and models do not see: kinds of blank, composed or not. */
export function foldName(name: string): string {
  return name.replace(BLANKS, ' ').normalize('NFC')
}

/**
 * The one entry of a folder whose name looks the same as `name`; undefined when there is none or several
 * (a wrong guess is worse than "not found").
 */
export async function findLookalike(folder: string, name: string): Promise<string | undefined> {
  const wanted = foldName(name)
  const alike = (await entryNames(folder)).filter((entry) => foldName(entry) === wanted)
  return alike.length === 1 ? alike[0] : undefined
}

/** Up to three entries that `name` may have been meant to be: other case, same stem, or one typing slip away. */
export async function nearNames(folder: string, name: string): Promise<readonly string[]> {
  const wanted = foldName(name).toLowerCase()
  const scored = (await entryNames(folder)).flatMap((entry) => {
    const distance = distanceOf(foldName(entry).toLowerCase(), wanted)
    return distance === undefined ? [] : [{ entry, distance }]
  })
  scored.sort((a, b) => a.distance - b.distance || (a.entry < b.entry ? -1 : 1))
  return scored.slice(0, 3).map((one) => one.entry)
}

/** Lower is nearer; undefined is too far. */
function distanceOf(entry: string, wanted: string): number | undefined {
  if (entry === wanted) return 0
  if (isOneSlip(entry, wanted)) return 1
  return stemOf(entry) === stemOf(wanted) && stemOf(entry) !== '' ? 2 : undefined
}

function stemOf(name: string): string {
  const dot = name.indexOf('.', 1)
  return dot === -1 ? name : name.slice(0, dot)
}

/** One character more, less or different, or two neighbours swapped. */
function isOneSlip(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
  let head = 0
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1
  const tails = [
    [a.slice(head + 1), b.slice(head + 1)],
    [a.slice(head + 1), b.slice(head)],
    [a.slice(head), b.slice(head + 1)],
  ]
  if (tails.some(([left, right]) => left === right)) return true
  return a[head] === b[head + 1] && a[head + 1] === b[head] && a.slice(head + 2) === b.slice(head + 2)
}

async function entryNames(folder: string): Promise<readonly string[]> {
  const names: string[] = []
  try {
    for await (const entry of await opendir(folder)) {
      names.push(entry.name)
      if (names.length >= ENTRY_LIMIT) break
    }
  } catch {
    // A folder that cannot be listed has no names to offer; the caller's own error says why.
  }
  return names
}
