import type { VNode } from 'preact'
import type { FieldProps } from './labelled.tsx'
import { ListField } from './list-field.tsx'
import { ObjectField } from './object-field.tsx'
import { BooleanField, ChoiceField, JsonField, NumberField, TextField } from './scalar-fields.tsx'
import { kindOf, resolve } from './schema.ts'
import { VariantsField } from './variants-field.tsx'

/** The field of one value, whatever its schema says. */
export function Field(props: FieldProps): VNode {
  const schema = resolve(props.schema, props.root)
  const kind = kindOf(schema, props.path.length)
  const own = { ...props, schema }
  if (kind === 'object') return <ObjectField {...own} draw={Field} />
  if (kind === 'list') return <ListField {...own} draw={Field} />
  if (kind === 'variants') return <VariantsField {...own} draw={Field} />
  if (kind === 'choice') return <ChoiceField {...own} />
  if (kind === 'boolean') return <BooleanField {...own} />
  if (kind === 'number') return <NumberField {...own} />
  if (kind === 'text') return <TextField {...own} />
  if (kind === 'json') return <JsonField {...own} />
  return <code>{JSON.stringify(kind === 'nothing' ? null : schema.const)}</code>
}
