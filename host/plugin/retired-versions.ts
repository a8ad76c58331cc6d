import type { Activation } from './activation.ts'
import { handOver } from './hand-over.ts'
import type { LivePlugin } from './live-plugin.ts'
import type { PreparedVersion } from './prepare.ts'
import type { VersionDeps } from './versions.ts'

/** Versions on their way out: each is disposed of when its last call has ended (SWAP-3, SWAP-9). */
export class RetiredVersions {
  readonly #deps: VersionDeps
  readonly #retiring = new Set<Promise<void>>()

  constructor(deps: VersionDeps) {
    this.#deps = deps
  }

  /** Retires a plugin's code for good. */
  retire(plugin: LivePlugin, reason: 'disable' | 'shutdown'): void {
    const old = plugin.code
    plugin.code = undefined
    if (old) this.#track((done) => old.current.retire(reason, done))
  }

  /** Retires the code before a new version of it, which gets what the old one hands over. */
  retireFor(old: Activation, plugin: LivePlugin, { code, manifest }: PreparedVersion): void {
    const end = (first: Activation) => this.#track((done) => first.retire('reload', done))
    this.#track((done) =>
      old.retire('reload', (handover) => {
        if (handover && code) handOver(this.#deps, { plugin, manifest, ref: code }, handover, end)
        done()
      }),
    )
  }

  /** Resolves when everything that was retired by now is gone. Never rejects. */
  async settled(): Promise<void> {
    await Promise.all(this.#retiring)
  }

  #track(begin: (done: () => void) => void): void {
    const gone = new Promise<void>((resolve) => begin(() => resolve()))
    this.#retiring.add(gone)
    void gone.then(() => this.#retiring.delete(gone))
  }
}
