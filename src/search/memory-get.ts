/** `memory_get`: one document or some of its lines. Joined pages equal the document, except for blank lines at its end. */
import { z } from 'zod'
import { MnemonicError } from '../core/error.ts'
import { given } from '../core/given.ts'
import { clip } from '../core/text.ts'
import { toIso } from '../core/time.ts'
import { tokenCost } from '../core/tokens.ts'
import type { Trust } from '../core/trust.ts'
import { shortTurnIds } from '../ledgers/short-ids.ts'
import { episodeIdIn } from './conversations.ts'
import { excerptOf, onlyAnnounces, type Said } from './excerpt.ts'
import { citation, linesUnder, parseCitation } from './memory-citation.ts'
import { conversationCalled, documentById, documentByPath, ifNotFound, namesPublished, turnIdOfPath } from './memory-get-document.ts'
import type { Sought } from './sought-words.ts'
import type { DocumentSource, TextDocument } from './text-document.ts'
import { withTurnsAround } from './turns-around.ts'

export interface MemoryGetRequest {
  /** A path in the index or a citation (`path#L3-L9`). Either this or `id`. */
  readonly path?: string
  /**
   * A turn or message: full, native, short (`c010174c:7`) or unique prefix. Or an episode (`e:3f2a1c9d`), an event or a thread. Lines may
   * follow, as in a citation.
   */
  readonly id?: string
  readonly from?: number
  readonly lines?: number
  /** Last line. Without `from`, the range ends here and `lines` and `budget` limit it. */
  readonly to?: number
  readonly tail?: number
  /** Line of a match: starts there, or at the beginning if little precedes it. */
  readonly at?: number
  /** Maximum tokens, by Mnemonic's tokenizer. A turn then starts without its header. */
  readonly budget?: number
  /** Turns before and after to add; for an episode, episodes of its conversation. */
  readonly around?: number
  /** Phrasings of a question. If the text exceeds the budget, its answering sentences replace the first lines. */
  readonly about?: readonly string[]
  /** The `excerpt` that the reader already has; its sentences are skipped. */
  readonly shown?: string
  /** Skips messages that only announce the agent's next step. */
  readonly folds?: boolean
  /** Extra tokens for the beginning of a long turn's last message: it tells the outcome. */
  readonly ending?: number
}

export interface MemoryGetAnswer {
  readonly id: string
  readonly path: string
  readonly source: 'sessions' | 'events' | 'memory'
  readonly kind: string
  readonly session_id: string
  readonly turn_id: string
  /** Chat, mail thread or calendar; else empty. */
  readonly thread_id: string
  readonly title: string | null
  readonly timestamp: string | null
  readonly speakers: readonly string[]
  readonly trust: Trust
  readonly text: string
  readonly from: number
  readonly lines: number
  readonly total_lines: number
  /** Lines of `text`, from 1, where somebody begins to speak; absent without speakers. */
  readonly spoken_lines?: readonly number[]
  /** Skipped messages that only announce the next step. */
  readonly left_out?: number
  /** First line of the turn's end in `text`, after a line with …. */
  readonly end_from?: number
  /** Start of the next page; null if only blank lines remain. After chosen sentences, the first of their lines. */
  readonly next_from: number | null
  /** `to` of the page before; null if it has no text. */
  readonly before_to: number | null
  /** For a turn whose prompt only picks ("2", "yes"): its choice in words. Only without the header. */
  readonly answers?: string
  readonly citation: string
}

