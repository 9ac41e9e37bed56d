/** `memory_sentence_v1`: exactly one sentence that says what a session was about, by rules or by a model. Never gives one below the floor. */
import { type Anchor, anchorsOf, harnessName, type SentenceContext } from './memory-sentence-anchors.ts'
import { plainLine } from './plain-line.ts'
import { type FloorReason, sentenceFloor } from './sentence-floor.ts'
import type { SessionSummary } from './session-summary.ts'

export const MEMORY_SENTENCE_VERSION = 'memory_sentence_v1'

/** What a sentence is made of. `summary` is redacted, and holds nothing that contacts or untrusted sources wrote. */
export interface SentenceInput {
  readonly kind: 'session' | 'compaction'
  readonly project: string | null
  readonly harness: string
  readonly turns: number
  readonly toolCalls: number
  readonly summary: Pick<SessionSummary, 'title' | 'asked' | 'done' | 'decisions' | 'files' | 'read' | 'topics'>
}

/**
 * Writes the sentence by other means than rules. Gets redacted text only. Answers with one sentence of 12 to 48 words about the past, in
 * the third person, that names an anchor of the input; whatever it answers is checked against the floor, and refused, not mended, when it
 * fails. May throw or take long: the caller has a time limit in `signal` and continues without it. Obeys budgets before it calls anything.
 */
export interface SentenceWriter {
  /** The model, for the run's record. */
  readonly name: string
  write(input: SentenceInput, signal: AbortSignal): Promise<string>
}

export interface MemorySentence {
  readonly text: string
  readonly version: typeof MEMORY_SENTENCE_VERSION
  /** `fallback`: writing a better one failed, and this is used instead. */
  readonly quality: 'ok' | 'fallback'
  /** `rules`, or the writer's name. */
  readonly implementation: string
  /** Why the first choice failed: the floor's reasons, or `writer-failed`. */
  readonly reasons: readonly (FloorReason | 'writer-failed')[]
}

/** The sentence by rules; where they find nothing to say, the fallback. The same input gives the same sentence. */
export function memorySentence(input: SentenceInput): MemorySentence {
  const context = sentenceContext(input)
  const anchors = anchorsOf(context)
  let reasons: FloorReason[] = []
  for (const text of candidates(input, anchors)) {
    const against = sentenceFloor(text, anchors)
    if (against.length === 0) return made(text, 'ok', 'rules', [])
    if (reasons.length === 0) reasons = against
  }
  return made(fallbackSentence(context, input), 'fallback', 'rules', reasons)
}

/** The writer's sentence if it passes the floor; else the one by rules, as a fallback. */
export async function writeMemorySentence(input: SentenceInput, writer: SentenceWriter, signal: AbortSignal): Promise<MemorySentence> {
  let reasons: MemorySentence['reasons']
  try {
    const text = plainLine(await writer.write(input, signal), Number.POSITIVE_INFINITY)
    reasons = sentenceFloor(text, anchorsOf(sentenceContext(input)))
    if (reasons.length === 0) return made(text, 'ok', writer.name, [])
  } catch (error) {
    // Interrupted is the caller's wish; every other failure of a model must not cost the session its row.
    if (signal.aborted && signal.reason === error && !(error instanceof Error && error.name === 'TimeoutError')) throw error
    reasons = ['writer-failed']
  }
  return made(memorySentence(input).text, 'fallback', 'rules', reasons)
}

/** Where the anchors of an input are looked for. */
export function sentenceContext({ project, harness, summary }: SentenceInput): SentenceContext {
  const { title, asked, done, decisions, files, read, topics } = summary
  return { project, harness, files: [...files, ...read], texts: [title, ...asked, ...done, ...decisions], topics }
}

function made(
  text: string,
  quality: MemorySentence['quality'],
  implementation: string,
  reasons: MemorySentence['reasons'],
): MemorySentence {
  return { text, version: MEMORY_SENTENCE_VERSION, quality, implementation, reasons }
}

/** From the fullest form to the barest: the first that passes the floor is taken. Where no word of it is an anchor, one is named. */
function* candidates(input: SentenceInput, [anchor]: readonly Anchor[]): Generator<string> {
  const project = anchorsOf({ project: input.project, harness: input.harness, files: [], texts: [], topics: [] })[0]
  const where = project?.kind === 'project' ? `In ${project.text}, ` : ''
  const who = `${where === '' ? 'A' : `${where}a`} ${input.kind} of ${harnessName(input.harness)}`
  yield* forms(input, who)
  if (where === '' && anchor !== undefined && anchor.kind !== 'harness') yield* forms(input, `${who} about ${anchor.text}`)
}

