import type { Store } from '../store/store.ts'
import type { Owner } from './chunk-row.ts'
import type { IndexDocument } from './document.ts'
import { episodeDocument, episodeTitle, titleByPeople } from './episode-document.ts'
import { episodeParts } from './episode-rows.ts'

export interface EpisodeText {
  readonly document: IndexDocument
  readonly title: string | null
  readonly channel: string
  readonly threadId: string
}

/** Undefined if unknown or an agent's. */
export async function documentOfEpisode({ read }: Store, id: string, owner: Owner): Promise<EpisodeText | undefined> {
  const parts = await episodeParts(read, id, new Map())
  if (parts === undefined) return undefined
  const { channel, thread_id } = parts.episode
  const document = episodeDocument(parts, owner)
  return { document, title: episodeTitle(parts) ?? titleByPeople(document, owner), channel, threadId: thread_id ?? '' }
}
