/** Where work stopped, as text for an agent: a few lines within a token budget, most telling first. */
import { quotedPart } from '../../analyze/outcome/quoted-part.ts'
import { estimateTokens } from '../../core/estimate-tokens.ts'
import { markMemory, NOTICE } from '../../core/marked-text.ts'
import { oneLine, plural, printable } from '../../core/text.ts'
import { ago, clockInZone, wallClock } from '../../core/time.ts'
import type { LeftOffAnswer, LeftOffSession, LeftOffState } from '../../search/left-off-answer.ts'

interface Frame {
  readonly now: number
  readonly maxTokens: number
  readonly isScoped: boolean
}

/** Paths and identifiers need more tokens than the estimate for prose. */
const MARGIN = 1.15
const MOST_FILES = 5
const WORDS = 26
const FEWER_WORDS = 14
const LONGEST = 600

export type LeftOffFacts = Omit<LeftOffAnswer, 'tokens' | 'text'>

export function leftOffText(facts: LeftOffFacts, frame: Frame): { text: string; tokens: number } {
  if (facts.sessions.length === 0) return { text: '', tokens: 0 }
  // Shortens quotes first, then drops lines, until it fits.
  for (const words of [WORDS, 20, FEWER_WORDS, 9]) {
    const lines = leftOffLines(facts, { ...frame, words })
    for (let count = lines.length; count > (words === 9 ? 0 : lines.length - 2); count--) {
      const text = markMemory([NOTICE, ...lines.slice(0, count).map(safeLine)].join('\n'))
      const tokens = Math.ceil(estimateTokens(text) * MARGIN)
      if (tokens <= frame.maxTokens) return { text, tokens }
    }
  }
  return { text: '', tokens: 0 }
}

/** For people and agents. Text of others is in quotation marks. */
export function leftOffLines(
  { project, branch, time, sessions, state, timezone }: LeftOffFacts,
  { now, words = WORDS, isScoped = true }: Pick<Frame, 'now'> & { readonly words?: number; readonly isScoped?: boolean },
): string[] {
  const [first, ...others] = sessions
  if (first === undefined || state === null) return []
  const at = Date.parse(first.last_message_at)
  const about = project === null || !isScoped ? '' : ` on ${project}`
  const when = `${clockInZone(at, timezone)} (${ago(at, now)})`
  const left = `Work${about} was left in session ${first.id}`
  const head =
    time === null
      ? left
      : time.sessions === 0
        ? `No session${about} on ${time.days}. ${left}`
        : `${time.days}, ${plural(time.sessions, 'session')}${about}, the last ${first.id}`
  const onBranch =
    first.branch === null ? '' : `, branch ${first.branch}${branch !== null && branch !== first.branch ? ` (now: ${branch})` : ''}`
  const title = first.title === null ? '' : `, “${quotedPart(first.title, Math.min(words, FEWER_WORDS))}”`
  return [
    `${head}, ${when}${onBranch}${title} (mnemonic show ${state.turn ?? first.id}).`,
    ...stateLines(state, words),
    ...(others.length === 0
      ? []
      : [`${(time?.sessions ?? 0) === 0 ? 'Before' : 'Also'}: ${others.map((session) => otherWords(session, timezone)).join('; ')}.`]),
  ]
}

function stateLines({ done, next, question, interrupted, uncommitted, failing }: LeftOffState, words: number): string[] {
  const told = done.filter(({ deed }) => deed === null)
  const deeds = done.flatMap(({ deed }) => deed ?? [])
  const turn = ({ asked, told: said }: SessionTurn) =>
    [asked ? `asked “${quotedPart(asked, Math.min(words, FEWER_WORDS))}”` : '', said ? `“${quotedPart(said, words)}”` : '']
      .filter(Boolean)
      .join(': ')
  const { files, count, by } = uncommitted
  const shown = files.slice(0, MOST_FILES)
  return [
    ...told.slice(0, 1).map((one) => `Last turn: ${turn(one)}.`),
    ...(interrupted === null ? [] : [`Broken off: ${interrupted}.`]),
    ...(question === null ? [] : [`It asked, unanswered: “${quotedPart(question, WORDS)}?”`.replace(/\?\?/, '?')]),
    ...(next.length === 0
      ? []
      : [
          `Next, as it said: ${next
            .slice(0, 3)
            .map((one) => `“${quotedPart(one, Math.min(words, 16))}”`)
            .join('; ')}.`,
        ]),
    ...(count === 0
      ? by === 'git'
        ? ['Everything is committed.']
        : []
      : [
          `${by === 'git' ? 'Uncommitted now' : 'Changed, no commit seen since'}: ${shown.map(shortPath).join(', ')}${count > shown.length ? ` and ${plural(count - shown.length, 'more file')}` : ''}.`,
        ]),
    ...(failing === null
      ? []
      : [`The last check failed: ${failing.command}${failing.line === null ? '' : ` (“${quotedPart(failing.line, FEWER_WORDS)}”)`}.`]),
    ...(deeds.length === 0 ? [] : [`Done: ${deeds.join('; ')}.`]),
    ...told.slice(1, 2).map((one) => `Earlier: ${turn(one)}.`),
  ]
}

function shortPath(path: string): string {
  return path.split('/').slice(-2).join('/')
}

interface SessionTurn {
  readonly asked: string | null
  readonly told: string | null
}

function otherWords({ id, title, last_message_at, branch }: LeftOffSession, timezone: string): string {
  const day = wallClock(Date.parse(last_message_at), timezone).day
  const about = title === null ? (branch ?? '') : `“${quotedPart(title, 8)}”`
  return [id, day, about].filter(Boolean).join(' ')
}

/** Prevents injected line breaks. */
function safeLine(line: string): string {
  return oneLine(printable(line), LONGEST)
}
