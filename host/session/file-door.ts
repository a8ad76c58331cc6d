import { closeSync, ftruncateSync, openSync, renameSync, writeSync } from 'node:fs'
import { makeFolder } from '../base/make-folder.ts'

/**
 * The few things a log does to a file, so that a test can make them fail. Synchronous on purpose: a line is with the
 * system before the message counts as stored, and lines cannot overtake each other (N9).
 */
export interface FileDoor {
  makeFolder(path: string): void
  /** Opens for appending; makes the file, for its owner alone. */
  open(path: string): number
  /** Writes what it can and says how much that was. */
  write(file: number, bytes: Uint8Array): number
  truncate(file: number, size: number): void
  /** Gives a file the name that it is to have. */
  place(from: string, to: string): void
  close(file: number): void
}

/** The disk. */
export const diskDoor: FileDoor = {
  makeFolder: (path) => {
    makeFolder(path, { mode: 0o700 })
  },
  open: (path) => openSync(path, 'a', 0o600),
  write: (file, bytes) => writeSync(file, bytes),
  truncate: (file, size) => ftruncateSync(file, size),
  place: (from, to) => renameSync(from, to),
  close: (file) => closeSync(file),
}
