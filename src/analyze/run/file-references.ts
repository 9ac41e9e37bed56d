import { deedsOnce } from '../../ledgers/deeds/deeds.ts'
import type { EpisodeText, FoundFacet } from '../analyzer.ts'

const MOST = 50

export function fileReferences({ calls }: Pick<EpisodeText, 'calls'>): FoundFacet[] {
  const files = new Map<string, { readonly message: string | null; readonly actions: Set<string>; times: number }>()
  for (const call of calls)
    for (const { path, action } of deedsOnce(call).files) {
      const known = files.get(path) ?? { message: call.message, actions: new Set<string>(), times: 0 }
      known.actions.add(action)
      known.times += 1
      files.set(path, known)
    }
  const isChanged = ({ actions }: { actions: ReadonlySet<string> }) => Number([...actions].some((action) => action !== 'read'))
  return [...files]
    .sort(([, a], [, b]) => isChanged(b) - isChanged(a) || b.times - a.times)
    .slice(0, MOST)
    .map(([path, { message, actions, times }]) => ({
      ...{ type: 'file_reference', value: path, confidence: 1, metadata: { actions: [...actions].sort(), times } },
      ...(message === null ? {} : { message }),
    }))
}
