/** Extracts topics and flags by rules, cached by content hash across rebuilds. */
import { decisionFlags, type SpokenText } from '../analyze/decisions.ts'
import { topicTags } from '../analyze/topics.ts'
import type { ExtractionRow } from '../store/chunk-rows.ts'
import type { WriteTx } from '../store/store.ts'
import type { ChunkDraft } from './chunk-document.ts'

export interface Extracted {
  readonly topics: readonly string[]
  readonly hasDecision: boolean
  readonly hasAction: boolean
}

const TOPICS = 'topics-2'
const DECISIONS = 'decisions-2'

/** Stores new results in the caller's transaction. */
export async function extract(tx: WriteTx, drafts: readonly ChunkDraft[]): Promise<Map<string, Extracted>> {
  const found = new Map<string, Extracted>()
  if (drafts.length === 0) return found
  const cached = await tx.chunks.extractions([...new Set(drafts.map((draft) => draft.contentHash))])
  const fresh: ExtractionRow[] = []
  for (const draft of drafts) {
    const { contentHash, spoken } = draft
    if (found.has(contentHash)) continue
    const known = cached.get(contentHash)
    const keep = <T>(extractor: string, extractIt: () => T): T => {
      const row = known?.find((one) => one.extractor === extractor)
      if (row !== undefined) return JSON.parse(row.value_json) as T
      const value = extractIt()
      fresh.push({ content_hash: contentHash, extractor, value_json: JSON.stringify(value) })
      return value
    }
    const topics = keep(TOPICS, () => topicTags(spoken))
    const flags = keep(DECISIONS, () => decisionFlags(spokenIn(draft)))
    found.set(contentHash, { topics, ...flags })
  }
  await tx.chunks.addExtractions(fresh)
  return found
}

const NAME = /^[^\n:]{1,60}: /gm

function spokenIn({ saidUser, saidAssistant, userLabel, messageIds }: ChunkDraft): SpokenText {
  if (messageIds.length === 0) return saidUser
  return userLabel === '' ? `${saidUser}\n${saidAssistant}`.replace(NAME, '') : { user: saidUser, assistant: saidAssistant }
}
