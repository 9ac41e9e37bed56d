/**
 * Pieces as one text within a budget of tokens: of each a line of facts and the sentences that answer, the first with most room. All of it is inside
 * the mark, so that no adapter stores it again. Pure.
 */
import { estimateTokens } from '../../core/estimate-tokens.ts'
import { markMemory, NOTICE } from '../../core/marked-text.ts'
import { named, safe } from '../../core/named.ts'
import { oneLine, printable } from '../../core/text.ts'
import { excerptOf } from '../../search/excerpt.ts'
import type { Sought } from '../../search/sought-words.ts'
import type { Candidate } from './piece.ts'
import type { ReadPiece } from './reader.ts'

/** The same bytes before every answer. */
const OPENING = `${NOTICE} Memory of earlier sessions that may matter here. More of a piece: mnemonic show ID`
/** Of 1,500 tokens so many for the sentences of the first pieces, and of each that follows: the fact is among the first, or somewhere. */
const SHARES = [300, 200, 150, 100, 80, 80, 60] as const
const OF = 1500
/** Fewer tell nothing. */
const LEAST = 32
const TITLE = 60
/** An estimate may be off by so much. */
const MARGIN = 1.16

export interface Assembled {
  readonly text: string
  readonly tokens: number
  readonly pieces: readonly ReadPiece[]
  readonly used: readonly Candidate[]
  readonly left: readonly { readonly citation: string; readonly why: string }[]
}

interface Room {
  readonly sought: readonly Sought[]
  readonly maxTokens: number
  /** Where the session works: what all pieces share is not said. */
  readonly project: string | null
}

export function assemble(candidates: readonly Candidate[], { sought, maxTokens, project: here }: Room): Assembled {
  const frame = tokensOf(markMemory(OPENING))
  let room = maxTokens - frame
  let long = 0
  const pieces: ReadPiece[] = []
  const used: Candidate[] = []
  const left: { citation: string; why: string }[] = []
  const lines: string[] = []
  for (const candidate of candidates) {
    const head = headOf(candidate.project === here ? { ...candidate, project: null } : candidate)
    const free = room - tokensOf(head) - 1
    const share = Math.max(LEAST, Math.round(((SHARES[Math.min(long, SHARES.length - 1)] as number) * maxTokens) / OF))
    const text = free < LEAST ? '' : sentencesOf(candidate, sought, Math.min(share, Math.floor(free / MARGIN)))
    const tokens = tokensOf(`${head}\n${text}\n`)
    if (text === '' || tokens > room) {
      left.push({ citation: candidate.citation, why: text === '' && free >= LEAST ? 'no sentence of it answers' : 'no room' })
      continue
    }
    room -= tokens
    if (!candidate.isShort) long++
    const { citation, kind, date, title, project, trust, why } = candidate
    pieces.push({ citation, kind, date, title, project, trust, text, tokens, why })
    used.push(candidate)
    lines.push(`${head}\n${text}`)
  }
  if (pieces.length === 0) return { text: '', tokens: 0, pieces, used, left }
  const text = markMemory(`${OPENING}\n${lines.join('\n')}`)
  return { text, tokens: tokensOf(text), pieces, used, left }
}

/** Never less than it is, as far as an estimate can tell. */
export function tokensOf(text: string): number {
  return Math.ceil(estimateTokens(text) * MARGIN)
}

function headOf({ citation, kind, date, title, project, trust }: Candidate): string {
  const label = kind === 'turn' || kind === 'document' ? [] : [`[${kind === 'work' ? 'tool work' : kind}]`]
  const doubt = trust === 'owner' || trust === 'agent' ? [] : [`[${trust}]`]
  return [
    '-',
    named(citation),
    date,
    ...(project === null ? [] : [safe(project)]),
    ...(title === null ? [] : [safe(oneLine(title, TITLE))]),
    ...label,
    ...doubt,
  ].join(' ')
}

/** A line that begins like a heading of ours is none. */
function sentencesOf({ whole, isShort }: Candidate, sought: readonly Sought[], room: number): string {
  const text = excerptOf([{ label: '', text: printable(whole) }], sought, room)
  return isShort && estimateTokens(whole) <= room ? printable(whole).trim() : text
}
