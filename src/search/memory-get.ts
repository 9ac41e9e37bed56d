/** `memory_get`: the text of one document, or some of its lines. Pages put together are the document, byte for byte, but for blank lines at its end. */
import { z } from 'zod'
import { MnemonicError } from '../core/error.ts'
import { given } from '../core/given.ts'
import { clip } from '../core/text.ts'
import { toIso } from '../core/time.ts'
import { tokenCost } from '../core/tokens.ts'
import type { Trust } from '../core/trust.ts'
import { shortTurnIds } from '../ledgers/short-ids.ts'
import { episodeIdIn } from './conversations.ts'
import { excerptOf } from './excerpt.ts'
import { citation, linesUnder, parseCitation } from './memory-citation.ts'
import { conversationCalled, documentById, documentByPath, ifNotFound, namesPublished, turnIdOfPath } from './memory-get-document.ts'
import type { Sought } from './sought-words.ts'
import type { DocumentSource, TextDocument } from './text-document.ts'
import { withTurnsAround } from './turns-around.ts'

export interface MemoryGetRequest {
  /** A document's path in the index, or a citation (`path#L3-L9`). Either this or `id`. */
  readonly path?: string
  /** The id of a turn or a message: full, native, short (`c010174c:7`), or a unique prefix; of an episode (`e:3f2a1c9d`), an event or a thread; lines may follow, as in a citation. */
  readonly id?: string
  /** The first line, from 1. */
  readonly from?: number
  /** How many lines at most. */
  readonly lines?: number
  /** The last line: without `from`, what `lines` and `budget` hold before it. */
  readonly to?: number
  /** Only so many lines from the end; the last ones that the budget holds. */
  readonly tail?: number
  /** The line of a match: reading starts there, or at the beginning if little stands before it. */
  readonly at?: number
  /** How many tokens at most, by Mnemonic's own tokenizer. A turn then begins with what was said, without its header. */
  readonly budget?: number
  /** Of a turn: so many turns before and after it, too; of an episode so many episodes of its conversation. */
  readonly around?: number
  /** A question in one or more phrasings: of lines that the budget does not hold, the sentences that answer it, in place of the first ones. */
  readonly about?: readonly string[]
  /** What the reader has of it already, as hits have it in `excerpt`: of those sentences, others than these. */
  readonly shown?: string
}

/** snake_case: the JSON of the tool. */
export interface MemoryGetAnswer {
  /** Short and unique, as hits have it; the path of a document that is no turn. */
  readonly id: string
  readonly path: string
  readonly source: 'sessions' | 'events' | 'memory'
  readonly kind: string
  readonly session_id: string
  readonly turn_id: string
  /** The chat, the mail thread or the calendar; empty for what people did not write to each other. */
  readonly thread_id: string
  readonly title: string | null
  readonly timestamp: string | null
  readonly speakers: readonly string[]
  readonly trust: Trust
  readonly text: string
  readonly from: number
  /** How many lines `text` has. */
  readonly lines: number
  readonly total_lines: number
  /** Where to go on; null at the end, and if only blank lines are left. Where sentences were chosen, the first of the lines that they are from. */
  readonly next_from: number | null
  /** The last line before these, for `to`; null if no text stands there. */
  readonly before_to: number | null
  /** Of a turn whose prompt only picks ("2", "yes") and that is read without its header: what it settles, in the words of the message before. */
  readonly answers?: string
  readonly citation: string
}

const name = z.string().trim().min(1).max(65_536)
const count = z.int().min(1).optional()
const MOST_AROUND = 50
const MOST_PHRASINGS = 9
/** Tokens. */
const LITTLE = 40
const schema = z
  .strictObject({
    path: name.optional(),
    id: name.optional(),
    from: count,
    lines: count,
    to: count,
    tail: count,
    at: count,
    budget: count,
    around: z.int().min(0).max(MOST_AROUND).optional(),
    about: z.array(z.string()).max(MOST_PHRASINGS).optional(),
    shown: z.string().optional(),
  })
  .refine(({ path, id }) => (path === undefined) !== (id === undefined), 'give either path or id')
  .refine(
    ({ tail, from, to }) => tail === undefined || (from ?? to) === undefined,
    'tail is counted from the end: give no from or to with it',
  )

