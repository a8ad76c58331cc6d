import { definePlugin } from 'amber-agent/sdk'
import { localTime } from './local-time.ts'
import type { Clock } from './plugin.types.ts'

export default definePlugin<Clock>(() => ({
  statusSegments: { clock: ({ now }) => ({ text: localTime(now), tone: 'dim' }) },
}))
