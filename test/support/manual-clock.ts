export {
  createFakeClock as createManualClock,
  type FakeClock as ManualClock,
} from '../../host/testing/fake-clock.ts'
