import type { EpisodeMessage, EpisodeText } from '../../src/analyze/analyzer.ts'

export const SAID_AT = Date.UTC(2026, 1, 5, 12)

export type Said = Partial<EpisodeMessage> & { readonly text: string }

/** Ids are `s1`, `s2`, …; by default the owner writes to people. */
export function episodeText(said: readonly (Said | string)[], more: Partial<EpisodeText> = {}): EpisodeText {
  const messages = said.map((one, at): EpisodeMessage => {
    const given = typeof one === 'string' ? { text: one } : one
    return {
      ...{ message: `s${at + 1}`, by: 'person', to: 'people', timestamp: SAID_AT + at * 60_000, trust: 'owner' },
      ...{ handle: null, speaker: 'Ada', isOwner: (given.trust ?? 'owner') === 'owner', turn: null },
      ...given,
    }
  })
  return {
    ...{ id: 'ep1', definition: 'time_gap_90min', channel: 'imessage', thread: 't1', agentId: 'main', project: null },
    ...{ startTime: SAID_AT, endTime: SAID_AT + 3_600_000, trust: 'owner', messages, people: [], calls: [], cut: false },
    ...more,
  }
}
