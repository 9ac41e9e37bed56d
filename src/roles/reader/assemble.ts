/**
 * Fits pieces into one text within a token budget: a heading and the best sentences of each, most room for the first. All inside the memory
 * mark, so that no adapter stores it again.
 */
import { estimateTokens } from '../../core/estimate-tokens.ts'
import { markMemory, NOTICE } from '../../core/marked-text.ts'
import { named, safe } from '../../core/named.ts'
import { oneLine, printable } from '../../core/text.ts'
import { excerptOf, excerptTokens, type Said } from '../../search/excerpt.ts'
import type { Sought } from '../../search/sought-words.ts'
import type { Candidate } from './piece.ts'
import type { ReadPiece } from './reader.ts'

/** The same bytes before every answer. */
const OPENING = `${NOTICE} Memory of earlier sessions; more of a piece: mnemonic show ID`
/** Tokens per rank, of a budget of 1,500. Never less than a search excerpt. */
const SHARES = [300, 200, 150, 100, 80, 80, 60] as const
const OF = 1500
const LEAST = 20
/** A turn slightly longer than its share is given whole: an omitted sentence may hold the answer. */
const WHOLE = 1.6
const TITLE = 60
/** In a smaller budget, titles and whole long turns would displace the next piece. */
const SMALL = 600
const SHORT_TITLE = 36
const REPLACED = 160
const SAME = 24
/**
 * Safety factor of the token estimate. The estimate is slightly high on prose, and up to 12 % low on identifiers, paths and numbers
 * (embedded model). Never low in o200k.
 */
const MARGIN = { prose: 1, code: 1.15 } as const
const MARKS = { prose: 0.05, code: 0.09 } as const
const ROUNDS = 3

/** `isOld`: already given to the session. Keeps its room, so that nothing worse replaces it, but is not repeated. */
export interface Ranked {
  readonly candidate: Candidate
  readonly isOld: boolean
}

export interface Assembled {
  readonly text: string
  readonly tokens: number
  readonly pieces: readonly ReadPiece[]
  readonly known: number
  readonly used: readonly Candidate[]
  readonly left: readonly { readonly citation: string; readonly why: string }[]
}

interface Room {
  readonly sought: readonly Sought[]
  readonly maxTokens: number
  /** The session's project, which headings omit. */
  readonly project: string | null
  readonly known?: readonly string[]
}

interface Draft {
  readonly first: Candidate
  readonly head: string
  readonly isOld: boolean
  readonly from: readonly Candidate[]
  readonly room: number
  readonly text: string
  readonly tokens: number
}

/** One piece per turn, at the rank of its best part, so that the heading appears once. */
export function assemble(ranked: readonly Ranked[], { sought, maxTokens, project: here, known = [] }: Room): Assembled {
  let room = maxTokens - tokensOf(markMemory(OPENING))
  const lines: string[] = []
  for (const line of known) {
    const cost = tokensOf(`${line}\n`)
    if (cost > room) break
    lines.push(line)
    room -= cost
  }
  let long = 0
  const drafts = new Map<string, Draft>()
  /** Titles already shown; ids of one session look alike. */
  const titled = new Set<string | null>()
  const left: { citation: string; why: string }[] = []
  const opened = { here, title: maxTokens < SMALL ? SHORT_TITLE : TITLE }
  for (const [i, { candidate, isOld }] of ranked.entries()) {
    const name = candidate.kind === 'turn' ? `${candidate.citation} ${isOld}` : String(i)
    const before = drafts.get(name) ?? begun(titled.has(candidate.title) ? { ...candidate, title: null } : candidate, isOld, opened)
    const from = [...before.from, candidate]
    const { most, free } = roomFor(before, { room, share: shareOf(long, maxTokens) })
    const text = free < LEAST ? '' : sentencesOf(from, sought, { most, whole: Math.min(wholeOf(most, maxTokens), free) })
    const tokens = tokensOf(`${before.head}\n${text}\n`)
    if (text === '' || tokens > room + before.tokens) {
      left.push({ citation: candidate.citation, why: text === '' && free >= LEAST ? 'no sentence of it answers' : 'no room' })
      continue
    }
    room -= tokens - before.tokens
    if (!candidate.isShort) long++
    drafts.set(name, { ...before, from, room: most, text, tokens })
    if (!isOld) titled.add(candidate.title)
  }
  room = shareOut(drafts, room, { sought, maxTokens })
  const made = [...drafts.values()].filter(({ isOld }) => !isOld)
  for (const { first, isOld } of drafts.values()) if (isOld) left.push({ citation: first.citation, why: 'this session has it already' })
  const pieces = made.map(({ first: { citation, kind, date, title, project, trust, why }, text, tokens }) => ({
    ...{ citation, kind, date, title, project, trust, text, tokens, why },
  }))
  if (pieces.length + lines.length === 0) return { text: '', tokens: 0, pieces, known: 0, used: [], left }
  const text = markMemory([OPENING, ...lines, ...made.map((draft) => `${draft.head}\n${draft.text}`)].join('\n'))
  return { text, tokens: maxTokens - room, pieces, known: lines.length, used: made.flatMap(({ from }) => from), left }
}

