import { Writable } from 'node:stream'

/** A terminal's output that can be told to show nothing for a while, as long as a key is typed. */
export interface HideableOutput {
  readonly stream: Writable
  hide(isHidden: boolean): void
}

/** Wraps an output; its width is the other one's, and follows it. */
export function hideable(output: Writable): HideableOutput {
  let isHidden = false
  const stream = new Writable({
    write(chunk, _encoding, done) {
      if (!isHidden) output.write(chunk)
      done()
    },
  })
  for (const name of ['columns', 'rows'] as const)
    Object.defineProperty(stream, name, { get: () => Reflect.get(output, name) })
  output.on('resize', () => stream.emit('resize'))
  return {
    stream,
    hide(hidden) {
      isHidden = hidden
    },
  }
}
