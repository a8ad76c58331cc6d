/** Milliseconds of the processor that work takes in this process. Unlike the clock, it does not see what else runs. */
export async function processorMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
