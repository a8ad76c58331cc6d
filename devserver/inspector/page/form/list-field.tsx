import type { VNode } from 'preact'
import { inputProps, Labelled, type NestingProps } from './labelled.tsx'
import { initialOf, resolve } from './schema.ts'

/** More items than these are left to JSON. */
const MAX_ITEMS = 200

/** The items of a list, to be added to, moved and taken out. */
export function ListField({ draw: Inner, ...props }: NestingProps): VNode {
  const { schema, root, path, value, mistakes, onChange } = props
  const items: readonly unknown[] = Array.isArray(value) ? value.slice(0, MAX_ITEMS) : []
  const itemSchema = (index: number): unknown => {
    const [tuple, rest] = Array.isArray(schema.prefixItems)
      ? [schema.prefixItems, schema.items]
      : [[], schema.items]
    return tuple[index] ?? rest ?? {}
  }
  const set = (index: number, one: unknown) => onChange(items.with(index, one))
  const swap = (index: number, other: number) =>
    onChange(items.with(index, items[other]).with(other, items[index]))
  return (
    <div class="nested">
      {items.map((item, index) => (
        <Labelled
          key={index}
          field={{ path: [...path, index], mistakes }}
          name={`${index}`}
          schema={resolve(itemSchema(index), root)}
          before={
            <span class="item-keys">
              <button
                type="button"
                aria-label={`take item ${index} out`}
                onClick={() => onChange(items.toSpliced(index, 1))}
              >
                ×
              </button>
              <button
                type="button"
                aria-label={`move item ${index} up`}
                disabled={index === 0}
                onClick={() => swap(index, index - 1)}
              >
                ↑
              </button>
            </span>
          }
        >
          <Inner
            {...{ root, mistakes }}
            schema={itemSchema(index)}
            path={[...path, index]}
            value={item}
            onChange={(one) => set(index, one)}
          />
        </Labelled>
      ))}
      <button
        type="button"
        {...inputProps({ path, mistakes })}
        disabled={items.length >= MAX_ITEMS}
        onClick={() => onChange([...items, initialOf(itemSchema(items.length), root, path.length + 1)])}
      >
        add an item
      </button>
    </div>
  )
}