function* forms(input: SentenceInput, who: string): Generator<string> {
  const { summary } = input
  const asked = quotedPart(bestAsked(summary), 16)
  const changed = changedFiles(summary.files)
  const report = quotedPart(summary.done.at(-1) ?? '', 14)
  const decision = quotedPart(summary.decisions.at(-1) ?? '', 10)
  const ask = input.kind === 'compaction' ? report : asked
  if (ask === '') return
  const verb = input.kind === 'compaction' ? 'condensed' : 'dealt with'
  const outcome =
    changed !== '' ? ` and changed ${changed}` : report === '' || input.kind === 'compaction' ? '' : ` and ended with “${report}”`
  const settled = decision === '' ? '' : `, deciding “${decision}”`
  for (const end of [`${outcome}${settled}`, outcome, settled]) yield `${who} ${verb} “${ask}”${end}.`
  if (changed !== '' && report !== '') yield `${who} ${verb} “${quotedPart(ask, 10)}”, changed ${changed} and ended with “${report}”.`
  yield `${who} ${verb} “${ask}” in ${input.turns === 1 ? '1 turn' : `${Math.max(0, input.turns)} turns`} whose transcript keeps the rest.`
}

/** The first request that says something; 'yes' and 'go on' say nothing. */
function bestAsked({ asked, title }: SentenceInput['summary']): string {
  return asked.find((text) => text.split(/\s+/).length >= 4) ?? (title === 'Session without a title' ? '' : title)
}

function changedFiles(files: readonly string[]): string {
  const shown = files
    .slice(0, 3)
    // Of a file outside the project the name is enough.
    .map((file) => (/^(?:\/|[A-Za-z]:)/.test(file) ? file.replace(/^.*\//, '') : file))
    .filter((file) => file !== '' && file.length <= 80 && !/[“”|[\]`<>]/.test(file))
  if (shown.length === 0) return ''
  const more = files.length - shown.length
  const names = more > 0 ? [...shown, `${more} more`] : shown
  return names.length === 1 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

/** What could break a row or a link, but for the marks of redaction. */
const BREAKING = /\[REDACTED:[a-z0-9-]{1,40}\]|[|[\]`<>\\]/g

/** Said text as part of a sentence: no more than so many words, no end of a sentence inside, and nothing that closes its quotation. */
function quotedPart(text: string, most: number): string {
  const flat = text
    .replace(/[“”"]/g, "'")
    .replace(BREAKING, (found) => (found.length > 1 ? found : ' '))
    .replace(/[.!?。！？…]+(?=['’)]*(?:\s|$))/g, ',')
    .replace(/[。！？]+/g, ',')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
  const line = plainLine(flat.slice(0, most).join(' '), 160)
  const bare = line.replace(/[\s,;:…–—-]+$/, '').replace(/^[\s,;:)–—-]+/, '')
  return bare !== '' && (flat.length > most || line.endsWith('…')) ? `${bare}…` : bare
}

export interface FallbackFacts {
  readonly kind: 'session' | 'compaction'
  readonly turns: number
  readonly toolCalls: number
}

/** The sentence of a session for which there is no better one: plain facts about one of its anchors. Passes the floor, whatever the session: no word of it comes from the session but the anchor, which `anchorsOf` vouches for. */
export function fallbackSentence(context: SentenceContext, facts: FallbackFacts): string {
  // Never absent: the harness is an anchor where nothing else is.
  const anchor = anchorsOf(context)[0] as Anchor
  const counts = `${counted(facts.turns, 'turn')} and ${counted(facts.toolCalls, 'tool call')}`
  if (facts.kind === 'compaction') {
    return `A compaction of the session ${about(anchor)} condensed ${counts}, and its artifact keeps the text by which the session went on.`
  }
  return `A session ${about(anchor)} held ${counts} without a plainer outcome, and its transcript keeps all that was said.`
}

function about({ kind, text }: Anchor): string {
  if (kind === 'project') return `in ${text}`
  return kind === 'harness' ? `of ${text}` : `about ${text}`
}

function counted(n: number, word: string): string {
  const whole = Number.isSafeInteger(n) && n > 0 ? n : 0
  return `${whole} ${whole === 1 ? word : `${word}s`}`
}
