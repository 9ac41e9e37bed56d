/** `session_summary` by rules: what a session was asked, did and decided, in a few lines. Says nothing that its turns do not; no network. */
import { leastTrusted, type Trust } from '../core/trust.ts'
import { decisionFlags } from './decisions.ts'
import { escapeInline, plainLine, plainText, sentencesOf } from './plain-line.ts'
import { type FileCall, sessionFiles } from './session-files.ts'
import { topicTags } from './topics.ts'

export const SESSION_SUMMARY = { name: 'session_summary', version: '1' } as const

export interface SummarySession {
  readonly title: string | null
  readonly project: string | null
  readonly trust: Trust
}

/** One turn of the session's current path. */
export interface SummaryTurn {
  /** What opened it, empty when nobody asked. */
  readonly prompt: string
  readonly promptTrust: Trust
  /** The final answer. */
  readonly answer: string
  readonly answerTrust: Trust
  readonly topics?: readonly string[]
  readonly calls?: readonly FileCall[]
}

/** Every text is one line, redacted, without markup. */
export interface SessionSummary {
  readonly title: string
  readonly asked: readonly string[]
  readonly done: readonly string[]
  readonly decisions: readonly string[]
  readonly actions: readonly string[]
  /** Changed by tool calls. */
  readonly files: readonly string[]
  /** Read by tool calls and not changed. */
  readonly read: readonly string[]
  readonly topics: readonly string[]
  /** Of all that its lines were taken from. */
  readonly trust: Trust
}

const MOST_ASKED = 8
const MOST_DONE = 6
const MOST_DECISIONS = 8
const MOST_FILES = 20
const MOST_TOPICS = 6
const LONGEST_LINE = 220
const LONGEST_TITLE = 120

/** The same turns give the same summary. Text of contacts and of untrusted origin is left out: a summary is shown as its session's own words. */
export function sessionSummary(session: SummarySession, turns: readonly SummaryTurn[]): SessionSummary {
  const prompts = turns.filter((turn) => isOurs(turn.promptTrust)).map((turn) => ({ turn, text: plainText(turn.prompt) }))
  const answers = turns.filter((turn) => isOurs(turn.answerTrust)).map((turn) => ({ turn, text: plainText(turn.answer) }))
  const asked = spread(distinct(prompts.map(({ text }) => firstOf(text))), MOST_ASKED)
  const decisions: string[] = []
  const actions: string[] = []
  for (const { text } of inTurnOrder(turns, prompts, answers)) {
    for (const sentence of sentencesOf(text)) {
      const { hasDecision, hasAction } = decisionFlags(sentence)
      if (hasDecision) decisions.push(line(sentence))
      if (hasAction) actions.push(line(sentence))
    }
  }
  const title = isOurs(session.trust) ? plainLine(session.title ?? '', LONGEST_TITLE) : ''
  const calls = turns.flatMap((turn) => turn.calls ?? [])
  const files = sessionFiles(calls, { project: session.project, most: MOST_FILES })
  return {
    title: title !== '' ? title : line(asked[0] ?? '', LONGEST_TITLE) || 'Session without a title',
    asked,
    done: distinct(answers.map(({ text }) => reportOf(text))).slice(-MOST_DONE),
    // The newest settle what the older ones said.
    decisions: distinct(decisions).slice(-MOST_DECISIONS),
    actions: distinct(actions).slice(-MOST_DECISIONS),
    files: files.changed,
    read: files.read,
    topics: commonTopics(turns, prompts.map(({ text }) => text).join('\n\n')),
    trust: leastTrusted([...prompts.map(({ turn }) => turn.promptTrust), ...answers.map(({ turn }) => turn.answerTrust)]),
  }
}

