import { z } from 'zod'
import { asMnemonicError } from '../../core/error.ts'
import { redactValues, redactVisible } from '../../core/redact.ts'
import { packageVersion } from '../../core/version.ts'
import { failure, time } from '../fields.ts'
import type { Served } from '../served.ts'
import { memoryStatusText, type StatusText } from '../text.ts'
import type { Tool } from '../tool.ts'

const input = z.strictObject({})

const output = z.looseObject({
  version: z.string(),
  last_sync: time.nullable(),
  sessions: z.int(),
  turns: z.int(),
  documents: z.int(),
  chunks: z.int(),
  waiting_sessions: z.int(),
  error: failure.nullable().describe('Why the memory cannot be read, if so.'),
  sync: z.looseObject({
    state: z.enum(['off', 'running', 'done', 'failed', 'elsewhere']),
    started_at: time.nullable(),
    finished_at: time.nullable(),
    imported: z.int().nullable(),
    warnings: z.array(z.string()),
    error: failure.nullable(),
  }),
})

export function memoryStatus(served: Served): Tool<z.infer<typeof input>> {
  return {
    name: 'memory_status',
    title: 'Memory status',
    description: 'How much session history (agents ledger) is indexed, and how fresh it is.',
    input,
    output,
    async call() {
      const document = await statusOf(served)
      return { document, text: memoryStatusText(document, served.now()) }
    },
  }
}

async function statusOf({ mnemonic, sync }: Served): Promise<StatusText> {
  const empty = { version: packageVersion(), last_sync: null, sessions: 0, turns: 0, documents: 0, chunks: 0, waiting_sessions: 0 }
  try {
    return { ...empty, ...(await mnemonic.agentStatus()), error: null, sync: redactValues(sync.state()) }
  } catch (thrown) {
    const { code, message } = asMnemonicError(thrown)
    return { ...empty, error: { code, message: redactVisible(message) }, sync: redactValues(sync.state()) }
  }
}
