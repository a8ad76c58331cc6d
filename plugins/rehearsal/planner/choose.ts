import type { OfferedTool } from '../request.ts'
import { isPathLike, plainWord, stem, type Token, tokenise } from './sentence.ts'

/** A tool that serves a step, and which words of the step named it. */
export interface Chosen {
  readonly tool: OfferedTool
  readonly score: number
  /** What the step says beside the words that chose the tool. */
  readonly rest: readonly Token[]
}

/** Everyday verbs, by the word that a tool's name is likely to hold. */
const VERBS: Readonly<Record<string, readonly string[]>> = {
  read: ['read', 'open', 'cat', 'view'],
  search: ['search', 'find', 'grep', 'locate', 'look'],
  bash: ['run', 'execute', 'exec', 'bash', 'shell'],
  shell: ['run', 'execute', 'exec'],
  write: ['write', 'create', 'save', 'edit', 'replace', 'change'],
  greet: ['greet', 'welcome'],
  task: ['delegate'],
  todowrite: ['plan', 'todo'],
}
const STOP = new Set(
  'a an the this that these those it its is are was be to of in on at for from with by and or not no what which who how why when where i me my you your we our there here all some any hello hi thanks do does did can could will would please tell show get give use say'.split(
    ' ',
  ),
)
/** A step that begins so talks about things; it asks for nothing to be done. */
const TALK =
  /^(?:why|explain|describe|how do(?:es)?|how (?:can|to)|what (?:does|do)|compare|who are|who is)\b/i
const THRESHOLD = 3

/** The tool that serves a step best; undefined when none does. Ties go to the one that is offered first. */
export function chooseTool(step: string, tools: readonly OfferedTool[]): Chosen | undefined {
  const tokens = tokenise(step)
  let best: Chosen | undefined
  for (const tool of tools) {
    const scored = scoreTool(step, tokens, tool)
    if (scored.score >= THRESHOLD && scored.score > (best?.score ?? 0)) best = { tool, ...scored }
  }
  return best
}

interface Scored {
  readonly score: number
  readonly rest: readonly Token[]
}

function scoreTool(step: string, tokens: readonly Token[], tool: OfferedTool): Scored {
  const explicit = nameAt(tokens, tool.name)
  if (explicit !== -1 && (isDistinct(tool.name) || isCalled(tokens, explicit))) {
    return { score: 30, rest: tokens.slice(explicit + 1).filter(isTelling) }
  }
  const parts = nameParts(tool.name)
  const stems = tokens.map((token) => (token.quoted ? '' : stem(token.text)))
  const matched = parts.map((part) => stems.indexOf(stem(part))).filter((place) => place !== -1)
  const byVerb = scoreVerb(step, tokens, parts)
  const byName = scoreName({ step, parts, matched })
  const byWords = scoreDescription(stems, matched, tool.description)
  const score = Math.max(byName, byVerb) + (TALK.test(step) ? 0 : byWords)
  return { score, rest: restOf(tokens, byName >= byVerb ? matched : [0], byName + byVerb) }
}

/** `use the weather tool for Rome` says nothing with its `tool`. */
function isTelling(token: Token): boolean {
  return token.quoted || plainWord(token.text) !== 'tool'
}

function nameAt(tokens: readonly Token[], name: string): number {
  const wanted = name.toLowerCase()
  return tokens.findIndex((token) => !token.quoted && plainWord(token.text) === wanted)
}

/** No English word looks like this, so naming it means it. */
function isDistinct(name: string): boolean {
  return /[_\d-]|[a-z][A-Z]/.test(name)
}

/** `use greet`, `call the tool greet`. */
function isCalled(tokens: readonly Token[], at: number): boolean {
  const before = tokens.slice(0, at).map(({ text }) => plainWord(text))
  const verb = before.filter((word) => word !== 'the' && word !== 'tool').at(-1)
  return verb !== undefined && ['use', 'call', 'using', 'invoke'].includes(verb)
}

function nameParts(name: string): readonly string[] {
  const parts = name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_-]+/)
  return parts.filter((part) => part !== '' && part !== 'mcp' && !STOP.has(part))
}

function scoreName(found: {
  readonly step: string
  readonly parts: readonly string[]
  readonly matched: readonly number[]
}): number {
  const { step, parts, matched } = found
  if (matched.length === 0) return 0
  const first = matched.includes(0)
  if (matched.length < parts.length) return parts.length > 2 && matched.length > 1 ? 4 : first ? 2 : 1
  if (parts.length > 1) return 6 + 4 * parts.length
  return first ? 10 : TALK.test(step) ? 0 : 4
}

function scoreVerb(step: string, tokens: readonly Token[], parts: readonly string[]): number {
  if (TALK.test(step) || tokens.length < 2) return 0
  const verb = plainWord(tokens[0]?.text ?? '')
  if (parts.some((part) => VERBS[part]?.includes(verb))) return parts.length === 1 ? 8 : 1
  const shows = ['show', 'print', 'display'].includes(verb) && parts[0] === 'read' && parts.length === 1
  return shows && tokens.some((token) => isPathLike(plainWord(token.text)) || isPathLike(token.text)) ? 6 : 0
}

/** Words of the step, beside those of the name, that the description has too; the verb counts most. */
function scoreDescription(stems: readonly string[], matched: readonly number[], description: string): number {
  if (stems.length < 2) return 0
  const known = new Set(description.split(/\s+/).map(stem))
  const telling = stems.map(
    (word, at) => word !== '' && !matched.includes(at) && !STOP.has(word) && known.has(word),
  )
  const others = telling.slice(1).filter(Boolean).length
  return (telling[0] && matched.length === 0 ? 3 : 0) + Math.min(2, others)
}

/** The words behind the name; where nothing is behind it, the telling ones before. */
function restOf(tokens: readonly Token[], matched: readonly number[], named: number): readonly Token[] {
  if (named === 0) return tokens
  const last = Math.max(0, ...matched)
  const behind = tokens.slice(last + 1).filter(isTelling)
  if (behind.length > 0) return behind
  return tokens
    .slice(0, last)
    .filter((token, at) => token.quoted || (!matched.includes(at) && !STOP.has(plainWord(token.text))))
}
