import { rmSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileAtomic } from '../../host/base/atomic-file.ts'
import { isRecord } from '../../sdk/index.ts'

/** What other local programs of the user find in `<state>/dev/PID.json`. */
export interface TokenFile {
  readonly pid: number
  readonly port: number
  readonly url: string
  readonly token: string
}

/** Writes the file, mode 0600, and sweeps out those of processes that are gone. Gives what removes it again, at once. */
export async function writeTokenFile(state: string, content: TokenFile): Promise<() => void> {
  const folder = join(state, 'dev')
  await sweep(folder)
  const file = join(folder, `${content.pid}-${content.port}.json`)
  await writeFileAtomic(file, `${JSON.stringify(content)}\n`, { mode: 0o600 })
  return () => rmSync(file, { force: true })
}

async function sweep(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((one) => one.endsWith('.json'))) {
    const file = join(folder, name)
    const pid = await pidIn(file)
    if (pid !== undefined && !isAlive(pid)) await rm(file, { force: true })
  }
}

async function pidIn(file: string): Promise<number | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'))
    return isRecord(value) && typeof value.pid === 'number' ? value.pid : undefined
  } catch {
    return undefined
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM'
  }
}
