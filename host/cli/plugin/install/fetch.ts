import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { isRecord } from '../../../../sdk/index.ts'
import { AmberError } from '../../../base/errors.ts'
import type { Io } from '../../io.ts'
import { copyFolder } from './copy-folder.ts'
import { hashOfFolder } from './folder-hash.ts'
import { runProgram } from './run-program.ts'
import type { PluginSpec } from './spec.ts'
import { unpack } from './unpack.ts'

/** A plugin that was brought here: where it lies, and exactly what it is. */
export interface Fetched {
  /** The folder with plugin.json. */
  readonly folder: string
  /** A hash or a commit: the same text means the same files. */
  readonly exact: string
}

/** Brings a plugin into `staging`, an empty folder, and runs nothing of it. Rejects with an AmberError. */
export async function fetchPlugin(spec: PluginSpec, staging: string, io: Io): Promise<Fetched> {
  const content = join(staging, 'content')
  await mkdir(content)
  switch (spec.kind) {
    case 'path':
      return fetchPath(spec.path, content)
    case 'npm':
      return fetchPackage(spec.name, { staging, content, io })
    case 'git':
      return fetchRepository(spec, { staging, content, io })
  }
}

async function fetchPath(path: string, content: string): Promise<Fetched> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) {
    throw new AmberError(
      'failed',
      `There is no folder or file ${path}.`,
      'Name a plugin folder or a .tgz file.',
    )
  }
  if (!found.isDirectory()) {
    await unpack(path, content)
    return { folder: await pluginFolderIn(content), exact: await hashOfFile(path) }
  }
  await copyFolder(path, content)
  return { folder: await pluginFolderIn(content), exact: await hashOfFolder(content) }
}

interface Place {
  readonly staging: string
  readonly content: string
  readonly io: Io
}

/** `npm pack` downloads and checks a package's hash, and runs no script of it. */
async function fetchPackage(name: string, { staging, content, io }: Place): Promise<Fetched> {
  const argv = ['pack', name, '--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', staging]
  const said = await runProgram({ program: 'npm', argv, cwd: staging }, io)
  const packed = (await readdir(staging)).filter((file) => file.endsWith('.tgz'))
  const [archive] = packed
  if (archive === undefined)
    throw new AmberError('failed', `npm brought nothing for ${name}.`, 'Check the name.')
  await unpack(join(staging, archive), content)
  return {
    folder: await pluginFolderIn(content),
    exact: integrityIn(said) ?? (await hashOfFile(join(staging, archive))),
  }
}

function integrityIn(said: string): string | undefined {
  try {
    const answer: unknown = JSON.parse(said)
    const [first]: unknown[] = Array.isArray(answer) ? answer : []
    return isRecord(first) && typeof first.integrity === 'string' ? first.integrity : undefined
  } catch {
    return undefined
  }
}

/** Hooks, helpers, submodules, links and whatever else would run or lead somewhere are off. */
const CAREFUL = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.symlinks=false', '-c', 'core.fsmonitor=false']

async function fetchRepository(
  { url, ref }: { readonly url: string; readonly ref: string | undefined },
  { staging, content, io }: Place,
): Promise<Fetched> {
  const env = { GIT_ALLOW_PROTOCOL: 'file:git:http:https:ssh', GIT_LFS_SKIP_SMUDGE: '1' }
  const clone = join(staging, 'clone')
  const branch = ref === undefined ? [] : ['--branch', ref]
  const argv = [
    'clone',
    '--quiet',
    '--depth',
    '1',
    '--single-branch',
    '--no-recurse-submodules',
    '--template=',
  ]
  await runProgram(
    { program: 'git', argv: [...CAREFUL, ...argv, ...branch, '--', url, clone], cwd: staging, env },
    io,
  )
  const commit = await runProgram(
    { program: 'git', argv: [...CAREFUL, 'rev-parse', 'HEAD'], cwd: clone, env },
    io,
  )
  await copyFolder(clone, content)
  return { folder: await pluginFolderIn(content), exact: `commit ${commit.trim()}` }
}

/** Packed plugins lie in one folder (`package/`); a repository may keep what is built in `dist/`. */
async function pluginFolderIn(content: string): Promise<string> {
  const names = await readdir(content, { withFileTypes: true })
  const folders = names.filter((one) => one.isDirectory()).map((one) => join(content, one.name))
  const only = names.length === 1 ? folders : []
  for (const root of [content, ...only]) {
    for (const folder of [root, join(root, 'dist')]) {
      if ((await stat(join(folder, 'plugin.json')).catch(() => undefined))?.isFile()) return folder
    }
  }
  throw new AmberError(
    'failed',
    'There is no plugin.json in it, so it is no plugin of amber’s.',
    'plugin.json belongs into its topmost folder, or into dist/.',
  )
}

async function hashOfFile(path: string): Promise<string> {
  const hash = createHash('sha512')
  await pipeline(createReadStream(path), hash)
  return `sha512-${hash.digest('base64')}`
}
