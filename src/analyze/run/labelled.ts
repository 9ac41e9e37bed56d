import { maskSecrets } from '../../core/mask-secrets.ts'
import type { TurnLabel, TurnTopics } from '../../ledgers/label-turns.ts'
import type { EpisodeText } from '../analyzer.ts'
import { topicTags } from '../topics.ts'
import { spokenText } from './spoken-text.ts'
import { labelOf } from './turn-labels.ts'

export type LabelledTurn = TurnLabel & TurnTopics

export function labelled(episodes: readonly EpisodeText[]): LabelledTurn[] {
  return episodes.flatMap((episode) => {
    const turn = turnOf(episode)
    return turn == null ? [] : [{ turn, ...labelOf(episode), topics: topicTags(maskSecrets(spokenText(episode))) }]
  })
}

export function turnOf({ messages, calls }: EpisodeText): string | null | undefined {
  return messages[0]?.turn ?? calls[0]?.turn
}