/** The summary as markdown below a heading of the caller. What was said is in quotation marks, never a sentence of its own. */
export function sessionSummaryMarkdown(summary: SessionSummary): string {
  const sections = [
    section('Asked', summary.asked.map(quoted)),
    section('Done', summary.done.map(quoted)),
    section('Decisions', summary.decisions.map(quoted)),
    section('Actions', summary.actions.map(quoted)),
    section('Files changed', summary.files.map(escapeInline)),
    section('Files read', summary.read.map(escapeInline)),
    section('Topics', summary.topics.length === 0 ? [] : [escapeInline(summary.topics.join(', '))]),
  ].filter((part) => part !== '')
  return sections.length === 0 ? 'Nothing was said in this session.' : sections.join('\n\n')
}

function section(heading: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `## ${heading}\n\n${items.map((item) => `- ${item}`).join('\n')}`
}

/** Inner quotation marks become single ones, so that the outer pair keeps holding the text. */
export function quoted(text: string): string {
  return `“${escapeInline(text.replace(/[“”"]/g, "'"))}”`
}

function isOurs(trust: Trust): boolean {
  return trust === 'owner' || trust === 'agent'
}

type Said = { readonly turn: SummaryTurn; readonly text: string }

function* inTurnOrder(turns: readonly SummaryTurn[], prompts: readonly Said[], answers: readonly Said[]): Generator<Said> {
  const promptOf = new Map(prompts.map((said) => [said.turn, said]))
  const answerOf = new Map(answers.map((said) => [said.turn, said]))
  for (const turn of turns) {
    for (const said of [promptOf.get(turn), answerOf.get(turn)]) if (said !== undefined) yield said
  }
}

function line(text: string, max = LONGEST_LINE): string {
  return plainLine(text, max)
}

function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text)
}

/** What a prompt asks: its first sentence, with the next while that says little or only leads up to it. */
function firstOf(text: string): string {
  let first = ''
  for (const sentence of sentencesOf(text)) {
    if (!hasWords(sentence)) continue
    first = first === '' ? sentence : `${first} ${sentence}`
    if (first.split(/\s+/).length >= 4 && !first.endsWith(':')) break
  }
  return line(first)
}

const REPORT =
  /^(?:done\b|all (?:tests|done)|(?:i|we)(?:'ve|’ve| have)? (?:now |also |just )?(?:added|fixed|changed|updated|implemented|removed|created|wrote|written|moved|renamed|found|made|ran|refactored|replaced|rewrote)|added|fixed|changed|updated|implemented|removed|created|wrote|moved|renamed|refactored|replaced|the (?:fix|change|cause|problem|bug|tests?))\b/i

/** What an answer says it did: its first sentence that reports, else its first whole one: a heading says nothing. */
function reportOf(text: string): string {
  const sentences = sentencesOf(text).filter(hasWords)
  const whole = (sentence: string) => /[.!?。！？]['")”’]*$/.test(sentence)
  return line(sentences.find((sentence) => REPORT.test(sentence)) ?? sentences.find(whole) ?? sentences[0] ?? '')
}

function distinct(lines: readonly string[]): string[] {
  const seen = new Set<string>()
  return lines.filter((text) => {
    const key = text.toLowerCase()
    if (text === '' || seen.has(key)) return false
    seen.add(key)
    return true
  })
}

/** The first half and the last half of what fits: how it began and where it ended. */
function spread(lines: readonly string[], most: number): string[] {
  return lines.length <= most ? [...lines] : [...lines.slice(0, most / 2), ...lines.slice(-most / 2)]
}

function commonTopics(turns: readonly SummaryTurn[], prompts: string): string[] {
  const counts = new Map<string, number>()
  for (const topic of turns.flatMap((turn) => turn.topics ?? [])) {
    const clean = plainLine(topic, 60)
    if (hasWords(clean)) counts.set(clean, (counts.get(clean) ?? 0) + 1)
  }
  if (counts.size === 0) return topicTags(prompts)
  return [...counts]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, MOST_TOPICS)
    .map(([topic]) => topic)
}
