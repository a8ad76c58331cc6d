import type { ComponentChildren, VNode } from 'preact'
import { placeOf, type Schema } from './schema.ts'

/** What every field is drawn from. */
export interface FieldProps {
  readonly schema: unknown
  /** Of the whole tool: references lead into it. */
  readonly root: Schema
  readonly path: readonly (string | number)[]
  readonly value: unknown
  /** By place, as the host says them. */
  readonly mistakes: ReadonlyMap<string, string>
  onChange(value: unknown): void
}

/** A field whose schema is resolved. */
export type OwnProps = FieldProps & { readonly schema: Schema }

/** A field with fields in it; `draw` draws them. */
export type NestingProps = OwnProps & { readonly draw: (props: FieldProps) => VNode }

/** What ties an input to its label and its mistake. */
export function inputProps({ path, mistakes }: Pick<FieldProps, 'path' | 'mistakes'>) {
  const id = `field-${placeOf(path)}`
  const wrong = mistakes.has(placeOf(path))
  return { id, 'aria-invalid': wrong, ...(wrong ? { 'aria-describedby': `${id}-mistake` } : {}) }
}

/** A label, its field and what is wrong with it. */
export function Labelled(props: {
  readonly field: Pick<FieldProps, 'path' | 'mistakes'>
  readonly name: string
  readonly schema: Schema
  readonly required?: boolean
  readonly before?: ComponentChildren
  readonly children: ComponentChildren
}): VNode {
  const { id } = inputProps(props.field)
  const mistake = props.field.mistakes.get(placeOf(props.field.path))
  const { description, type } = props.schema
  return (
    <div class="field">
      <div class="field-name">
        {props.before}
        <label for={id}>{props.name}</label>
        <span class="dim">
          {typeof type === 'string' ? type : ''}
          {props.required ? ' · required' : ''}
        </span>
      </div>
      {typeof description === 'string' && <p class="dim">{description}</p>}
      {props.children}
      {mistake !== undefined && (
        <p class="crit" id={`${id}-mistake`}>
          ✗ {mistake}
        </p>
      )}
    </div>
  )
}
