import { type JsonRecord, textOf } from 'amber-agent/sdk'

/** Keeps the order of texts and calls, where a text carries a signature that must go back on its own part. */
export interface SignedText {
  addText(text: string, part: JsonRecord): void
  addCall(): void
  /** What the message has to keep; undefined when nothing was signed. */
  replay(): { readonly parts: readonly JsonRecord[] } | undefined
}

/** Begins the order of one reply. */
export function createSignedText(): SignedText {
  const parts: JsonRecord[] = []
  return {
    addText(text, part) {
      const thoughtSignature = textOf(part.thoughtSignature)
      const last = parts.at(-1)
      if (thoughtSignature !== '') parts.push({ text, thoughtSignature })
      else if (text === '') return
      // A part with a signature and one without are never made one (ai.google.dev, "Thought signatures").
      else if (last === undefined || last.call === true || 'thoughtSignature' in last) parts.push({ text })
      else parts[parts.length - 1] = { text: textOf(last.text) + text }
    },
    addCall: () => {
      parts.push({ call: true })
    },
    replay: () => (parts.some((part) => 'thoughtSignature' in part) ? { parts } : undefined),
  }
}
