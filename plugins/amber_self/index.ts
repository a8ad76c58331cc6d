import { decline, definePlugin } from 'amber-agent/sdk'
import { configSkill } from './config-skill.ts'
import type { AmberSelf } from './plugin.types.ts'

export default definePlugin<AmberSelf>(({ services: { self } }) => {
  if (!self) return { skills: { 'amber-config': decline('this run says nothing of itself') } }
  return { skills: { 'amber-config': async () => configSkill(await self.describe()) } }
})
