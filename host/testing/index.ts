/** A host in memory, for tests of plugins: `amber-agent/sdk/testing`. Works under node:test and any other runner. */

export { createTestHost } from './create-test-host.ts'
export { checkDialect } from './dialect/check-dialect.ts'
export type * from './dialect/recording.ts'
export type * from './test-host.ts'
export type * from './wire-exchange.ts'
export { startWirePlayer } from './wire-player.ts'
export { startWireRecorder } from './wire-recorder.ts'
