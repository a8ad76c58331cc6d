import type { TestContext } from 'node:test'

type Undo = () => unknown

const stacks = new WeakMap<TestContext, Undo[]>()

/** Runs something when the test ends, last come first: what was made in a folder ends before the folder goes. */
export function atEnd(t: TestContext, undo: Undo): void {
  const stack = stacks.get(t)
  if (stack) {
    stack.push(undo)
    return
  }
  const made = [undo]
  stacks.set(t, made)
  t.after(async () => {
    for (const one of made.reverse()) await one()
  })
}
