import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { Labelled, type NestingProps } from './labelled.tsx'
import {
  initialOf,
  isObject,
  isRequired,
  openSchemaOf,
  propertiesOf,
  resolve,
  type Schema,
} from './schema.ts'

/** The fields of an object: those of its schema, of which the optional ones are sent once they are given, and free ones. */
export function ObjectField(props: NestingProps): VNode {
  const { schema, root, path } = props
  const value = isObject(props.value) ? props.value : {}
  const named = propertiesOf(schema)
  const open = openSchemaOf(schema)
  const free = open ? Object.keys(value).filter((key) => !named.some(([name]) => name === key)) : []
  const set = (name: string, one: unknown) => props.onChange({ ...value, [name]: one })
  const remove = (name: string) =>
    props.onChange(Object.fromEntries(Object.entries(value).filter(([key]) => key !== name)))
  const fields = (
    <>
      {named.map(([name, property]) => (
        <Property
          key={name}
          {...props}
          {...{ name, property, value, set, remove }}
          optional={!isRequired(schema, name)}
        />
      ))}
      {free.map((name) => (
        <Property key={name} {...props} {...{ name, property: open, value, set, remove }} optional />
      ))}
      {open && <NewProperty onAdd={(name) => set(name, initialOf(open, root, path.length + 1))} />}
      {named.length === 0 && !open && <p class="dim">takes nothing</p>}
    </>
  )
  return path.length === 0 ? fields : <div class="nested">{fields}</div>
}

interface PropertyProps extends Omit<NestingProps, 'value'> {
  readonly name: string
  readonly property: unknown
  readonly value: Schema
  readonly optional: boolean
  set(name: string, value: unknown): void
  remove(name: string): void
}

function Property({ draw: Inner, name, property, value, optional, ...rest }: PropertyProps): VNode {
  const { set, remove, root, path, mistakes } = rest
  const schema = resolve(property, root)
  const own = [...path, name]
  const given = Object.hasOwn(value, name)
  const toggle = () => (given ? remove(name) : set(name, initialOf(property, root, own.length)))
  const box = optional && (
    <input type="checkbox" checked={given} onChange={toggle} aria-label={`send ${name}`} title="send it" />
  )
  return (
    <Labelled field={{ path: own, mistakes }} name={name} schema={schema} required={!optional} before={box}>
      {given && (
        <Inner
          {...{ root, mistakes }}
          schema={property}
          path={own}
          value={value[name]}
          onChange={(one) => set(name, one)}
        />
      )}
    </Labelled>
  )
}

function NewProperty({ onAdd }: { onAdd(name: string): void }): VNode {
  const [name, setName] = useState('')
  const add = () => {
    if (name !== '' && name !== '__proto__') onAdd(name)
    setName('')
  }
  return (
    <div class="row">
      <input
        value={name}
        aria-label="name of another property"
        placeholder="another property"
        onInput={(event) => setName(event.currentTarget.value)}
      />
      <button type="button" onClick={add}>
        add
      </button>
    </div>
  )
}
