import type { Redirection } from 'unbash'
import type { Judged } from './effect.ts'
import type { JudgedPart } from './judged-part.ts'
import { ownFileProblem, type PathContext, pathProblem } from './operand-paths.ts'
import { exactScope } from './scope.ts'
import { plainWord } from './words.ts'

/** What leads nowhere that matters. */
const NOWHERE = /^\/dev\/(null|stdin|stdout|stderr|fd\/\d)$/

/** Judges a redirect by where its confined target lies; undefined for one that only joins streams or gives a text. */
export async function judgeRedirect(
  redirect: Redirection,
  text: string,
  context: PathContext,
): Promise<JudgedPart | undefined> {
  if (redirect.type !== 'Redirect') return undefined
  const judged = await judgeTarget(redirect, context)
  return judged && { effect: judged.effect, what: judged.why, scope: exactScope(text) }
}

async function judgeTarget(
  { operator, target, descriptor }: Extract<Redirection, { type: 'Redirect' }>,
  context: PathContext,
): Promise<Judged | undefined> {
  const unknown = (why: string): Judged => ({ effect: 'unknown', why })
  if (target === undefined) return unknown(`${operator} without a target`)
  if (descriptor?.type === 'FileDescriptorVariable') return unknown(`${operator} into a variable`)
  const plain = plainWord(target)
  if (plain === undefined || plain.isPattern) return unknown(`${operator} ${target.text}`)
  if (operator === '<&' || operator === '>&') {
    if (/^(\d+-?|-)$/.test(plain.text)) return undefined
    if (operator === '<&') return unknown(`<& ${plain.text}`)
  }
  if (NOWHERE.test(plain.text)) return undefined
  // Bash opens connections under these names, which no file has.
  if (/^\/dev\/(tcp|udp)\//.test(plain.text)) return { effect: 'outside', why: `${operator} ${plain.text}` }
  const problem = await pathProblem(
    { ...plain, text: plain.text.startsWith('-') ? `./${plain.text}` : plain.text },
    context,
  )
  if (problem) return { effect: problem.effect, why: `${operator} ${problem.why}` }
  if (operator === '<') return undefined
  return (await ownFileProblem(plain.text, context)) ?? { effect: 'write', why: `${operator} ${plain.text}` }
}
