import { plural } from '../../core/text.ts'
import type { RebuildReport } from '../../library/index.ts'

export function formatRebuild({ resumed, episodes, labels, documents, events, runs, discussions }: RebuildReport): string {
  const changed = episodes.added + episodes.changed + episodes.removed
  return [
    ...(resumed ? ['went on with a rebuild that was interrupted'] : []),
    `made again: ${plural(documents, 'document')}, ${plural(labels, 'label')}, ${plural(runs, 'run')} of analyses, ${plural(discussions, 'discussion')}`,
    `episodes: ${changed === 0 ? 'as they were' : `${episodes.added} added, ${episodes.changed} changed, ${episodes.removed} removed`}`,
    `decisions, promises, preferences, corrections: ${events.added} added, ${events.removed} removed in ${plural(events.looked_at, 'conversation')}`,
  ].join('\n')
}
