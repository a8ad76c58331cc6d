import Module from 'node:module'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { OwnedGlobals } from './owned-globals.ts'

/** What it takes to run a bundle. */
export interface Evaluation {
  /** CommonJS text with an inline source map. */
  readonly code: string
  /** The stable virtual path: inside the plugin's folder, never written, the same for every version. */
  readonly path: string
  readonly require: (id: string) => unknown
  readonly globals: OwnedGlobals
  /** Is held by every function of the bundle, wherever one goes: can it be collected, the version is gone (SWAP-9). */
  readonly witness: object
}

const GLOBALS = 'amber:globals'
const META_URL = 'amberMetaUrl'
const WITNESS = 'amberWitness'

/** What esbuild puts where the author wrote `import.meta.url`; `evaluate` supplies it. */
export const META_URL_NAME = META_URL

/**
 * Runs a bundle and returns its `module.exports`. `Module.prototype._compile` at a stable path is the one way that
 * keeps no memory per reload, needs no flag, and whose stack traces Node maps to the author's file (SWAP-9, SWAP-10).
 * Throws what the module throws.
 */
export function evaluate(evaluation: Evaluation): unknown {
  // Node keeps the map of a text only if it is asked to before the text is compiled; asking again costs nothing.
  process.setSourceMapsEnabled(true)
  const module = new Module(evaluation.path)
  module.filename = evaluation.path
  module.paths = nodeModulePaths(dirname(evaluation.path))
  const globals = [...evaluation.globals.values, pathToFileURL(evaluation.path).href, evaluation.witness]
  const answer = (id: string): unknown => (id === GLOBALS ? globals : evaluation.require(id))
  module.require = answer as typeof module.require
  const compile: unknown = Reflect.get(module, '_compile')
  if (typeof compile !== 'function') throw new Error('this Node.js has no Module.prototype._compile')
  Reflect.apply(compile, module, [wrap(evaluation.code, evaluation.globals.names), evaluation.path])
  return module.exports
}

/**
 * Gives the bundle the owned globals as parameters. The inner block lets the author declare the same names again;
 * everything stays on the first line so that the source map's lines hold. The function that nobody calls puts the witness
 * into the context that all functions of the bundle share.
 */
function wrap(code: string, names: readonly string[]): string {
  const parameters = [...names, META_URL, WITNESS].join(',')
  return `(function(${parameters}){"use strict";void(()=>${WITNESS});{${code}\n}})(...require("${GLOBALS}"))`
}

function nodeModulePaths(folder: string): string[] {
  const find: unknown = Reflect.get(Module, '_nodeModulePaths')
  return typeof find === 'function' ? Reflect.apply(find, Module, [folder]) : []
}
