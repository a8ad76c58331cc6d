#!/usr/bin/env node
// Amber's command. It answers `--version` itself and starts the core from V8's code cache where there is a fitting one:
// reading what was compiled before is several times faster than compiling it again.
'use strict'

/** Modules of Node's that most runs never use, and that bring many others along. */
const LATE = new Set([
  'node:child_process',
  'node:console',
  'node:crypto',
  'node:fs/promises',
  'node:readline',
  'node:stream/promises',
  'node:timers/promises',
  'node:tty',
  'node:v8',
  'node:worker_threads',
])

const [, , first, ...rest] = process.argv
if (rest.length === 0 && (first === '--version' || first === '-V')) sayVersion()
else start()

function sayVersion() {
  process.stderr.on('error', () => {})
  process.stdout.on('error', (error) => {
    // A reader that has what it wanted closes the pipe: that is no error.
    if (error.code === 'EPIPE') return
    process.exitCode = 1
    process.stderr.write(
      `error: standard output could not be written (${error.code}).\nMake room where it goes, or send it elsewhere.\n`,
    )
  })
  process.stdout.write(`${AMBER_VERSION}\n`)
}

function start() {
  const { existsSync, readFileSync, mkdirSync, writeFileSync } = require('node:fs')
  const { dirname, join, basename } = require('node:path')
  const { Script } = require('node:vm')
  const Module = require('node:module')
  const store = join(__dirname, 'code-cache', `${process.version}-${process.arch}`)
  const isWriting = process.env.AMBER_WRITE_CODE_CACHE === '1'
  const written = []
  const core = join(__dirname, 'main.cjs')

  /** Stands for a module of Node's until something of it is asked for. */
  function late(get) {
    let module
    const opened = () => {
      module ??= get()
      return module
    }
    return new Proxy({}, { get: (_, name) => Reflect.get(opened(), name) })
  }
  function load(file) {
    const cacheFile = join(store, `${basename(file)}.cache`)
    const known = Module._cache[file]
    if (known) return known.exports
    const module = new Module(file)
    module.filename = file
    module.paths = Module._nodeModulePaths(dirname(file))
    Module._cache[file] = module
    const script = new Script(Module.wrap(readFileSync(file, 'utf8')), {
      filename: file,
      cachedData: isWriting ? undefined : read(cacheFile),
    })
    // What an earlier run has written fits the runs that it was made by, and stays.
    if (isWriting && !existsSync(cacheFile))
      written.push(() => writeFileSync(cacheFile, script.createCachedData()))
    const require = (id) => {
      if (id.startsWith('./lib/')) return load(join(__dirname, id))
      // In the core alone: a library may take a module apart as soon as it has it.
      return LATE.has(id) && file === core ? late(() => module.require(id)) : module.require(id)
    }
    Object.assign(require, { resolve: (id) => Module._resolveFilename(id, module) })
    script.runInThisContext().call(module.exports, module.exports, require, module, file, dirname(file))
    return module.exports
  }
  function read(file) {
    try {
      return readFileSync(file)
    } catch {
      return undefined
    }
  }
  if (isWriting) {
    process.on('exit', () => {
      mkdirSync(store, { recursive: true })
      for (const write of written) write()
    })
  }
  load(core)
}
