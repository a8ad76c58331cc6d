import { Ajv2020 } from 'ajv/dist/2020.js'
import standaloneCode from 'ajv/dist/standalone/index.js'
import { schemas } from './schemas.ts'
import type { Validators } from './validator.ts'

/** Keywords for editors alone. */
const editorKeywords = ['patternErrorMessage', 'defaultSnippets']

/** Compiles the validators with Ajv, at run time: slow (80 ms), and what the generated module is made from. */
export function compileValidators(): Validators {
  const ajv = createAjv()
  return {
    plugin: ajv.compile(schemas.plugin),
    completions: ajv.compile(schemas.completions),
    config: ajv.compile(schemas.config),
    provider: ajv.compile(schemas.provider),
    pluginState: ajv.compile(schemas.pluginState),
    mcp: ajv.compile(schemas.mcp),
  }
}

/**
 * The text of an ECMAScript module that exports the same `validators` as plain code, with no Ajv in it. The same
 * schemas give the same text.
 */
export function generateValidatorModule(): string {
  const ajv = createAjv()
  const names = Object.keys(schemas)
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(schema, name)
  const code = standaloneCode.default(ajv, Object.fromEntries(names.map((name) => [name, name])))
  return `${code}\nexport const validators = { ${names.join(', ')} };\n`
}

function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    messages: false,
    inlineRefs: false,
    code: { source: true, esm: true },
  })
  ajv.addVocabulary(editorKeywords)
  return ajv
}
