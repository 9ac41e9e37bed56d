/** Caches episodes that several analyses read in turn, within a memory limit. */
import type { Kysely } from 'kysely'
import type { Tables } from '../../store/tables.ts'
import type { Analyzer, EpisodeText } from '../analyzer.ts'
import { type EpisodeToRead, loadEpisodes } from './load-episodes.ts'

export type EpisodeTexts = (episodes: readonly EpisodeToRead[], reads: Analyzer['reads']) => AsyncIterable<EpisodeText>

/** Cache size in UTF-16 units. */
const MOST_KEPT = 16_000_000

interface Kept {
  readonly revision: number
  readonly text: EpisodeText
  readonly units: number
}

export function episodeTexts(db: Kysely<Tables>): EpisodeTexts {
  const kept = { calls: new Map<string, Kept>(), speech: new Map<string, Kept>() }
  let units = 0

  function keep(episode: EpisodeToRead | undefined, reads: 'calls' | 'speech', text: EpisodeText): void {
    // Only one analysis reads a session, which may fill the whole cache.
    if (episode === undefined || episode.strategy === 'agent_session') return
    const size = sizeOf(text)
    if (units + size > MOST_KEPT) {
      for (const some of Object.values(kept)) some.clear()
      units = 0
    }
    if (size > MOST_KEPT) return
    kept[reads].set(episode.id, { revision: episode.revision, text, units: size })
    units += size
  }

  return async function* (episodes, reads) {
    const kind = reads === 'calls' ? 'calls' : 'speech'
    const missing: EpisodeToRead[] = []
    const known: EpisodeText[] = []
    for (const episode of episodes) {
      const whole = kept[kind].get(episode.id) ?? kept.calls.get(episode.id)
      if (whole?.revision !== episode.revision) missing.push(episode)
      else if (whole.text.messages.length > 0 || kind === 'calls') known.push(kind === 'calls' ? whole.text : { ...whole.text, calls: [] })
    }
    yield* known
    const by = new Map(missing.map((episode) => [episode.id, episode]))
    for await (const text of loadEpisodes(db, missing, reads)) {
      keep(by.get(text.id), kind, text)
      yield text
    }
  }
}

function sizeOf({ messages, calls }: EpisodeText): number {
  let sum = 0
  for (const { text } of messages) sum += text.length
  for (const { params_json, result_json } of calls) sum += (params_json?.length ?? 0) + (result_json?.length ?? 0)
  return sum
}
