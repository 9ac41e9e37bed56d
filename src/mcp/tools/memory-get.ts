/** `memory_get`: more of what an answer named. */
import { z } from 'zod'
import { MnemonicError } from '../../core/error.ts'
import { NOTICE } from '../../core/marked-text.ts'
import { readForAgent } from '../../library/index.ts'
import { count, notice, text, time, untold } from '../fields.ts'
import { TOOL_HINTS } from '../hints.ts'
import type { Served } from '../served.ts'
import type { Tool } from '../tool.ts'

const input = z.strictObject({
  id: text('A number of the last answer, an id (c010174c:7 a turn, c010174c a session, e:3f2a1c9d a conversation), a citation or a path'),
  path: untold,
  from: count.describe('go on from this line (of a session: turn)').optional(),
  lines: count.optional(),
  budget: z.int().min(20).max(15_000).describe('most tokens; 600, of a hit 300').optional(),
  around: z.int().min(0).max(50).describe('turns before and after it, too').optional(),
})

const output = z.looseObject({
  notice,
  id: z.string(),
  path: z.string(),
  source: z.string(),
  kind: z.string(),
  session_id: z.string(),
  turn_id: z.string(),
  thread_id: z.string(),
  title: z.string().nullable(),
  timestamp: time.nullable(),
  speakers: z.array(z.string()),
  trust: z.string(),
  text: z.string(),
  from: z.int(),
  lines: z.int(),
  total_lines: z.int(),
  next_from: z.int().nullable(),
  citation: z.string(),
})

export function memoryGet({ mnemonic, answered }: Served): Tool<z.infer<typeof input>> {
  return {
    name: 'memory_get',
    title: 'Read',
    description:
      'Reads more of a hit, a turn of session history (agents ledger), a session (its outline), a document, MEMORY.md or a [[wikilink]], up to a budget of tokens.',
    input,
    output,
    async call({ id, path, ...part }) {
      const given = [id, path].flatMap((one) => one ?? [])
      const [named] = given
      if (named === undefined || given.length > 1) {
        throw new MnemonicError('USAGE', 'give either path or id', {
          details: { keys: ['id', 'path'] },
          hint: 'Each hit has a number and an id.',
        })
      }
      const { text: read, document } = await readForAgent(mnemonic, { ...answered.named(named), ...part }, TOOL_HINTS)
      return { text: read, document: { notice: NOTICE, ...document } }
    },
  }
}
