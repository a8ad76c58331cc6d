import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { inputProps, type OwnProps } from './labelled.tsx'

/** One of a few values. */
export function ChoiceField({ schema, value, onChange, ...at }: OwnProps): VNode {
  const choices: readonly unknown[] = Array.isArray(schema.enum) ? schema.enum.slice(0, 500) : []
  const index = choices.findIndex((one) => JSON.stringify(one) === JSON.stringify(value))
  return (
    <select
      {...inputProps(at)}
      value={index}
      onChange={(event) => onChange(choices[Number(event.currentTarget.value)])}
    >
      {choices.map((one, number) => (
        <option key={number} value={number}>
          {typeof one === 'string' ? one : JSON.stringify(one)}
        </option>
      ))}
    </select>
  )
}

/** Yes or no. */
export function BooleanField({ value, onChange, ...at }: OwnProps): VNode {
  return (
    <input
      {...inputProps(at)}
      type="checkbox"
      checked={value === true}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}

/** A number. What is none goes to the host as it was written: it says what is wrong with it. */
export function NumberField({ value, onChange, ...at }: OwnProps): VNode {
  const [text, setText] = useState(String(value ?? ''))
  const numberIn = (written: string) => (/^-?\d+(\.\d+)?$/.test(written.trim()) ? Number(written) : written)
  useEffect(() => {
    if (numberIn(text) !== value) setText(String(value ?? ''))
  }, [value])
  return (
    <input
      {...inputProps(at)}
      inputMode="decimal"
      autocomplete="off"
      value={text}
      onInput={(event) => {
        setText(event.currentTarget.value)
        onChange(numberIn(event.currentTarget.value))
      }}
    />
  )
}

/** Any text, of any number of lines. */
export function TextField({ schema, value, onChange, ...at }: OwnProps): VNode {
  const text = typeof value === 'string' ? value : ''
  const lines = Math.min(12, Math.max(1, text.split('\n').length))
  const example = Array.isArray(schema.examples) ? schema.examples[0] : undefined
  return (
    <textarea
      {...inputProps(at)}
      rows={lines}
      spellcheck={false}
      value={text}
      placeholder={typeof example === 'string' ? example : ''}
      onInput={(event) => onChange(event.currentTarget.value)}
    />
  )
}

/** Text that is JSON; until it is, what was there before stays. */
export function JsonField({ value, onChange, ...at }: Omit<OwnProps, 'schema' | 'root'>): VNode {
  const [text, setText] = useState(() => JSON.stringify(value, undefined, 2))
  const [wrong, setWrong] = useState('')
  useEffect(() => {
    if (wrong === '' && JSON.stringify(parse(text).value) !== JSON.stringify(value))
      setText(JSON.stringify(value, undefined, 2))
  }, [value])
  return (
    <>
      <textarea
        {...inputProps(at)}
        rows={Math.min(20, Math.max(3, text.split('\n').length))}
        spellcheck={false}
        value={text}
        onInput={(event) => {
          const written = event.currentTarget.value
          const parsed = parse(written)
          setText(written)
          setWrong(parsed.wrong)
          if (parsed.wrong === '') onChange(parsed.value)
        }}
      />
      {wrong !== '' && <p class="crit">✗ this is not JSON yet: {wrong}</p>}
    </>
  )
}

function parse(text: string): { readonly value: unknown; readonly wrong: string } {
  try {
    return { value: JSON.parse(text), wrong: '' }
  } catch (thrown) {
    return { value: undefined, wrong: thrown instanceof Error ? thrown.message : String(thrown) }
  }
}
