/** What a part of a command does, the least first (bundled-plugins 3, Shell approval). */
export const EFFECTS = ['read-only', 'write', 'unknown', 'outside', 'destructive'] as const

/** One of {@link EFFECTS}. `write`: changes files of the workspace alone; `outside`: touches what is not in it. */
export type Effect = (typeof EFFECTS)[number]

/** An effect and what it is said of. */
export interface Judged {
  readonly effect: Effect
  /** Why, for the person who is asked: `destructive (git push)`. */
  readonly why: string
}

/** The graver of two effects; the first where they are equal. */
export function graver<Kind extends Judged>(a: Kind, b: Kind): Kind {
  return EFFECTS.indexOf(b.effect) > EFFECTS.indexOf(a.effect) ? b : a
}

/** Whether it runs without a question in write mode. */
export function isFree(effect: Effect): boolean {
  return effect === 'read-only' || effect === 'write'
}

/** An effect as a person reads it. */
export function nameEffect(effect: Effect): string {
  return effect === 'outside'
    ? 'outside the workspace'
    : effect === 'write'
      ? 'writes in the workspace'
      : effect
}
