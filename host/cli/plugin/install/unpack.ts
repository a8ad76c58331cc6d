import { createReadStream } from 'node:fs'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { AmberError, messageOf } from '../../../base/errors.ts'
import { createIntake, MOST_BYTES, refused, staysInside } from './bounds.ts'

/** Entries that are files and folders; everything else (links, devices, pipes) is refused. */
const PLAIN = new Set(['File', 'OldFile', 'ContiguousFile', 'Directory'])

/** Between a header and its padding an entry costs at most this much more than its content. */
const MOST_TAR_BYTES = MOST_BYTES * 2

/**
 * Unpacks a `.tgz` into an empty folder. Nothing is written outside of it: absolute paths, `..` and links are refused,
 * and so is an archive that holds too much, before it is unpacked in full. Rejects with an AmberError.
 */
export async function unpack(archive: string, into: string, intake = createIntake()): Promise<void> {
  const { Unpack } = await import('tar')
  let fault: unknown
  const unpacking = new Unpack({
    cwd: into,
    strict: true,
    preserveOwner: false,
    noMtime: true,
    filter(path, entry) {
      if (fault !== undefined) return false
      try {
        if (!('type' in entry) || !PLAIN.has(entry.type)) throw refused(`${path} is a link or a device`)
        if (!staysInside(path)) throw refused(`${path} leads out of its folder`)
        intake.add(path, entry.size)
        entry.mode = entry.type === 'Directory' || ((entry.mode ?? 0) & 0o100) !== 0 ? 0o755 : 0o644
        return true
      } catch (thrown) {
        fault = thrown
        return false
      }
    },
  })
  const stopping = atMost(MOST_TAR_BYTES, () => fault)
  try {
    await pipeline(createReadStream(archive), createGunzip(), stopping, unpacking)
  } catch (thrown) {
    throw asRefusal(fault ?? thrown, archive)
  }
  if (fault !== undefined) throw asRefusal(fault, archive)
}

/** Ends the stream at a fault that was found, or when more has come than may. */
function atMost(bytes: number, fault: () => unknown): Transform {
  let seen = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seen += chunk.length
      const found = fault()
      if (found !== undefined) done(new Error(messageOf(found)))
      else if (seen > bytes) done(refused('it unpacks to too much'))
      else done(null, chunk)
    },
  })
}

function asRefusal(thrown: unknown, archive: string): AmberError {
  if (thrown instanceof AmberError) return thrown
  return new AmberError(
    'failed',
    `${archive} cannot be unpacked: ${messageOf(thrown)}`,
    'Give a .tgz as npm pack or amber plugin build --pack makes it.',
    thrown,
  )
}
