/**
 * Pieces as one text within a budget of tokens: of each a line of facts and the sentences that answer, the first with most room. All of it is inside
 * the mark, so that no adapter stores it again. Pure.
 */
import { estimateTokens } from '../../core/estimate-tokens.ts'
import { markMemory, NOTICE } from '../../core/marked-text.ts'
import { named, safe } from '../../core/named.ts'
import { oneLine, printable } from '../../core/text.ts'
import { excerptOf, type Said } from '../../search/excerpt.ts'
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
const REPLACED = 160
/** So many characters that are the same are no chance. */
const SAME = 24
/** An estimate may be off by so much: on 80 texts by 10 % at most in tokens of the embedded model, and never too low in o200k. */
const MARGIN = 1.12

/** A candidate, and whether the session has it already: then it takes its room, so that nothing worse comes in its place, and is not said again. */
export interface Ranked {
  readonly candidate: Candidate
  readonly isOld: boolean
}

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

/** What will be said of one turn, decision or document: of all its candidates together. */
interface Draft {
  readonly first: Candidate
  readonly head: string
  readonly isOld: boolean
  readonly from: readonly Candidate[]
  readonly room: number
  readonly text: string
  readonly tokens: number
}

/** One piece of each turn, at the place of its best part: two would say one head twice. */
export function assemble(ranked: readonly Ranked[], { sought, maxTokens, project: here }: Room): Assembled {
  let room = maxTokens - tokensOf(markMemory(OPENING))
  let long = 0
  const drafts = new Map<string, Draft>()
  const left: { citation: string; why: string }[] = []
  for (const [i, { candidate, isOld }] of ranked.entries()) {
    const name = candidate.kind === 'turn' ? `${candidate.citation} ${isOld}` : String(i)
    const before = drafts.get(name) ?? begun(candidate, isOld, here)
    const share = Math.max(LEAST, Math.round(((SHARES[Math.min(long, SHARES.length - 1)] as number) * maxTokens) / OF))
    const free = room + before.tokens - tokensOf(before.head) - 1
    const most = Math.min(before.room + share, Math.floor(free / MARGIN))
    const from = [...before.from, candidate]
    const text = free < LEAST ? '' : sentencesOf(from, sought, most)
    const tokens = tokensOf(`${before.head}\n${text}\n`)
    if (text === '' || tokens > room + before.tokens) {
      left.push({ citation: candidate.citation, why: text === '' && free >= LEAST ? 'no sentence of it answers' : 'no room' })
      continue
    }
    room -= tokens - before.tokens
    if (!candidate.isShort) long++
    drafts.set(name, { ...before, from, room: most, text, tokens })
  }
  const made = [...drafts.values()].filter(({ isOld }) => !isOld)
  for (const { first, isOld } of drafts.values()) if (isOld) left.push({ citation: first.citation, why: 'this session has it already' })
  const pieces = made.map(({ first: { citation, kind, date, title, project, trust, why }, text, tokens }) => ({
    ...{ citation, kind, date, title, project, trust, text, tokens, why },
  }))
  if (pieces.length === 0) return { text: '', tokens: 0, pieces, used: [], left }
  const text = markMemory(`${OPENING}\n${made.map((draft) => `${draft.head}\n${draft.text}`).join('\n')}`)
  return { text, tokens: tokensOf(text), pieces, used: made.flatMap(({ from }) => from), left }
}

function begun(first: Candidate, isOld: boolean, here: string | null): Draft {
  const head = headOf(first.project === here ? { ...first, project: null } : first)
  return { first, head, isOld, from: [], room: 0, text: '', tokens: 0 }
}

/** Never less than it is, as far as an estimate can tell. */
export function tokensOf(text: string): number {
  return Math.ceil(estimateTokens(text) * MARGIN)
}

function headOf({ citation, kind, date, title, project, trust, replaced }: Candidate): string {
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
    ...(replaced === undefined ? [] : [`[${safe(oneLine(replaced, REPLACED))}]`]),
  ].join(' ')
}

function sentencesOf(candidates: readonly Candidate[], sought: readonly Sought[], room: number): string {
  const said: Said[] = []
  for (const { label, text } of candidates.flatMap(({ parts }) => parts)) {
    const own = said.reduce((rest, { text: before }) => withoutOverlap(rest, before), printable(text))
    if (own.trim() !== '') said.push({ label, text: own })
  }
  const whole = said
    .map(({ label, text }) => label + text)
    .join('\n')
    .trim()
  return candidates[0]?.isShort && estimateTokens(whole) <= room ? whole : excerptOf(said, sought, room)
}

/** Chunks of a turn begin with the end of the one before: what both have is said once. */
function withoutOverlap(text: string, before: string): string {
  const at = text.length < SAME ? -1 : before.lastIndexOf(text.slice(0, SAME))
  if (at >= 0 && text.startsWith(before.slice(at))) return text.slice(before.length - at)
  const end = before.length < SAME ? -1 : text.lastIndexOf(before.slice(0, SAME))
  return end >= 0 && before.startsWith(text.slice(end)) ? text.slice(0, end) : text
}
