/** `memory_sentence_v1`: one sentence about a session, by rules or a model. Never below the floor, except for a missing anchor. */
import { type Anchor, anchorsOf, type SentenceContext } from './memory-sentence-anchors.ts'
import { isCourtesy } from './outcome/courtesy.ts'
import { deedWords, testWords } from './outcome/deed-words.ts'
import { withoutLeadIn } from './outcome/lead-in.ts'
import { quotedPart } from './outcome/quoted-part.ts'
import { isOfTheWork } from './outcome/telling-lines.ts'
import { capitalized } from './outcome/turn-words.ts'
import { plainLine } from './plain-line.ts'
import { type FloorReason, sentenceFloor } from './sentence-floor.ts'
import { isUntitled, type SessionSummary } from './session-summary.ts'

export const MEMORY_SENTENCE_VERSION = 'memory_sentence_v1'
/** Version of the rules; the name is the contract. */
export const MEMORY_SENTENCE = { name: MEMORY_SENTENCE_VERSION, version: '8' } as const

/** `summary` is redacted and excludes text of contacts and untrusted sources. */
export interface SentenceInput {
  readonly kind: 'session' | 'compaction'
  readonly project: string | null
  readonly turns: number
  readonly toolCalls: number
  readonly summary: Omit<SessionSummary, 'cites' | 'trust' | 'actions'>
}

/**
 * Alternative to rules; gets redacted text only. Must answer one past-tense third-person sentence of 12 to 48 words that names an anchor.
 * It is checked against the floor and never repaired. May throw or be slow: `signal` carries the time limit. Must respect budgets.
 */
export interface SentenceWriter {
  readonly name: string
  /** Version of its question; default is the rules' version. */
  readonly version?: string
  write(input: SentenceInput, signal: AbortSignal, written: WrittenSession): Promise<string>
}

export interface WrittenSession {
  readonly session: string
  readonly compaction?: { readonly message: string; readonly text: string }
}

export interface MemorySentence {
  readonly text: string
  readonly version: typeof MEMORY_SENTENCE_VERSION
  readonly quality: 'ok' | 'fallback'
  readonly implementation: string
  readonly reasons: readonly (FloorReason | 'writer-failed')[]
}

/** Deterministic. Falls back if the rules find nothing. */
export function memorySentence(input: SentenceInput): MemorySentence {
  const context = sentenceContext(input)
  const anchors = anchorsOf(context)
  let reasons: FloorReason[] = []
  for (const text of candidates(input, anchors)) {
    const against = sentenceFloor(text, anchors)
    if (against.length === 0) return made(text, 'ok', 'rules', [])
    if (reasons.length === 0) reasons = against
  }
  const asked = subjectOf(input.summary, 24)
  const open = `${about(anchors[0])}, “${asked}” was ${FIRST_PERSON.test(asked) || NAMED.test(asked) ? 'said' : 'asked'}, and no outcome was reported.`
  for (const { text, saysOutcome } of [
    ...(asked === '' || input.project === null ? [] : [{ text: capitalized(open), saysOutcome: false }]),
    ...conversation(input, anchors[0]),
  ]) {
    const against = sentenceFloor(text, anchors)
    if (against.length === 0) return made(text, saysOutcome ? 'ok' : 'fallback', 'rules', reasons)
    // A session without any anchor may quote itself instead.
    if (anchors.length === 0 && against.every((reason) => reason === 'no-anchor')) return made(text, 'fallback', 'rules', against)
  }
  return made(fallbackSentence(context, input), 'fallback', 'rules', reasons)
}

