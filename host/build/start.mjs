// `npm start`: makes amber ready and runs it in this very process.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { prepare, root } from './prepare.mjs'

prepare()
if (process.argv[2] !== '--build-only') {
  process.argv.splice(1, 1, join(root, 'dist', 'amber.js'))
  await import(pathToFileURL(join(root, 'dist', 'amber.js')).href)
}
