/** What the memory-writer does with its queue. Loaded when it is called. */
import type { WriteOptions, WriteReport } from '../jobs/write.ts'
import type { Home } from './open-home.ts'

export async function write(home: Home, options: WriteOptions = {}): Promise<WriteReport> {
  const { runWrite } = await import('../jobs/write.ts')
  const stages = await home.stages(options.signal)
  const { takeHookTraces } = await import('./hook-traces.ts')
  await takeHookTraces(home).catch(() => undefined) // they stay, and the queue is worked on
  return runWrite(stages, options)
}
