import { statfsSync } from 'node:fs'
import { messageOf, systemCode } from '../host/base/errors.ts'

/** Kinds of file system that send no events of others' writes: NFS, SMB, 9p (WSL), VirtualBox, AFS. */
const SILENT_FILE_SYSTEMS = new Set([
  0x6969, 0xff534d42, 0xfe534d42, 0x517b, 0x01021997, 0x786f4256, 0x5346414f,
])

/** Whether a folder is on a file system that sends no events (row W6). Never throws. */
export function isSilent(folder: string): boolean {
  try {
    return SILENT_FILE_SYSTEMS.has(statfsSync(folder).type >>> 0)
  } catch {
    return false
  }
}

/** Whether the system's limits are the reason: then watching again would fail again. */
export function isLimit(thrown: unknown): boolean {
  const code = systemCode(thrown)
  return code === 'ENOSPC' || code === 'EMFILE'
}

/** What went wrong with watching, and what to do about it (row W7). */
export function explainTrouble(thrown: unknown): string {
  const instead = 'amber looks every half second instead'
  if (systemCode(thrown) === 'ENOSPC') {
    return `the system allows no more watched folders (ENOSPC): ${instead}. To mend it: sudo sysctl fs.inotify.max_user_watches=524288`
  }
  if (systemCode(thrown) === 'EMFILE') {
    return `the system allows no more open watches (EMFILE): ${instead}. To mend it: sudo sysctl fs.inotify.max_user_instances=1024`
  }
  return `watching failed (${messageOf(thrown)}): amber tries again`
}

/** Said once for a folder on a silent file system. */
export function explainSilence(folder: string): string {
  return `${folder} is on a file system that sends no events: amber looks every half second instead`
}