/** What a question looks for, where one is given. */
export type Seek = (about: readonly string[]) => Promise<readonly Sought[]>

export async function memoryGet(source: DocumentSource, request: MemoryGetRequest, seek?: Seek): Promise<MemoryGetAnswer> {
  const checked = schema.safeParse(request)
  if (!checked.success) {
    const keys = [...new Set(checked.error.issues.map(({ path }) => path.join('.')).filter(Boolean))]
    throw new MnemonicError('USAGE', `this document cannot be asked for: ${z.prettifyError(checked.error).replace(/\s*\n\s*/g, ' ')}`, {
      details: { keys },
      hint: `Give path (or a citation of a search) or id; from, to, tail, lines and budget are whole numbers from 1, around one up to ${MOST_AROUND}.`,
    })
  }
  const { path, id, from, lines, to, tail, at, budget, around = 0, about = [], shown } = checked.data
  const named = parseCitation(path ?? id ?? '')
  const own = await (path === undefined ? documentById : documentByPath)(source, named.path)
  // A heading that is gone leads to the document.
  const cited = { ...named, ...(named.heading === undefined ? {} : linesUnder(own.text, named.heading)) }
  const document = await withAround(source, own, around)
  const whole = document !== own
  const count = cited.from === undefined || cited.to === undefined || whole ? undefined : cited.to - cited.from + 1
  const body = own.turnId !== '' && !whole ? bodyLine(own.text) : 1
  const start = from ?? (at === undefined || whole ? undefined : startAt(own.text, body, at))
  const isEnd = start === undefined && (to ?? tail) !== undefined
  const isPart = start !== undefined || isEnd
  return page(document, {
    ...{ id: await shortIdOf(source, own), body, to, tail, isEnd },
    from: start ?? (whole || isEnd ? undefined : cited.from) ?? (budget === undefined && !isEnd ? 1 : body),
    count: lines ?? (isPart ? undefined : count),
    budget,
    cites: !whole,
    sought: !isPart && lines === undefined && !whole && about.length > 0 ? await seek?.(about) : undefined,
    shown,
  })
}

async function withAround(source: DocumentSource, own: TextDocument, around: number): Promise<TextDocument> {
  if (around === 0) return own
  if (own.turnId !== '') return withTurnsAround(source, own, around)
  return own.kind === 'episode' ? (await import('./memory-get-episode.ts')).withEpisodesAround(source, own, around) : own
}

async function shortIdOf({ store }: DocumentSource, { path, turnId, kind }: TextDocument): Promise<string> {
  if (turnId !== '') return (await shortTurnIds(store, [turnId])).get(turnId) ?? path
  const episode = kind === 'episode' ? episodeIdIn(path) : undefined
  if (episode === undefined) return path
  const { shortEpisodeIds } = await import('../ledgers/short-episode-ids.ts')
  return (await shortEpisodeIds(store, [episode])).get(episode) ?? path
}

interface Page {
  readonly id: string
  readonly from: number
  /** The first line behind a turn's header. */
  readonly body: number
  readonly to: number | undefined
  readonly tail: number | undefined
  /** Takes the last lines that fit, not the first. */
  readonly isEnd: boolean
  readonly count: number | undefined
  readonly budget: number | undefined
  /** Lines of a text that was put together are nobody's lines. */
  readonly cites: boolean
  /** Of what does not fit, the sentences that hold this. */
  readonly sought: readonly Sought[] | undefined
  /** And that do not stand here. */
  readonly shown: string | undefined
}

