import { execFileSync } from 'node:child_process'
import { PATIENCE_MS } from '../support/until.ts'

/** A program in a real terminal. */
export interface Terminal {
  /** What stands on the screen, with colours as escape sequences when `ansi`. */
  screen(options?: { readonly ansi?: boolean }): string
  /** Types a text, and nothing after it. */
  write(text: string): void
  /** Types a line and presses Enter. */
  type(line: string): void
  /** Resolves when the screen shows a text; rejects with what stands there when that takes too long. */
  shows(text: string | RegExp): Promise<void>
  close(): void
}

const BETWEEN_LOOKS_MS = 30

/** Starts a command in a tmux of its own. */
export function openTerminal(options: {
  readonly command: string
  readonly columns: number
  readonly rows: number
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** The name of the tmux server; each has to be another one, since a server takes its time to end. */
  readonly socket?: string
}): Terminal {
  const { socket = `amber-${process.pid}` } = options
  const tmux = (...args: readonly string[]) => execFileSync('tmux', ['-L', socket, '-f', '/dev/null', ...args], { encoding: 'utf8' })
  const env = Object.entries(options.env).flatMap(([name, value]) => ['-e', `${name}=${value}`])
  const size = ['-x', String(options.columns), '-y', String(options.rows)]
  tmux('new-session', '-d', '-s', 'screen', ...size, '-c', options.cwd, ...env, options.command)
  tmux('set-option', '-g', 'default-terminal', 'tmux-256color')
  const screen: Terminal['screen'] = ({ ansi = false } = {}) => tmux('capture-pane', '-p', ...(ansi ? ['-e'] : []), '-t', 'screen')
  return {
    screen,
    write(text) {
      tmux('send-keys', '-t', 'screen', '-l', text)
    },
    type(line) {
      tmux('send-keys', '-t', 'screen', '-l', line)
      tmux('send-keys', '-t', 'screen', 'Enter')
    },
    async shows(text) {
      const until = Date.now() + PATIENCE_MS
      for (;;) {
        const now = screen()
        if (typeof text === 'string' ? now.includes(text) : text.test(now)) return
        if (Date.now() > until) throw new Error(`the screen never showed ${text}:\n${now}`)
        await new Promise((resolve) => setTimeout(resolve, BETWEEN_LOOKS_MS))
      }
    },
    close() {
      tmux('kill-server')
    },
  }
}
