import { type JsonRecord, recordOf, type ToolCallRequest, textOf } from 'amber-agent/sdk'
import { createPartialArgs, type PartialArgs } from './partial-args.ts'

/** A call as its parts arrive. */
interface OpenCall {
  readonly name: string
  readonly id: string
  args: JsonRecord
  readonly partial: PartialArgs
  signature: string
  /** More of it is to come. */
  open: boolean
}

/** Puts function calls together: whole ones, and ones whose arguments come in fragments. */
export interface FunctionCalls {
  /** Takes a part with a `functionCall`; true when a call begins with it. */
  take(part: JsonRecord): boolean
  /** Calls that are whole. Ids are those of the wire or `''`: amber makes the rest, unique (P4, P5). */
  whole(): readonly ToolCallRequest[]
  /** Calls whose end never came: they are not to be run, however whole they look (PRO-10). */
  cut(): readonly ToolCallRequest[]
}

/** Begins the calls of one reply. */
export function createFunctionCalls(): FunctionCalls {
  const calls: OpenCall[] = []
  return {
    take(part) {
      const given = recordOf(part.functionCall) ?? {}
      const name = textOf(given.name)
      const last = calls.at(-1)
      const goesOn = last?.open === true && name === ''
      if (!goesOn && name === '') return false
      const call = goesOn && last !== undefined ? last : begin(calls, name, textOf(given.id))
      const args = recordOf(given.args)
      if (args !== undefined) call.args = { ...call.args, ...args }
      call.partial.take(given.partialArgs)
      call.signature ||= textOf(part.thoughtSignature)
      call.open = given.willContinue === true
      return !goesOn
    },
    whole: () => calls.filter(({ open }) => !open).map(toCall),
    cut: () => calls.filter(({ open }) => open).map(toCall),
  }
}

function begin(calls: OpenCall[], name: string, id: string): OpenCall {
  const call = { name, id, args: {}, partial: createPartialArgs(), signature: '', open: false }
  calls.push(call)
  return call
}

function toCall({ name, id, args, partial, signature }: OpenCall): ToolCallRequest {
  const replay = {
    ...(id === '' ? {} : { id }),
    ...(signature === '' ? {} : { thoughtSignature: signature }),
  }
  return {
    id,
    name,
    arguments: JSON.stringify({ ...args, ...partial.value() }),
    ...(Object.keys(replay).length === 0 ? {} : { replay }),
  }
}
