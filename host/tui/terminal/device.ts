import type { Readable, Writable } from 'node:stream'
import { once } from '../../base/disposable.ts'
import { ENTER, KITTY_ON, LEAVE } from './modes.ts'

/** The terminal as the screen uses it. */
export interface Device {
  /** Columns and rows, at least 1. */
  size(): { readonly width: number; readonly height: number }
  /** Writes nothing outside of enter and leave. False: the terminal is behind; `onDrain` tells when it has caught up. */
  write(text: string): boolean
  /** Raw mode and the screen's own modes; hears bytes and resizes from now on. */
  enter(): void
  /** Gives the terminal back as it was, at once and only once per enter (rows T5, T9). */
  leave(): void
  /** Swallows what is still on its way in, so that none of it reaches the shell (row T10). */
  drain(ms: number): Promise<void>
  acceptKeyboardProtocol(): void
}

/** What a device is made of. */
export interface DeviceOptions {
  readonly input: Readable
  readonly output: Writable
  readonly env: Readonly<Record<string, string | undefined>>
  readonly onBytes: (text: string) => void
  readonly onResize: () => void
  readonly onDrain: () => void
  /** The terminal went away. */
  readonly onGone: () => void
}

interface RawInput {
  setRawMode(on: boolean): unknown
}

function isRaw(input: object): input is RawInput {
  return 'setRawMode' in input && typeof input.setRawMode === 'function'
}

/** Makes one; nothing is written before `enter`. */
export function createDevice({ input, output, env, ...heard }: DeviceOptions): Device {
  let leaveNow = () => {}
  let isHearing = true
  let isEntered = false
  const numberOf = (key: 'columns' | 'rows', name: string, fallback: number) => {
    const stated: unknown = Reflect.get(output, key)
    if (typeof stated === 'number' && stated > 0) return stated
    const named = Number(env[name])
    return Number.isSafeInteger(named) && named > 0 ? named : fallback
  }
  const onData = (chunk: unknown) => {
    if (isHearing) heard.onBytes(String(chunk))
  }
  const enter = () => {
    if (isRaw(input)) input.setRawMode(true)
    input.setEncoding('utf8')
    input.on('data', onData)
    input.on('end', heard.onGone)
    // A terminal that was closed answers every read with an error.
    input.on('error', heard.onGone)
    output.on('resize', heard.onResize)
    output.on('drain', heard.onDrain)
    input.resume()
    output.write(ENTER)
    const leave = once(() => {
      process.removeListener('exit', leave)
      isEntered = false
      output.write(LEAVE)
      input.off('data', onData)
      input.off('end', heard.onGone)
      output.off('resize', heard.onResize)
      output.off('drain', heard.onDrain)
      input.pause()
      if (isRaw(input)) input.setRawMode(false)
    })
    leaveNow = leave
    isEntered = true
    // Whoever ends the process and however: a plugin, an exception, amber itself. A terminal is written to at once.
    process.on('exit', leave)
  }
  return {
    size: () => ({ width: numberOf('columns', 'COLUMNS', 80), height: numberOf('rows', 'LINES', 24) }),
    write: (text) => !isEntered || output.write(text),
    enter,
    leave: () => leaveNow(),
    acceptKeyboardProtocol: () => output.write(KITTY_ON),
    async drain(ms) {
      isHearing = false
      await new Promise((resolve) => setTimeout(resolve, ms))
      isHearing = true
    },
  }
}
