import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import type { DevServer } from '../../devserver/index.ts'
import { testDevServer } from '../support/dev-server.ts'
import { answeringPlugin } from '../support/plugin-folder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

interface Reply {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

type Headers = Readonly<Record<string, string>>

/** One raw request: the path goes out as it is, and every header is ours. */
function ask(
  { port }: DevServer,
  path: string,
  options: { readonly method?: string; readonly headers?: Headers; readonly body?: string } = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method: options.method ?? 'GET',
        headers: options.headers ?? {},
        agent: false,
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk
        })
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        )
      },
    )
    sent.on('error', reject)
    sent.end(options.body)
  })
}

/** Sends bytes and gives everything that comes back. */
function raw({ port }: DevServer, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    const socket = connect({ host: '127.0.0.1', port }, () => socket.end(bytes))
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(text))
  })
}

async function start(t: TestContext) {
  const plugin = answeringPlugin(temporaryFolder(t), 'weather', 'sunny')
  const dev = await testDevServer(t, { folders: [plugin.folder] })
  const token = { 'x-amber-token': dev.server.token }
  const json = { ...token, 'content-type': 'application/json' }
  return { ...dev, token, json }
}

function errorOf({ text }: Reply): { readonly message: string; readonly hint: string } {
  const { error } = JSON.parse(text)
  assert.deepEqual(Object.keys(error), ['message', 'hint'])
  return error
}

test('DEV-1 without the token, with a wrong one and with one that is nearly right, nothing is told', async (t) => {
  const { server } = await start(t)
  const wrong = [
    '',
    'x',
    `${server.token}x`,
    server.token.slice(1),
    server.token.toUpperCase(),
    `${server.token}, x`,
  ]
  for (const headers of [{}, ...wrong.map((text) => ({ 'x-amber-token': text }))]) {
    for (const path of ['/api/plugins', '/api/events', '/api/nowhere', '/api', '/api/']) {
      const reply = await ask(server, path, { headers })
      assert.equal(reply.status, 403, path)
      assert.match(errorOf(reply).hint, /x-amber-token/)
      assert.doesNotMatch(reply.text, new RegExp(server.token))
    }
  }
  const inQuery = await ask(server, `/api/plugins?token=${server.token}&x-amber-token=${server.token}`)
  assert.equal(inQuery.status, 403)
  assert.equal(
    (await ask(server, '/api/plugins', { headers: { cookie: `token=${server.token}` } })).status,
    403,
  )
})

test('DEV-1 a name that was pointed here (DNS rebinding), another port and two names are refused', async (t) => {
  const { server, token } = await start(t)
  const hosts = [
    'evil.example',
    `evil.example:${server.port}`,
    '127.0.0.1',
    '127.0.0.1:1',
    'localhost.evil:80',
  ]
  for (const host of [...hosts, `127.0.0.1:${server.port}.evil.example`, `[::1]`, `0.0.0.0:${server.port}`]) {
    for (const path of ['/', '/api/plugins'])
      assert.equal((await ask(server, path, { headers: { ...token, host } })).status, 403, host)
  }
  const own = `Host: 127.0.0.1:${server.port}\r\n`
  for (const lines of ['Host:\r\n', `${own}Host: evil.example\r\n`, `Host: evil.example\r\n${own}`]) {
    const reply = await raw(
      server,
      `GET /api/plugins HTTP/1.1\r\n${lines}X-Amber-Token: ${server.token}\r\n\r\n`,
    )
    assert.match(reply, /^HTTP\/1\.1 (403|400) /)
  }
  const old = await raw(server, `GET /api/plugins HTTP/1.0\r\nX-Amber-Token: ${server.token}\r\n\r\n`)
  assert.match(old, /^HTTP\/1\.1 403 /)
  for (const name of ['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]'])
    assert.equal(
      (await ask(server, '/api/plugins', { headers: { ...token, host: `${name}:${server.port}` } })).status,
      200,
      name,
    )
})

test('DEV-1 another origin and another site are refused, our own page is not, and no CORS header is sent', async (t) => {
  const { server, token, json } = await start(t)
  const own = `http://127.0.0.1:${server.port}`
  const foreign = [
    'http://evil.example',
    'null',
    'http://127.0.0.1:1',
    `https://127.0.0.1:${server.port}`,
    `${own}.evil`,
  ]
  for (const origin of foreign) {
    const read = await ask(server, '/api/plugins', { headers: { ...token, origin } })
    const write = await ask(server, '/api/commands', {
      method: 'POST',
      headers: { ...json, origin },
      body: '{"line":"help"}',
    })
    const preflight = await ask(server, '/api/plugins', { method: 'OPTIONS', headers: { origin } })
    for (const reply of [read, write, preflight]) {
      assert.equal(reply.status, 403, origin)
      assert.deepEqual(
        Object.keys(reply.headers).filter((name) => name.startsWith('access-control')),
        [],
      )
    }
  }
  const site = (text: string) => ({ ...token, 'sec-fetch-site': text })
  assert.equal((await ask(server, '/api/plugins', { headers: site('cross-site') })).status, 403)
  assert.equal((await ask(server, '/', { headers: { 'sec-fetch-site': 'cross-site' } })).status, 403)
  assert.equal(
    (await ask(server, '/api/plugins', { headers: { ...site('same-origin'), origin: own } })).status,
    200,
  )
})

