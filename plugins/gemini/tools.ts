import type { ToolDefinition } from 'amber-agent/sdk'
import { projectParameters } from './schema/project.ts'

/** The tools as the API takes them; one without parameters says nothing of them, since an empty object is refused. */
export function writeTools(tools: readonly ToolDefinition[]): readonly Readonly<Record<string, unknown>>[] {
  if (tools.length === 0) return []
  return [{ functionDeclarations: tools.map(writeTool) }]
}

function writeTool({ name, description, parameters }: ToolDefinition): Readonly<Record<string, unknown>> {
  const projected = projectParameters(parameters)
  return {
    name,
    description: description.trim() === '' ? name : description,
    ...(projected === undefined ? {} : { parameters: projected }),
  }
}
