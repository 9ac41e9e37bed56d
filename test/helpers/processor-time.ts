/**
 * Milliseconds of the processor since it was called, as a function. What guards against slow algorithms measures these: what else the machine
 * does makes no difference to them.
 */
export function processorTime(): () => number {
  const start = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1000
  }
}
