import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Stops the process as Ctrl-Z does, and calls back when the shell takes it up again. */
export function suspend(resume: () => void): void {
  process.once('SIGCONT', resume)
  process.kill(process.pid, 'SIGTSTP')
}

/**
 * Opens a text in `$VISUAL` or `$EDITOR`, `vi` where neither is set; undefined when the editor ends with an error. The
 * value is a command line, as every other program takes it.
 */
export async function editExternally(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'amber-edit-'))
  const file = join(folder, 'message.md')
  try {
    await writeFile(file, text, { mode: 0o600 })
    const editor = env.VISUAL || env.EDITOR || 'vi'
    const code = await new Promise<number | null>((resolve) => {
      const child = spawn('sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit' })
      child.on('error', () => resolve(null))
      child.on('close', resolve)
    })
    return code === 0 ? (await readFile(file, 'utf8')).replace(/\n$/, '') : undefined
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
