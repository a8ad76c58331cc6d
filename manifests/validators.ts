import { compileValidators } from './compile-validators.ts'
import type { Validators } from './validator.ts'

/**
 * The validators of everything amber reads. Run from source they are compiled here, when this module loads; the build
 * puts generated code in the place of this file (build-validators.ts), so that the built program loads no Ajv for it.
 */
export const validators: Validators = compileValidators()