const name = z.string().trim().min(1).max(65_536)
const count = z.int().min(1).optional()
const MOST_AROUND = 50
const MOST_PHRASINGS = 9
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
    folds: z.boolean().optional(),
    ending: count,
  })
  .refine(({ path, id }) => (path === undefined) !== (id === undefined), 'give either path or id')
  .refine(
    ({ tail, from, to }) => tail === undefined || (from ?? to) === undefined,
    'tail is counted from the end: give no from or to with it',
  )

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
  const { path, id, from, lines, to, tail, at, budget, around = 0, about = [], shown, folds = false, ending } = checked.data
  const named = parseCitation(path ?? id ?? '')
  const own = await (path === undefined ? documentById : documentByPath)(source, named.path)
  const cited = { ...named, ...(named.heading === undefined ? {} : linesUnder(own.text, named.heading)) }
  const document = await withAround(source, own, around)
  const whole = document !== own
  const count = cited.from === undefined || cited.to === undefined || whole ? undefined : cited.to - cited.from + 1
  const body = own.turnId !== '' && !whole ? bodyLine(own.text) : 1
  const start = from ?? (at === undefined || whole ? undefined : startAt(own.text, body, at))
  const isEnd = start === undefined && (to ?? tail) !== undefined
  const isPart = start !== undefined || isEnd
  return page(document, {
    ...{ id: await shortIdOf(source, own), body, to, tail, isEnd, folds, ending: whole ? undefined : ending },
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
  readonly body: number
  readonly to: number | undefined
  readonly tail: number | undefined
  readonly isEnd: boolean
  readonly count: number | undefined
  readonly budget: number | undefined
  /** False for joined texts: their lines have no citation. */
  readonly cites: boolean
  readonly sought: readonly Sought[] | undefined
  readonly shown: string | undefined
  readonly folds: boolean
  readonly ending: number | undefined
}

function page(document: TextDocument, wanted: Page): MemoryGetAnswer {
  const { id, body, to, tail, isEnd, count, budget, cites, sought, shown, folds, ending } = wanted
  const all = linesOf(document.text)
  const last = Math.min(to ?? all.length, all.length)
  const first = tail === undefined ? wanted.from : Math.max(wanted.from, last - tail + 1)
  const from = isEnd ? Math.max(first, last + 1 - countFromEnd(all.slice(first - 1, last), { count, budget })) : first
  const asked = all.slice(from - 1, count === undefined ? last : Math.min(last, from - 1 + count))
  const spoken = spokenIn(document)
  const begins = new Set(spoken.map(({ line }) => line))
  const best =
    budget === undefined || sought === undefined
      ? undefined
      : answering(asked, sought, { budget, shown, parts: partsOf(asked, from, spoken) })
  const folded = folds && best === undefined ? foldedLines(spoken, all.length) : new Set<number>()
  const { fit, end } = best === undefined ? withEnd(all, asked, { spoken, folded, from, budget, ending }) : { fit: best, end: undefined }
  const { lines: taken } = fit
  const text = end === undefined ? fit.text : `${fit.text}…\n${end.text}`
  const kept = [
    ...numbers(from, taken).filter((line) => !folded.has(line)),
    ...(end === undefined ? [] : [0, ...numbers(end.from, end.lines).filter((line) => !folded.has(line))]),
  ]
  const left_out = spoken.filter(({ line }) => folded.has(line) && line >= from && line < from + taken).length
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
    ...given({
      spoken_lines: spoken.length === 0 ? undefined : best === undefined ? places(kept, begins) : places(text.split('\n'), best.labels),
      left_out: left_out === 0 ? undefined : left_out,
      end_from: end?.from,
    }),
    from,
    lines: taken,
    total_lines: all.length,
    next_from: taken > 0 && (best !== undefined || hasText(next)) ? next : null,
    before_to: taken > 0 && best === undefined && from > body && hasText(body, from - 1) ? from - 1 : null,
    ...given({ answers }),
    citation: taken === 0 || !cites ? document.path : citation(document.path, from, from + taken - 1),
  }
}

interface Spoken {
  readonly line: number
  readonly label: string
  readonly text: string
}

function spokenIn({ text, messages }: TextDocument): Spoken[] {
  let [at, line, counted] = [0, 1, 0]
  return messages.flatMap((message) => {
    const label = `${message.label ?? message.speaker}: `
    const start = text.indexOf(`\n${label}${message.text}`, Math.max(0, at - 1)) + 1
    if (start === 0) return []
    for (let end = text.indexOf('\n', counted); end !== -1 && end < start; end = text.indexOf('\n', counted)) {
      line += 1
      counted = end + 1
    }
    at = start + label.length + message.text.length
    return [{ line, label, text: message.text }]
  })
}

function numbers(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => from + i)
}

function places<T>(all: readonly T[], wanted: ReadonlySet<T> | ((one: T) => boolean)): number[] {
  const isWanted = typeof wanted === 'function' ? wanted : (one: T) => wanted.has(one)
  return all.flatMap((one, i) => (isWanted(one) ? [i + 1] : []))
}

