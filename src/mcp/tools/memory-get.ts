import { z } from 'zod'
import { MnemonicError } from '../../core/error.ts'
import { given } from '../../core/given.ts'
import { NOTICE } from '../../core/marked-text.ts'
import { type Mnemonic, readForAgent, readSeveralForAgent } from '../../library/index.ts'
import { count, name, notice, some, text, time, untold } from '../fields.ts'
import { TOOL_HINTS } from '../hints.ts'
import type { Served } from '../served.ts'
import type { Tool } from '../tool.ts'

const MOST = 20

const input = z.strictObject({
  id: text('A number of the last answer, an id (c010174c:7 a turn, c010174c a session), a citation, a path'),
  ids: some(name, MOST).optional(),
  path: untold,
  from: count.describe('line or turn').optional(),
  to: count.optional(),
  tail: count.optional(),
  lines: count.optional(),
  budget: z.int().min(20).max(15_000).describe('tokens; 600, of a hit 200').optional(),
  around: z.int().min(0).max(50).describe('turns beside it').optional(),
})

const document = {
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
  before_to: z.int().nullable(),
  spoken_lines: z.array(z.int()).optional().describe('Lines of text, from 1, on which somebody begins to speak.'),
  left_out: z.int().optional().describe('So many announcements of what the agent did next are not in text.'),
  end_from: z.int().optional().describe('The line from which on the end of the turn stands in text, behind a line with …'),
  answers: z.string().optional().describe('What a prompt that only picks settles.'),
  citation: z.string(),
}
const failed = z.looseObject({ id: z.string(), code: z.string(), message: z.string() })
const output = z.looseObject({
  notice,
  ...document,
  others: z.array(z.looseObject(document)).optional().describe('Of several, all but the first.'),
  failed: z.array(failed).optional().describe('Of several, those that cannot be read.'),
})

export function memoryGet({ mnemonic, answered, personal }: Served): Tool<z.infer<typeof input>> {
  return {
    name: 'memory_get',
    title: 'Read',
    description: 'Reads a hit, a turn of session history (agents ledger), a session’s outline, a document.',
    input,
    output,
    async call({ id, path, ids = [], budget, ...part }) {
      const names = [...[id, path].flatMap((one) => one ?? []), ...ids]
      const [named] = names
      if (named === undefined || (id !== undefined && path !== undefined)) {
        throw new MnemonicError('USAGE', 'give either path or id', {
          details: { keys: ['id', 'path'] },
          hint: 'Each hit has a number and an id.',
        })
      }
      const reader = { show: mnemonic.show, memoryGet: allowed(mnemonic, personal) }
      if (names.length === 1) {
        const { text: read, document } = await readForAgent(reader, { ...answered.named(named), ...given({ budget }), ...part }, TOOL_HINTS)
        return { text: read, document: { notice: NOTICE, ...document } }
      }
      const requests = names.map((one) => ({ ...answered.named(one), ...part }))
      const { text: read, documents, failed: unread } = await readSeveralForAgent(reader, requests, { budget, hints: TOOL_HINTS })
      const [first, ...others] = documents
      return { text: read, document: { notice: NOTICE, ...first, others, ...(unread.length > 0 ? { failed: unread } : {}) } }
    },
  }
}

/** Blocks messages, mail and calendars if the settings forbid them. */
function allowed(mnemonic: Mnemonic, personal: Served['personal']): Mnemonic['memoryGet'] {
  return async (request) => {
    const document = await mnemonic.memoryGet(request)
    if (document.source === 'events' && !document.path.startsWith('events/owner/') && (await personal()) === 'never')
      throw new MnemonicError('NOT_FOUND', 'messages, mail and calendars are not read in a project here', {
        details: { id: request.id ?? request.path },
        hint: 'A person may allow it in config.yaml: read.personal: named.',
      })
    return document
  }
}