function shareOut(drafts: Map<string, Draft>, left: number, { sought, maxTokens }: Pick<Room, 'sought' | 'maxTokens'>): number {
  let room = left
  for (let round = 0; round < ROUNDS && room >= LEAST / 2; round++)
    for (const [rank, [name, draft]] of [...drafts].entries()) {
      if (draft.isOld || draft.first.isShort) continue
      const { most, free } = roomFor(draft, { room, share: shareOf(rank, maxTokens) })
      if (most <= draft.room) continue
      const text = sentencesOf(draft.from, sought, { most, whole: Math.min(wholeOf(most, maxTokens), free) })
      const tokens = tokensOf(`${draft.head}\n${text}\n`)
      if (tokens - draft.tokens > room) continue
      room -= tokens - draft.tokens
      drafts.set(name, { ...draft, room: most, text, tokens })
    }
  return room
}

function shareOf(rank: number, maxTokens: number): number {
  return Math.max(LEAST, excerptTokens({ rank }), Math.round(((SHARES[Math.min(rank, SHARES.length - 1)] as number) * maxTokens) / OF))
}

function wholeOf(most: number, maxTokens: number): number {
  return maxTokens < SMALL ? most : WHOLE * most
}

function roomFor(draft: Draft, { room, share }: { readonly room: number; readonly share: number }): { most: number; free: number } {
  const free = Math.floor((room + draft.tokens - tokensOf(draft.head) - 1) / MARGIN.code)
  return { most: Math.min(draft.room + share, free), free }
}

interface Opened {
  readonly here: string | null
  readonly title: number
}

function begun(first: Candidate, isOld: boolean, { here, title }: Opened): Draft {
  const head = headOf(first.project === here ? { ...first, project: null } : first, title)
  return { first, head, isOld, from: [], room: 0, text: '', tokens: 0 }
}

/** Upper bound, as far as an estimate allows. */
export function tokensOf(text: string): number {
  const marks = text.replace(/[a-z\s]/gi, '').length / Math.max(1, text.length)
  const code = Math.min(1, Math.max(0, (marks - MARKS.prose) / (MARKS.code - MARKS.prose)))
  return Math.ceil(estimateTokens(text) * (MARGIN.prose + code * (MARGIN.code - MARGIN.prose)))
}

function headOf({ citation, kind, date, title, project, trust, replaced }: Candidate, longest: number): string {
  const label = kind === 'turn' || kind === 'document' ? [] : [`[${kind === 'work' ? 'tool work' : kind}]`]
  const doubt = trust === 'owner' || trust === 'agent' ? [] : [`[${trust}]`]
  return [
    '-',
    named(citation),
    date,
    ...(project === null ? [] : [safe(project)]),
    ...(title === null ? [] : [safe(oneLine(title, longest))]),
    ...label,
    ...doubt,
    ...(replaced === undefined ? [] : [`[${safe(oneLine(replaced, REPLACED))}]`]),
  ].join(' ')
}

function sentencesOf(
  candidates: readonly Candidate[],
  sought: readonly Sought[],
  { most, whole: longest }: { readonly most: number; readonly whole: number },
): string {
  const said: Said[] = []
  for (const { label, text } of candidates.flatMap(({ parts }) => parts)) {
    const own = said.reduce((rest, { text: before }) => withoutOverlap(rest, before), printable(text))
    if (own.trim() !== '') said.push({ label, text: own })
  }
  const whole = said
    .map(({ label, text }) => label + text)
    .join('\n')
    .trim()
  const tokens = estimateTokens(whole)
  return tokens <= (candidates[0]?.isShort ? most : longest) ? whole : excerptOf(said, sought, most, { single: true })
}

function withoutOverlap(text: string, before: string): string {
  const at = text.length < SAME ? -1 : before.lastIndexOf(text.slice(0, SAME))
  if (at >= 0 && text.startsWith(before.slice(at))) return text.slice(before.length - at)
  const end = before.length < SAME ? -1 : text.lastIndexOf(before.slice(0, SAME))
  return end >= 0 && before.startsWith(text.slice(end)) ? text.slice(0, end) : text
}
