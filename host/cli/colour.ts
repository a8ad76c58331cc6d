import type { Output } from '../headless/output.ts'

/** Whether an output may have colours: a terminal, and no word of the environment against it (interfaces 2). */
export function wantsColour(
  output: Pick<Output, 'isTTY'>,
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  return output.isTTY && !env.NO_COLOR && env.TERM !== 'dumb'
}

/** Paints a text, or leaves it alone. */
export function paint(text: string, tone: 'dim' | 'red' | 'yellow', colour: boolean): string {
  const code = { dim: 2, red: 31, yellow: 33 }[tone]
  return colour && text !== '' ? `\x1b[${code}m${text}\x1b[0m` : text
}
