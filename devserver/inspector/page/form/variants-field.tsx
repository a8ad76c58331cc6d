import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { inputProps, type NestingProps } from './labelled.tsx'
import { initialOf, resolve, type Schema, titleOf, variantsOf } from './schema.ts'

/** A value that may fit one of several schemas: which, and the field of it. */
export function VariantsField({ schema, value, onChange, draw: Inner, ...at }: NestingProps): VNode {
  const variants = variantsOf(schema)
  const [chosen, choose] = useState(() =>
    Math.max(
      0,
      variants.findIndex((one) => looksLike(resolve(one, at.root), value)),
    ),
  )
  return (
    <div class="variants">
      <select
        {...inputProps(at)}
        aria-label="which kind of value"
        value={chosen}
        onChange={(event) => {
          const index = Number(event.currentTarget.value)
          choose(index)
          onChange(initialOf(variants[index], at.root, at.path.length))
        }}
      >
        {variants.map((one, index) => (
          <option key={index} value={index}>
            {titleOf(resolve(one, at.root), index)}
          </option>
        ))}
      </select>
      <Inner key={chosen} {...at} schema={variants[chosen]} value={value} onChange={onChange} />
    </div>
  )
}

/** Whether a value may be of a schema, as far as its type tells. */
function looksLike(schema: Schema, value: unknown): boolean {
  if ('const' in schema) return JSON.stringify(schema.const) === JSON.stringify(value)
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  return schema.type === type || (schema.type === 'integer' && type === 'number')
}