const FIRST_PERSON =
  /^(?:(?:ok(?:ay)?|so|and|but|well|no|nah|yes|actually|remember|note|i told you)[,:]? )*(?:i|we|they|he|she|my|our|i['’]m|we['’]re|let['’]s|never|always|nobody|everybody)\b(?!.*\?)/i
const NAMED =
  /^(?!(?:Who|What|Which|Why|How|Where|When|Whose|There) )\p{Lu}[\p{L}'’]+(?: \p{Lu}[\p{L}'’]+)? (?:is|are|was|works|lives|has|had|used|uses|prefers|moved|mentioned|needs|likes|said|decided|agreed)\b(?!.*\?)/u

interface Told {
  readonly text: string
  readonly saysOutcome: boolean
}

function* conversation({ kind, project, summary }: SentenceInput, anchor: Anchor | undefined): Generator<Told> {
  if (project !== null || kind === 'compaction') return
  for (const what of ['A conversation without a project', ...(anchor === undefined ? [] : [`A conversation about ${anchor.text}`])])
    for (const words of [16, 10]) {
      const asked = subjectOf(summary, words) || quotedPart(withoutLeadIn(summary.asked[0] ?? ''), words)
      const told = quotedPart(reportOf(summary), words)
      if (asked !== '' && told !== '') {
        yield { text: `${what} asked “${asked}” and was told “${told}”.`, saysOutcome: true }
        yield { text: `${what} asked “${asked}” and was told “${told}”, and nothing else came of it.`, saysOutcome: true }
      }
      // Not every answer is a report: the transcript may hold more.
      if (asked !== '') yield { text: `${what} asked “${asked}”; its transcript keeps the rest.`, saysOutcome: false }
      if (told !== '') yield { text: `${what} was told “${told}”, and its transcript keeps what was asked.`, saysOutcome: true }
    }
  const opening = isUntitled(summary) ? '' : quotedPart(summary.title, 10)
  if (opening === '') return
  yield { text: `A conversation without a project began with “${opening}”, and came to no request and no result.`, saysOutcome: false }
}

export async function writeMemorySentence(
  input: SentenceInput,
  writer: SentenceWriter,
  signal: AbortSignal,
  written: WrittenSession = { session: '' },
): Promise<MemorySentence> {
  let reasons: MemorySentence['reasons']
  try {
    const text = plainLine(await writer.write(input, signal, written), Number.POSITIVE_INFINITY)
    reasons = sentenceFloor(text, anchorsOf(sentenceContext(input)))
    if (reasons.length === 0) return made(text, 'ok', writer.name, [])
  } catch (error) {
    // The caller's abort propagates; any other model failure must not cost the session its row.
    if (signal.aborted && signal.reason === error && !(error instanceof Error && error.name === 'TimeoutError')) throw error
    reasons = ['writer-failed']
  }
  return stoodIn(input, reasons)
}

export function stoodIn(input: SentenceInput, reasons: MemorySentence['reasons']): MemorySentence {
  return made(memorySentence(input).text, 'fallback', 'rules', reasons)
}

export function sentenceContext({ project, summary }: SentenceInput): SentenceContext {
  const { title, plan, asked, commits, pulls, done, decisions, files, read, components, topics } = summary
  const named = pulls.flatMap(({ number, text }) => [number === null ? '' : `PR ${number}`, text])
  return {
    // Topics are our own words: they name something only within a project.
    ...{ project, files: [...files, ...read], topics: project === null ? [] : topics },
    texts: [title, plan ?? '', ...named, ...commits, ...asked, ...done, ...decisions],
    components,
  }
}

function made(
  text: string,
  quality: MemorySentence['quality'],
  implementation: string,
  reasons: MemorySentence['reasons'],
): MemorySentence {
  return { text, version: MEMORY_SENTENCE_VERSION, quality, implementation, reasons }
}

/** From the fullest to the barest form; the first that passes wins. */
function* candidates(input: SentenceInput, anchors: readonly Anchor[]): Generator<string> {
  const [anchor] = anchors
  if (anchor === undefined) return
  const where = anchor.kind === 'project' ? `In ${anchor.text}, ` : `About ${anchor.text}: `
  for (const words of [14, 10, 7]) {
    for (const form of input.kind === 'compaction' ? condensed(input, words) : forms(input, words)) {
      yield `${capitalized(form)}.`
      yield `${where}${form}.`
    }
  }
}

function* condensed({ summary }: SentenceInput, words: number): Generator<string> {
  const about = subjectOf(summary, words)
  const [deed = ''] = deedWords(summary, { words, most: 1 })
  const report = quotedPart(summary.done.at(-1) ?? '', words)
  if (about === '' && report === '') return
  const what = `a compaction condensed “${about === '' ? report : about}”`
  for (const came of [deed === '' ? '' : `, which ${deed}`, report === '' || about === '' ? '' : `, which had reported “${report}”`, ''])
    yield `${what}${came}`
}

function* forms({ summary }: SentenceInput, words: number): Generator<string> {
  const [deed = '', ...others] = deedWords({ ...summary, tests: null }, { words, most: 2 })
  const isMade = summary.pulls.length + summary.commits.length > 0
  // If only files changed, the request tells more.
  const report = quotedPart(reportOf(summary), deed === '' ? 22 : words)
  const room = isMade ? words : words + 6
  // Overlap with file names is accepted if nothing else was reported.
  const about = subjectOf(summary, room, deed) || (isMade || report !== '' ? '' : subjectOf(summary, room))
  const tests = testWords(summary.tests)
  const left = quotedPart(summary.open[0] ?? '', 6)
  const aim = about === '' ? '' : ` for “${about}”`
  const state = [tests, left === '' ? '' : `“${left}” is left to do`].filter((part) => part !== '')
  const told = report === '' ? [] : [`reported “${report}”`]
  if (deed === '') {
    if (report === '') return
    const asked = subjectOf(summary, words + 4)
    if (asked !== '') yield `asked “${asked}” and found “${report}”`
    yield `found “${report}”`
    return
  }
  const other = others.slice(0, 1)
  for (const [also, how] of [
    [[...other, ...told], state],
    [told, state],
    [other, state],
    [[], state],
    [other, []],
    [[], []],
  ] as const)
    yield [joined([`${deed}${aim}`, ...also]), ...(how.length === 0 ? [] : [how.join(', and ')])].join('; ')
}

function joined(verbs: readonly string[]): string {
  const last = verbs.at(-1) ?? ''
  if (verbs.length < 2) return last
  const before = verbs.slice(0, -1).join(', ')
  return `${before}${verbs.length > 2 || / and /.test(before) ? ',' : ''} and ${last}`
}

function reportOf({ report, done, commits, files }: SentenceInput['summary']): string {
  if (report !== null) return report
  return (commits.length + files.length > 0 ? done.filter((line) => !isOfTheWork(line)) : done).at(-1) ?? ''
}

function subjectOf({ plan, title, asked, aim }: SentenceInput['summary'], words: number, deed = ''): string {
  const known = new Set(strongWords(deed))
  // A title cut from a request says less than the whole request or the one carried out.
  const request = asked.find((one) => one.startsWith(title.replace(/…$/, '').slice(0, 40)))
  const named = isUntitled({ title }) ? '' : (request ?? title)
  for (const text of [plan ?? '', ...(request === undefined ? [named, aim ?? ''] : [aim ?? '', named]), ...asked]) {
    const subject = quotedPart(withoutLeadIn(text), words)
    const own = strongWords(subject)
    if (own.length >= 2 && !isCourtesy(subject)) return own.filter((word) => !known.has(word)).length * 2 >= own.length ? subject : ''
  }
  return ''
}

function strongWords(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []).filter((word) => !LITTLE.has(word))
}

const LITTLE = new Set(
  'the and for with that this from into when was were are has have can you our not its please should would could'.split(' '),
)

export interface FallbackFacts {
  readonly kind: 'session' | 'compaction'
  readonly turns: number
  readonly toolCalls: number
}

/** Plain facts around one anchor, the only word taken from the session. Passes the floor if an anchor exists. */
export function fallbackSentence(context: SentenceContext, facts: FallbackFacts): string {
  const [anchor] = anchorsOf(context)
  const counts = `${counted(facts.turns, 'turn')} and ${counted(facts.toolCalls, 'tool call')}`
  if (facts.kind === 'compaction') {
    return `A compaction of the session ${about(anchor)} condensed ${counts}, and its artifact keeps the text by which the session went on.`
  }
  return `A session ${about(anchor)} held ${counts} without a plainer outcome, and its transcript keeps all that was said.`
}

function about(anchor: Anchor | undefined): string {
  if (anchor === undefined) return 'without a project'
  return `${anchor.kind === 'project' ? 'in' : 'about'} ${anchor.text}`
}

function counted(n: number, word: string): string {
  const whole = Number.isSafeInteger(n) && n > 0 ? n : 0
  return `${whole} ${whole === 1 ? word : `${word}s`}`
}
