/** The reader: from a prompt to the pieces of memory that it is given. See reader.ts for what it promises. */
import { firstLook } from './first-look.ts'
import type { ReadAnswer, ReadRequest } from './reader.ts'
import { type ReaderOptions, silent } from './reader-options.ts'

export async function read(request: ReadRequest, options: ReaderOptions): Promise<ReadAnswer> {
  const { settings } = options
  if (!settings.enabled) return silent('reading is switched off for this agent (agents.*.memory.read.enabled)')
  const look = firstLook(request.prompt)
  if (look.says === 'none') return silent(look.reason)
  if (look.says === 'recall' && request.signal?.aborted !== true) options.prepare?.()
  const { lookUp } = await import('./look-up.ts')
  return lookUp(request, look, options)
}
