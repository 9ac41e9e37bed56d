/** Documents in pieces that an answer can carry. Never gives a model more than it can read. */
import { clip } from '../core/text.ts'
import type { MemoryGetAnswer, MemoryGetRequest, Mnemonic } from '../library/index.ts'

/** About 15,000 tokens: what is longer comes in pages. */
const PAGE_CHARACTERS = 60_000

/** As much of a document as one answer takes, in whole lines; of a line that is longer than that, its beginning. */
export async function readable(mnemonic: Pick<Mnemonic, 'memoryGet'>, request: MemoryGetRequest): Promise<MemoryGetAnswer> {
  const answer = await mnemonic.memoryGet(request)
  if (answer.text.length <= PAGE_CHARACTERS) return answer
  const lines = answer.text.slice(0, PAGE_CHARACTERS).split('\n').length - 1
  const page = await mnemonic.memoryGet({ ...request, from: answer.from, lines: Math.max(1, lines) })
  if (lines > 0) return page
  return { ...page, text: `${clip(page.text, PAGE_CHARACTERS)}\n[cut: this line has ${page.text.length} characters]\n` }
}
