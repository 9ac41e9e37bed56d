import { createHash } from 'node:crypto'
import { withoutSummaryFrame } from '../../core/chunk-text.ts'
import type { Said } from '../../search/excerpt.ts'
import type { SearchResult } from '../../search/result.ts'
import { saidBySpeaker } from '../../search/said-by-speaker.ts'
import type { GivenPiece } from '../../store/reader-rows.ts'
import type { ReadPiece } from './reader.ts'

export interface Candidate {
  readonly citation: string
  readonly kind: ReadPiece['kind']
  readonly date: string
  readonly title: string | null
  readonly project: string | null
  readonly trust: string
  /** The full text by speaker. The budget later selects sentences of a hit. */
  readonly parts: readonly Said[]
  readonly isShort: boolean
  readonly why: string
  /** The replacement of an outdated decision, with its date. */
  readonly replaced?: string
  readonly key: GivenPiece
}

export function pieceOfHit(hit: SearchResult, why: string): Candidate {
  return {
    ...{ citation: hit.id, kind: kindOf(hit), date: hit.timestamp.slice(0, 10), title: hit.session_title },
    ...{ project: hit.project_name ?? lastPart(hit.project), trust: hit.trust, why },
    // Excerpts of tool work are selected already.
    parts: hit.kind === 'work' ? [{ label: '', text: hit.excerpt }] : saidIn(hit),
    isShort: hit.kind === 'work',
    key: keyOf(hit),
  }
}

const SPEAKER = /^(?:User|Assistant): /

/** One line per speaker: two speakers on one line read as one. */
function saidIn({ content, source, speakers }: SearchResult): Said[] {
  if (source === 'events') return saidBySpeaker([{ label: '', text: content }], speakers)
  return withoutSummaryFrame(content)
    .split(/\n(?=Assistant: )/)
    .map((text) => {
      const [label = ''] = SPEAKER.exec(text) ?? []
      return { label, text: text.slice(label.length) }
    })
}

function kindOf({ kind, source, turn_id }: SearchResult): ReadPiece['kind'] {
  if (kind === 'work') return 'work'
  if (source === 'events') return 'conversation'
  return turn_id === '' ? 'document' : 'turn'
}

function keyOf({ turn_id, path, content, source }: SearchResult): GivenPiece {
  const part = createHash('sha256').update(content).digest('hex').slice(0, 8)
  if (turn_id !== '') return { kind: 'turn', id: turn_id, part }
  const episode = source === 'events' ? /([0-9a-f]{32})\.md$/.exec(path)?.[1] : undefined
  return episode === undefined ? { kind: 'document', id: path, part } : { kind: 'episode', id: episode, part }
}

export function lastPart(path: string | null): string | null {
  return path === null
    ? null
    : (path
        .replace(/[\\/]+$/, '')
        .split(/[\\/]/)
        .at(-1) ?? null)
}

export function sameKey(one: GivenPiece, other: GivenPiece): boolean {
  return one.kind === other.kind && one.id === other.id && one.part === other.part
}
