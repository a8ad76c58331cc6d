import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** The processes below one, nearest first: what a shell started outlives the shell unless it is ended too (LED-4). */
export function descendantsOf(pid: number): readonly number[] {
  const children = new Map<number, number[]>()
  for (const [child, parent] of processes()) children.set(parent, [...(children.get(parent) ?? []), child])
  const found: number[] = []
  const queue = [pid]
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const below = children.get(next) ?? []
    found.push(...below)
    queue.push(...below)
  }
  return found
}

/** Every process with its parent; empty where the system does not say. */
function processes(): readonly (readonly [pid: number, parent: number])[] {
  try {
    if (process.platform === 'linux') return readdirSync('/proc').flatMap(parentFromProc)
    const listed = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8', timeout: 2_000 })
    return listed.split('\n').flatMap((line) => {
      const [pid, parent] = line.trim().split(/\s+/).map(Number)
      return pid && parent ? [[pid, parent] as const] : []
    })
  } catch {
    return []
  }
}

function parentFromProc(name: string): readonly (readonly [number, number])[] {
  if (!/^\d+$/.test(name)) return []
  try {
    // The name in brackets may hold anything, brackets too; after the last one come state and parent.
    const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    return Number.isInteger(parent) ? [[Number(name), parent]] : []
  } catch {
    return []
  }
}
