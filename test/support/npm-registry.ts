import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { TestContext } from 'node:test'
import { atEnd } from './at-end.ts'

/** A registry of packages on the loopback, as npm's client speaks to one. */
export interface NpmRegistry {
  /** For `npm_config_registry`. */
  readonly url: string
  /** Publishes a packed package; the newest is `latest`. */
  publish(name: string, version: string, archive: string): void
}

/** Starts one; it is gone when the test ends. */
export async function startRegistry(t: TestContext): Promise<NpmRegistry> {
  const packages = new Map<string, Map<string, Buffer>>()
  const server = createServer((request, response) => {
    const [, name = '', , file = ''] = decodeURIComponent(request.url ?? '').split('/')
    const versions = packages.get(name)
    const body = file === '' ? undefined : versions?.get(file.replace(/\.tgz$/, ''))
    if (versions === undefined || (file !== '' && body === undefined)) response.writeHead(404).end('{}')
    else if (body !== undefined) response.end(body)
    else response.end(JSON.stringify(packument(name, versions, url)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(t, () => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`
  return {
    url,
    publish(name, version, archive) {
      const versions = packages.get(name) ?? new Map<string, Buffer>()
      packages.set(name, versions.set(version, readFileSync(archive)))
    },
  }
}

function packument(name: string, versions: ReadonlyMap<string, Buffer>, url: string) {
  const entries = [...versions].map(([version, body]) => {
    const integrity = `sha512-${createHash('sha512').update(body).digest('base64')}`
    return [
      version,
      { name, version, dist: { integrity, tarball: `${url}${name}/-/${version}.tgz` } },
    ] as const
  })
  return { name, 'dist-tags': { latest: entries.at(-1)?.[0] }, versions: Object.fromEntries(entries) }
}
