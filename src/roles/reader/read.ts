import { earlierNamed, stateQuestion } from '../../core/state-question.ts'
import { firstLook } from './first-look.ts'
import { ownWords } from './own-words.ts'
import type { ReadAnswer, ReadRequest } from './reader.ts'
import { type ReaderOptions, silent, VAGUE } from './reader-options.ts'
import { isVague } from './vague.ts'

export async function read(request: ReadRequest, options: ReaderOptions): Promise<ReadAnswer> {
  const { settings } = options
  if (!settings.enabled) return silent('reading is switched off for this agent (agents.*.memory.read.enabled)')
  const asked = stateQuestion(ownWords(request.prompt).text)
  if (asked !== undefined) {
    const { leftOffReading } = await import('./left-off-reading.ts')
    const answer = await leftOffReading(request, asked, options)
    if (answer !== undefined) return answer
  }
  const look = firstLook(request.prompt)
  if (look.says === 'none') return silent(look.reason)
  const earlier = look.says === 'recall' && request.folder !== undefined && isVague(look.text) ? earlierNamed(look.text) : undefined
  if (earlier !== undefined) {
    const { leftOffReading } = await import('./left-off-reading.ts')
    return (await leftOffReading(request, earlier, options)) ?? silent(VAGUE)
  }
  if (look.says === 'recall' && request.signal?.aborted !== true) options.prepare?.()
  const { lookUp } = await import('./look-up.ts')
  return lookUp(request, look, options)
}
