import { type ChatRequest, type DialectConfig, markedText, splitSystem } from 'amber-agent/sdk'
import { appendToUser, writeContents } from './contents.ts'
import { generationConfig } from './thinking.ts'
import { writeTools } from './tools.ts'

/** The body of a generateContent request (bundled-plugins 4); whether it streams is the address's business. */
export function buildBody(config: DialectConfig, request: ChatRequest): Readonly<Record<string, unknown>> {
  const { system, head, tail, conversation } = splitSystem(request.messages)
  const instruction = [...system, ...head].map(({ text }) => ({ text }))
  const tools = writeTools(request.tools)
  const generation = generationConfig(config)
  return {
    ...(instruction.length === 0 ? {} : { systemInstruction: { parts: instruction } }),
    contents: appendToUser(
      writeContents(conversation, config.model),
      tail.map((block) => ({ text: markedText(block) })),
    ),
    ...(tools.length === 0 ? {} : { tools }),
    ...(Object.keys(generation).length === 0 ? {} : { generationConfig: generation }),
  }
}
