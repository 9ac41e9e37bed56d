/** A piece of memory before it has its place in a text: a hit of a search, or something that was decided or preferred. Pure. */
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
  /** All of it, a side at a time; of a hit the sentences that answer are chosen by the room there is. */
  readonly parts: readonly Said[]
  /** It stands as it is. */
  readonly isShort: boolean
  readonly why: string
  /** What was decided there holds no longer: what replaced it, and when. */
  readonly replaced?: string
  /** By what it is known not to be given twice. */
  readonly key: GivenPiece
}

export function pieceOfHit(hit: SearchResult, why: string): Candidate {
  return {
    ...{ citation: hit.id, kind: kindOf(hit), date: hit.timestamp.slice(0, 10), title: hit.session_title },
    ...{ project: hit.project_name ?? lastPart(hit.project), trust: hit.trust, why },
    // What a tool call did has its lines chosen already.
    parts: hit.kind === 'work' ? [{ label: '', text: hit.excerpt }] : saidIn(hit),
    isShort: hit.kind === 'work',
    key: keyOf(hit),
  }
}

const SPEAKER = /^(?:User|Assistant): /

/** Who said what, each from a line of its own on: a run of two speakers reads as one. */
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
