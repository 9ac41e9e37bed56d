/** What the memory-writer does with its queue. Loaded when it is called. */
import type { WriteOptions, WriteReport } from '../jobs/write.ts'
import type { Home } from './open-home.ts'

export async function write(home: Home, options: WriteOptions = {}): Promise<WriteReport> {
  const { runWrite } = await import('../jobs/write.ts')
  const stages = await home.stages(options.signal)
  await (await import('./hook-traces.ts')).takeHookTraces(home)
  return runWrite(stages, options)
}
