import { dirname } from 'node:path'
import type { Plugin } from 'esbuild'
import { generateValidatorModule } from './compile-validators.ts'

/** The text that takes the place of `validators.ts` in the built program. */
export async function buildValidatorModule(): Promise<string> {
  return generateValidatorModule()
}

/** For esbuild: puts the generated validators in the place of `manifests/validators.ts`. */
export function generatedValidators(): Plugin {
  return {
    name: 'amber-generated-validators',
    setup(build) {
      build.onLoad({ filter: /[\\/]manifests[\\/]validators\.ts$/ }, async ({ path }) => ({
        contents: await buildValidatorModule(),
        loader: 'js',
        resolveDir: dirname(path),
      }))
    },
  }
}
