/** Adds a model's context for passages to their chunks. */
import type { Kysely } from 'kysely'
import { CONTEXT_FACETS } from '../analyze/chunk-context.ts'
import { inRuns } from '../core/in-runs.ts'
import { padded } from '../core/padded.ts'
import type { Tables } from '../store/tables.ts'

export interface ChunkOfMessages {
  readonly sessionId: string | null
  /** For conversations, event ids. */
  readonly messages: readonly string[]
  readonly text: string
}

interface Passage {
  readonly value: string
  readonly passage: string
}

const AT_ONCE = 200
const NOTHING = () => ''

/** Of several chunks, the one with the passage gets the text. */
export async function chunkContexts(db: Kysely<Tables>, chunks: readonly ChunkOfMessages[]): Promise<(chunk: ChunkOfMessages) => string> {
  if (!(await hasAny(db))) return NOTHING
  const found = new Map<string, Passage[]>()
  const ids = [...new Set(chunks.flatMap(idsOf))]
  for (const some of inRuns(ids, () => 1, AT_ONCE)) {
    const rows = await db
      .selectFrom('facets')
      .select(['message_id', 'value', 'metadata_json'])
      .where('message_id', 'in', padded(some))
      .where('facet_type', 'in', CONTEXT_FACETS)
      .orderBy('facet_type')
      .orderBy('value')
      .execute()
    for (const { message_id, value, metadata_json } of rows) {
      const passage = (JSON.parse(metadata_json ?? '{}') as { passage?: string }).passage ?? ''
      found.set(message_id ?? '', [...(found.get(message_id ?? '') ?? []), { value, passage }])
    }
  }
  if (found.size === 0) return NOTHING
  const holders = chunks.map((chunk) => ({ text: chunk.text, ids: new Set(idsOf(chunk)) }))
  return (chunk) =>
    idsOf(chunk)
      .flatMap((id) =>
        (found.get(id) ?? []).filter(
          ({ passage }) => chunk.text.includes(passage) || !holders.some((other) => other.ids.has(id) && other.text.includes(passage)),
        ),
      )
      .map(({ value }) => value)
      .join(' ')
}

function idsOf({ sessionId, messages }: ChunkOfMessages): string[] {
  return sessionId === null ? [...messages] : messages.map((id) => `${sessionId}/${id}`)
}

/** Most homes never asked a model. */
async function hasAny(db: Kysely<Tables>): Promise<boolean> {
  const row = await db.selectFrom('facets').select('id').where('facet_type', 'in', CONTEXT_FACETS).limit(1).executeTakeFirst()
  return row !== undefined
}
