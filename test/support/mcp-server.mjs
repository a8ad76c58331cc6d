// A server of the Model Context Protocol on the official SDK, as misbehaved as its arguments say.
// --noise: banners around its messages, 1 MB on standard error. --never: reads and never answers. --after FILE: comes up
// once that file exists. --stubborn: ends neither with its input nor when it is asked to. --http: serves streamable HTTP instead, and prints its address. MARK names a file to write to.
import { appendFileSync, existsSync, watch, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname } from 'node:path'
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { z } from 'zod'

const flags = process.argv.slice(2)
const has = (flag) => flags.includes(flag)
const mark = (text) => process.env.MARK && appendFileSync(process.env.MARK, `${text}\n`)
const said = (text, more = {}) => ({ content: [{ type: 'text', text }], ...more })

function makeServer() {
  const server = new McpServer({ name: 'test-server', version: '1.2.3' })
  server.registerTool(
    'echo',
    { description: 'Says a text back.', inputSchema: { text: z.string() } },
    ({ text }) => said(`echo: ${text}`),
  )
  server.registerTool(
    'env',
    { description: 'Reads a variable.', inputSchema: { name: z.string() } },
    ({ name }) => said(process.env[name] ?? 'not set'),
  )
  server.registerTool('fail', { description: 'Fails, as a tool does.' }, () =>
    said('it is broken', { isError: true }),
  )
  server.registerTool('file', { description: 'Bears a name that joins to another.' }, () =>
    said('the file of read'),
  )
  server.registerTool('mixed', { description: 'Answers what is no text.' }, () => ({
    content: [
      { type: 'text', text: 'look:' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      { type: 'resource_link', uri: 'note://one', name: 'one' },
    ],
  }))
  server.registerTool('wait', { description: 'Waits until it is cancelled.' }, async (extra) => {
    await extra.sendNotification({
      method: 'notifications/progress',
      params: { progressToken: extra._meta?.progressToken ?? 0, progress: 1, total: 2, message: 'half' },
    })
    mark('waiting')
    if (!extra.signal.aborted) await new Promise((resolve) => extra.signal.addEventListener('abort', resolve))
    mark('cancelled')
    return said('cancelled')
  })
  server.registerTool('grow', { description: 'Gets itself another tool.' }, () => {
    server.registerTool('late', { description: 'Came later.' }, () => said('late it is'))
    return said('grown')
  })
  server.registerTool('crash', { description: 'Ends the server.' }, () => process.exit(7))
  server.registerPrompt(
    'review',
    { description: 'Reviews.', argsSchema: { what: z.string() } },
    ({ what }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: `Review ${what}.` } }],
    }),
  )
  server.registerResource('one', 'note://one', { description: 'The first.' }, (uri) => ({
    contents: [{ uri: uri.href, text: 'the text of one' }],
  }))
  server.registerResource(
    'any',
    new ResourceTemplate('note://{id}', { list: undefined }),
    {},
    (uri, { id }) => ({
      contents: [{ uri: uri.href, text: `note ${id}` }],
    }),
  )
  return server
}

function comesUp() {
  const file = flags[flags.indexOf('--after') + 1]
  if (!has('--after') || existsSync(file)) return Promise.resolve()
  return new Promise((resolve) => {
    const watcher = watch(dirname(file), () => {
      if (!existsSync(file)) return
      watcher.close()
      resolve()
    })
  })
}

async function serveHttp() {
  const sessions = new Map()
  const http = createServer(async (request, response) => {
    mark(`${request.method} ${request.headers['x-test'] ?? ''}`)
    let transport = sessions.get(request.headers['mcp-session-id'])
    if (!transport) {
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => crypto.randomUUID(),
        onsessioninitialized: (id) => sessions.set(id, transport),
      })
      await makeServer().connect(transport)
    }
    await transport.handleRequest(request, response)
  })
  http.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${http.address().port}/mcp\n`))
}

if (has('--stubborn')) {
  setInterval(() => {}, 60_000)
  process.on('SIGTERM', () => {})
}
if (process.env.PIDS) appendFileSync(process.env.PIDS, `${process.pid}\n`)
if (has('--never')) process.stdin.resume()
else if (has('--http')) await serveHttp()
else {
  if (has('--noise')) {
    process.stdout.write('hello\n\n{"not": "a message"}\n')
    process.stderr.write(`${'x'.repeat(999)}\n`.repeat(1000))
    const write = process.stdout.write.bind(process.stdout)
    process.stdout.write = (...args) => write('between messages\n') && write(...args)
  }
  await comesUp()
  await makeServer().connect(new StdioServerTransport())
  if (process.env.READY) writeFileSync(process.env.READY, '')
}
