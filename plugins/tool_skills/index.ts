import { decline, definePlugin } from 'amber-agent/sdk'
import { discoveryText } from './discovery-text.ts'
import type { ToolSkills } from './plugin.types.ts'
import { listSkills, readSkill, writeSkill } from './skill-calls.ts'

export default definePlugin<ToolSkills>(({ services: { skills } }) => {
  if (!skills) {
    const no = decline('this run has no skills')
    return {
      tools: { read_skill: no, list_skills: no, write_skill: no },
      promptBlocks: { tool_skills: no },
    }
  }
  return {
    tools: {
      read_skill: { execute: (args) => readSkill(skills, args.name), summarize: ({ name }) => name },
      list_skills: {
        execute: (args) => listSkills(skills, args),
        summarize: ({ name, origin }) => [name, origin].filter((part) => part).join(' ') || 'all',
      },
      write_skill: {
        execute: (args) => writeSkill(skills, args),
        summarize: ({ name, scope = 'project' }) => `${name} (${scope})`,
      },
    },
    promptBlocks: { tool_skills: async () => discoveryText((await skills.list()).skills) },
  }
})