test('DEV-1 it listens on 127.0.0.1 and nowhere else', async (t) => {
  const { server } = await start(t)
  const others = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter((one) => !one.internal)
  for (const host of [
    ...others.filter((one) => one.family === 'IPv4').map((one) => one.address),
    '127.0.0.2',
    '::1',
  ]) {
    const outcome = await new Promise<string>((resolve) => {
      const socket = connect({ host, port: server.port }, () => {
        socket.destroy()
        resolve('connected')
      })
      socket.on('error', () => resolve('refused'))
    })
    assert.equal(outcome, 'refused', host)
  }
})

test('DEV-1 files come from a fixed map: no path leads anywhere else', async (t) => {
  const { server, token } = await start(t)
  const paths = [
    '/package.json',
    '/../package.json',
    '/..%2f..%2fetc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '//etc/passwd',
    '/./',
    '/index.html',
    '/api/../package.json',
    '/api/panels/..%2f..%2fx',
    '/api/panels/%00',
    '/api/panels/%E0%A4%A',
    '/api/panels//',
    '/api/__proto__',
    '/api/panels/__proto__',
    '/api/tools/constructor',
  ]
  for (const path of paths) {
    const reply = await ask(server, path, { headers: token })
    assert.ok(reply.status === 404 || reply.status === 405, `${path} gave ${reply.status}`)
    errorOf(reply)
  }
  const absolute = await ask(server, `http://127.0.0.1:${server.port}/api/plugins`, { headers: token })
  assert.equal(absolute.status, 404)
})

test('DEV-1 every answer carries the strict headers, and the page needs no token and runs nothing but its own files', async (t) => {
  const { server, token } = await start(t)
  const page = await ask(server, '/')
  assert.equal(page.status, 200)
  assert.doesNotMatch(page.text, /onload|javascript:|https?:\/\/|<style/)
  assert.deepEqual(page.text.match(/<script[^>]*>[^<]*/g), ['<script type="module" src="/inspector.js">'])
  for (const [path, type] of [
    ['/inspector.js', /^text\/javascript/],
    ['/inspector.css', /^text\/css/],
  ] as const) {
    const file = await ask(server, path)
    assert.equal(file.status, 200)
    assert.match(String(file.headers['content-type']), type)
    assert.ok(!file.text.includes(server.token))
  }
  for (const reply of [
    page,
    await ask(server, '/api/plugins', { headers: token }),
    await ask(server, '/nowhere'),
  ]) {
    assert.match(String(reply.headers['content-security-policy']), /^default-src 'none'; script-src 'self';/)
    assert.doesNotMatch(String(reply.headers['content-security-policy']), /unsafe|\*/)
    assert.equal(reply.headers['x-content-type-options'], 'nosniff')
    assert.equal(reply.headers['x-frame-options'], 'DENY')
    assert.equal(reply.headers['cache-control'], 'no-store')
    assert.equal(reply.headers['set-cookie'], undefined)
  }
})

test('DEV-1 wrong methods are told the right ones', async (t) => {
  const { server, token, json } = await start(t)
  const cases = [
    ['DELETE', '/api/plugins', 'GET'],
    ['POST', '/api/plugins', 'GET'],
    ['GET', '/api/tools/weather', 'POST'],
    ['PUT', '/api/commands', 'GET, POST'],
    ['POST', '/api/events', 'GET'],
    ['OPTIONS', '/api/turn', 'POST'],
    ['POST', '/', 'GET, HEAD'],
  ] as const
  for (const [method, path, allow] of cases) {
    const headers = method === 'POST' ? json : token
    const reply = await ask(server, path, { method, headers, ...(method === 'POST' ? { body: '{}' } : {}) })
    assert.equal(reply.status, 405, `${method} ${path}`)
    assert.equal(reply.headers.allow, allow)
    errorOf(reply)
  }
})

test('DEV-1 a POST brings JSON, of 1 MB at most', async (t) => {
  const { server, token, json } = await start(t)
  const post = (headers: Headers, body: string) =>
    ask(server, '/api/commands', { method: 'POST', headers, body })
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/jsonp',
  ])
    assert.equal((await post({ ...token, 'content-type': type }, '{"line":"help"}')).status, 400, type)
  assert.equal((await post(token, '{"line":"help"}')).status, 400)
  assert.equal((await post(json, '{"line":')).status, 400)
  assert.equal((await post(json, '')).status, 400)
  assert.equal((await post(json, '{"lines":"help"}')).status, 400)
  assert.equal((await post(json, '[]')).status, 400)
  const large = await post(json, JSON.stringify({ line: 'x'.repeat(2_000_000) }))
  assert.equal(large.status, 413)
  errorOf(large)
  const fits = await post({ ...json, 'content-type': 'application/json; charset=utf-8' }, '{"line":"help"}')
  assert.equal(fits.status, 200)
})

test('DEV-1 garbage on the wire ends that connection and nothing else', async (t) => {
  const { server, token } = await start(t)
  const garbage = [
    '\0\x01\x02\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    `GET / HTTP/1.1\r\nHost: ${'x'.repeat(100_000)}\r\n\r\n`,
  ]
  for (const bytes of garbage) assert.doesNotMatch(await raw(server, bytes), /^HTTP\/1\.1 200/)
  assert.equal((await ask(server, '/api/plugins', { headers: token })).status, 200)
})

test('DEV-1 the token is in a file of mode 0600 while the server runs', async (t) => {
  const { server, app } = await start(t)
  const folder = join(app.paths.state, 'dev')
  const [name = ''] = readdirSync(folder)
  assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600)
  assert.deepEqual(JSON.parse(readFileSync(join(folder, name), 'utf8')), {
    pid: process.pid,
    port: server.port,
    url: server.url,
    token: server.token,
  })
  assert.equal(new URL(server.url).hash, `#token=${server.token}`)
  await server.close()
  assert.equal(existsSync(join(folder, name)), false)
})
