import { z } from 'zod'
import { NOTICE } from '../../core/marked-text.ts'
import { whyText } from '../../library/index.ts'
import { notice, short } from '../fields.ts'
import { TOOL_HINTS } from '../hints.ts'
import type { Served } from '../served.ts'
import type { Tool } from '../tool.ts'

const MOST_PARTS = 8

const input = z.strictObject({ at: short.describe('src/a.ts:12-20') })

const part = z.looseObject({
  ranges: z.array(z.array(z.number())),
  kind: z.enum(['edit', 'commit', 'unknown', 'none']),
  reason: z.string().nullable(),
  turn: z.looseObject({ id: z.string(), session_id: z.string(), asked: z.string().nullable() }).nullable(),
  commit: z.looseObject({ hash: z.string().nullable() }).nullable(),
})

const output = z.looseObject({ notice, name: z.string(), from: z.number(), to: z.number(), parts: z.array(part) })

export function why({ mnemonic, answered, folder }: Served): Tool<z.infer<typeof input>> {
  return {
    name: 'why',
    title: 'Why',
    description: 'Why lines of a file are there: what was asked, decided and tried in session history (agents ledger).',
    input,
    output,
    async call({ at }) {
      const found = await mnemonic.why({ at, folder: await folder() })
      const { text, ids } = await whyText(found, { forAgent: true, most: MOST_PARTS, readHit: (number) => TOOL_HINTS.readHit(number, '') })
      answered.remember([...ids])
      return { text, document: { notice: NOTICE, ...found } }
    },
  }
}
