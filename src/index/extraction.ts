/** Topics and flags of chunks by rules, kept by the hash of their text: nothing is extracted twice, also when the index is built again. */
import { decisionFlags } from '../analyze/decisions.ts'
import { topicTags } from '../analyze/topics.ts'
import type { WriteTx } from '../store/store.ts'
import type { ChunkDraft } from './chunk-document.ts'

export interface Extracted {
  readonly topics: readonly string[]
  readonly hasDecision: boolean
  readonly hasAction: boolean
}

const TOPICS = 'topics-1'
const DECISIONS = 'decisions-1'

/** What is known or found of each draft, by content hash. New findings are stored in the same transaction. */
export async function extract(tx: WriteTx, drafts: readonly ChunkDraft[]): Promise<Map<string, Extracted>> {
  const found = new Map<string, Extracted>()
  if (drafts.length === 0) return found
  const cached = await readCache(tx, [...new Set(drafts.map((draft) => draft.contentHash))])
  const fresh: { content_hash: string; extractor: string; value_json: string }[] = []
  for (const draft of drafts) {
    const { contentHash, saidUser, saidAssistant, spoken } = draft
    if (found.has(contentHash)) continue
    const topics = (cached.get(`${contentHash}/${TOPICS}`) as string[] | undefined) ?? topicTags(spoken)
    const flags =
      (cached.get(`${contentHash}/${DECISIONS}`) as { hasDecision: boolean; hasAction: boolean } | undefined) ??
      decisionFlags({ user: saidUser, assistant: saidAssistant })
    found.set(contentHash, { topics, ...flags })
    if (!cached.has(`${contentHash}/${TOPICS}`))
      fresh.push({ content_hash: contentHash, extractor: TOPICS, value_json: JSON.stringify(topics) })
    if (!cached.has(`${contentHash}/${DECISIONS}`))
      fresh.push({ content_hash: contentHash, extractor: DECISIONS, value_json: JSON.stringify(flags) })
  }
  await writeCache(tx, fresh)
  return found
}

/** Bound variables of one statement stay well below what any engine allows. */
const BATCH = 200

async function readCache(tx: WriteTx, hashes: readonly string[]): Promise<Map<string, unknown>> {
  const cached = new Map<string, unknown>()
  for (let i = 0; i < hashes.length; i += BATCH) {
    const rows = await tx.db
      .selectFrom('extraction_cache')
      .selectAll()
      .where('content_hash', 'in', hashes.slice(i, i + BATCH))
      .where('extractor', 'in', [TOPICS, DECISIONS])
      .execute()
    for (const row of rows) cached.set(`${row.content_hash}/${row.extractor}`, JSON.parse(row.value_json))
  }
  return cached
}

async function writeCache(tx: WriteTx, rows: readonly { content_hash: string; extractor: string; value_json: string }[]): Promise<void> {
  for (let i = 0; i < rows.length; i += BATCH) {
    await tx.db
      .insertInto('extraction_cache')
      .values(rows.slice(i, i + BATCH))
      .onConflict((on) => on.doNothing())
      .execute()
  }
}