function foldedLines(spoken: readonly Spoken[], last: number): Set<number> {
  return new Set(
    spoken.flatMap(({ line, label, text }, i) => {
      const next = spoken[i + 1]?.line ?? last + 1
      return label.startsWith('User') || !onlyAnnounces(text) ? [] : numbers(line, next - line)
    }),
  )
}

interface Ending {
  readonly spoken: readonly Spoken[]
  readonly folded: ReadonlySet<number>
  readonly from: number
  readonly budget: number | undefined
  /** Tokens of the budget for the last message. */
  readonly ending: number | undefined
}

/** The lines that fit. If they do not reach the last message that says something, part of the budget goes to its beginning. */
function withEnd(all: readonly string[], asked: readonly string[], { spoken, folded, from, budget, ending }: Ending) {
  const fit = fitting(asked, { budget, isLeftOut: (i) => folded.has(from + i) })
  const last = spoken.findLast(({ line }) => !folded.has(line))
  if (budget === undefined || ending === undefined || last === undefined || last.line < from + fit.lines) return { fit, end: undefined }
  const begun = fitting(asked, { budget: budget - ending, isLeftOut: (i) => folded.has(from + i) })
  const told = fitting(all.slice(last.line - 1), { budget: ending, isLeftOut: (i) => folded.has(last.line + i) })
  return { fit: begun, end: last.line <= from + begun.lines ? undefined : { from: last.line, ...told } }
}

function partsOf(asked: readonly string[], from: number, spoken: readonly Spoken[]): Said[] {
  const starts = spoken.filter(({ line }) => line > from && line < from + asked.length)
  const cuts = [from, ...starts.map(({ line }) => line)]
  return cuts.map((line, i) => {
    const said = asked.slice(line - from, (cuts[i + 1] ?? from + asked.length) - from).join('')
    const label = spoken.find((one) => one.line === line)?.label ?? ''
    return { label, text: said.startsWith(label) ? said.slice(label.length) : said }
  })
}

function answering(
  lines: readonly string[],
  sought: readonly Sought[],
  { budget, shown, parts }: { readonly budget: number; readonly shown: string | undefined; readonly parts: readonly Said[] },
): { lines: number; text: string; labels: (line: string) => boolean } | undefined {
  if (tokenCost(lines.join('')) <= budget) return undefined
  const labels = parts.flatMap(({ label }) => (label === '' ? [] : [label.trimEnd()]))
  const text = `${excerptOf(parts, sought, budget, { shown })}\n`
  return { lines: lines.length, text, labels: (line) => labels.some((label) => line.startsWith(label)) }
}

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

function startAt(text: string, body: number, at: number): number {
  const before = linesOf(text).slice(body - 1, Math.max(body, at) - 1)
  return at > linesOf(text).length || tokenCost(before.join('')) <= LITTLE ? body : at
}

/** Whole lines within the budget. A first line that exceeds it is cut. */
function fitting(
  lines: readonly string[],
  { budget = Number.POSITIVE_INFINITY, isLeftOut }: { readonly budget: number | undefined; readonly isLeftOut: (i: number) => boolean },
): { lines: number; text: string } {
  const isWhole = budget === Number.POSITIVE_INFINITY
  let left = budget
  const end = lines.findIndex((line, i) => {
    if (!isWhole && !isLeftOut(i)) left -= tokenCost(line)
    return left < 0
  })
  const taken = end === -1 ? lines.length : end
  const text = lines.slice(0, taken).filter((_, i) => !isLeftOut(i))
  if (end === -1 || text.some((line) => line.trim() !== '')) return { lines: taken, text: text.join('') }
  const line = lines[end] ?? ''
  const cost = tokenCost(line)
  const part = clip(line, Math.max(1, Math.floor((line.length * budget) / cost)))
  return { lines: end + 1, text: `${part}\n[cut: this line has about ${cost} tokens]\n` }
}

const ANSWERS = 'Answers: '

function answersIn(header: readonly string[]): string | undefined {
  const line = header.find((one) => one.startsWith(ANSWERS))
  return line?.slice(ANSWERS.length).trim()
}

function bodyLine(text: string): number {
  const blank = linesOf(text).findIndex((line) => line.trim() === '')
  return blank === -1 ? 1 : blank + 2
}

export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

/** Undefined if the text is neither a path nor a conversation: an id, a label, a part of one. */
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