function page(document: TextDocument, wanted: Page): MemoryGetAnswer {
  const { id, body, to, tail, isEnd, count, budget, cites, sought, shown } = wanted
  const all = linesOf(document.text)
  const last = Math.min(to ?? all.length, all.length)
  const first = tail === undefined ? wanted.from : Math.max(wanted.from, last - tail + 1)
  const from = isEnd ? Math.max(first, last + 1 - countFromEnd(all.slice(first - 1, last), { count, budget })) : first
  const asked = all.slice(from - 1, count === undefined ? last : Math.min(last, from - 1 + count))
  const best = budget === undefined || sought === undefined ? undefined : answering(asked, sought, { budget, shown })
  const { lines: taken, text } = best ?? (budget === undefined ? { lines: asked.length, text: asked.join('') } : fitting(asked, budget))
  const next = best === undefined ? from + taken : from
  const hasText = (start: number, end?: number) => all.slice(start - 1, end).some((line) => line.trim() !== '')
  const answers = from >= body && body > 1 ? answersIn(all.slice(0, body - 1)) : undefined
  return {
    id,
    path: document.path,
    source: document.source,
    kind: document.kind,
    session_id: document.sessionId,
    turn_id: document.turnId,
    thread_id: document.threadId ?? '',
    title: document.title,
    timestamp: document.timestamp === 0 ? null : toIso(document.timestamp),
    speakers: document.speakers,
    trust: document.trust,
    text,
    from,
    lines: taken,
    total_lines: all.length,
    next_from: taken > 0 && (best !== undefined || hasText(next)) ? next : null,
    before_to: taken > 0 && best === undefined && from > body && hasText(body, from - 1) ? from - 1 : null,
    ...given({ answers }),
    citation: taken === 0 || !cites ? document.path : citation(document.path, from, from + taken - 1),
  }
}

/** The sentences that answer, of lines that are too long for the budget: what is left out is read from the first line on. */
function answering(
  lines: readonly string[],
  sought: readonly Sought[],
  { budget, shown }: { readonly budget: number; readonly shown: string | undefined },
): { lines: number; text: string } | undefined {
  const text = lines.join('')
  if (tokenCost(text) <= budget) return undefined
  return { lines: lines.length, text: `${excerptOf([{ label: '', text }], sought, budget, { shown })}\n` }
}

/** How many of the last lines count and budget hold; at least one. */
function countFromEnd(
  lines: readonly string[],
  { count = lines.length, budget = Number.POSITIVE_INFINITY }: { readonly count: number | undefined; readonly budget: number | undefined },
): number {
  let left = budget
  let taken = 0
  for (const line of lines.toReversed()) {
    left -= tokenCost(line)
    if (taken > 0 && (left < 0 || taken >= count)) break
    taken += 1
  }
  return taken
}

/** A reader who starts at a match needs the little that stands before it, too. */
function startAt(text: string, body: number, at: number): number {
  const before = linesOf(text).slice(body - 1, Math.max(body, at) - 1)
  return at > linesOf(text).length || tokenCost(before.join('')) <= LITTLE ? body : at
}

/** Whole lines, as many as the budget takes; of a first line that is longer than that, its beginning. */
function fitting(lines: readonly string[], budget: number): { lines: number; text: string } {
  let left = budget
  const end = lines.findIndex((line) => {
    left -= tokenCost(line)
    return left < 0
  })
  if (end !== 0) return { lines: end === -1 ? lines.length : end, text: lines.slice(0, end === -1 ? undefined : end).join('') }
  const line = lines[0] ?? ''
  const cost = tokenCost(line)
  const part = clip(line, Math.max(1, Math.floor((line.length * budget) / cost)))
  return { lines: 1, text: `${part}\n[cut: this line has about ${cost} tokens]\n` }
}

const ANSWERS = 'Answers: '

function answersIn(header: readonly string[]): string | undefined {
  const line = header.find((one) => one.startsWith(ANSWERS))
  return line?.slice(ANSWERS.length).trim()
}

/** The line behind a turn's header and the blank line after it. */
function bodyLine(text: string): number {
  const blank = linesOf(text).findIndex((line) => line.trim() === '')
  return blank === -1 ? 1 : blank + 2
}

/** Each with its end of line. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

/** Undefined for a text that is neither a path nor the name of a conversation: an id, a label, a part of one. */
export async function citedBy(
  source: DocumentSource,
  text: string,
  { around = 0 }: { readonly around?: number } = {},
): Promise<{ turnId: string } | { document: MemoryGetAnswer } | undefined> {
  const { path } = parseCitation(text)
  if (!/\.md$/i.test(path)) {
    const named = (await conversationCalled(source, path)) !== undefined
    return named ? { document: await memoryGet(source, { id: text, around }) } : undefined
  }
  const turnId = turnIdOfPath(path)
  if (turnId !== undefined) return { turnId }
  const found = memoryGet(source, { path: text, ...(episodeIdIn(path) === undefined ? {} : { around }) })
  const document = await (namesPublished(path) ? found : found.catch(ifNotFound))
  return document && { document }
}
