import { readdirSync, readFileSync } from 'node:fs'

/**
 * Whether a process group has a process that is not dead yet. A dead one whose parent never looks (in a container, where
 * nobody is the parent of orphans) still answers signals for ever; only Linux' `/proc` tells it apart.
 */
export function hasLiving(group: number): boolean {
  let names: readonly string[]
  try {
    names = readdirSync('/proc')
  } catch {
    return true
  }
  // Youngest first: what a command left is newer than most of what runs.
  return names
    .filter((name) => /^\d+$/.test(name))
    .reverse()
    .some((name) => isLivingMember(name, group))
}

function isLivingMember(pid: string, group: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name in parentheses may hold anything; state, parent and group follow the last one.
    const [state, , its] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return Number(its) === group && state !== 'Z' && state !== 'X'
  } catch {
    return false
  }
}
