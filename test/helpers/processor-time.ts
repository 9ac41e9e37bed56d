/** Processor milliseconds since the call: independent of other load, so fit to detect slow algorithms. */
export function processorTime(): () => number {
  const start = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1000
  }
}
