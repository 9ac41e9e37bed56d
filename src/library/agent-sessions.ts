import type { SessionSummary, ShownSession, ShownTurn } from '../browse/browse.ts'
import { markMemory, NOTICE } from '../core/marked-text.ts'
import { named, projectName, safe } from '../core/named.ts'
import { oneLine, plural, printable } from '../core/text.ts'
import { tokenCost } from '../core/tokens.ts'
import { onlyAnnounces } from '../search/excerpt.ts'
import type { Hints } from './agent-text.ts'

const TITLE = 80
const ASKED = 90
const ANSWERED = 60
/** Of a few turns that are asked for, so many characters a token of the budget. */
const PER_TOKEN = 3
const MOST_SAID = 900

export interface ListOptions {
  readonly from: number
  readonly total?: number
  /** How to get the next ones, if there are more. */
  readonly next?: string
}

export function sessionsForAgent(sessions: readonly SessionSummary[], { from, next, total = sessions.length }: ListOptions): string {
  if (sessions.length === 0) return from === 0 ? 'no sessions' : 'no more sessions'
  const lines = sessions.map((session, i) => `${from + i + 1}. ${sessionLine(session, TITLE)}`)
  return [
    `${total > sessions.length ? `${sessions.length} of ` : ''}${plural(total, 'session')}, newest first. ${NOTICE}`,
    markMemory(lines.join('\n')),
    ...(next === undefined ? [] : [next]),
  ].join('\n')
}

function sessionLine(session: SessionSummary, most: number): string {
  return `${named(session.id)} ${dayOf(session)} ${sessionName(session, most)} (${plural(session.turn_count, 'turn')})`
}

function dayOf({ last_message_at }: SessionSummary): string {
  return (last_message_at ?? 'no date').slice(0, 10)
}

function sessionName({ project, project_name, title }: SessionSummary, most: number): string {
  const name = projectName({ project, project_name })
  return [...(name === undefined ? [] : [safe(name)]), safe(oneLine(title ?? 'untitled', most))].join(' ')
}

export interface OutlineOptions {
  readonly budget: number
  /** First turn, from 1. Without it, `to` or `tail` list the last ones that fit. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly tail?: number | undefined
  readonly hints: Hints
}

export interface Outline {
  readonly text: string
  readonly turns: number
  readonly from: number
  readonly next_from: number | null
}

/** Prompt and answer of each turn. Turns that were asked for get as much text as the budget allows. */
export function outlineForAgent({ session, turns }: ShownSession, { budget, from: asked, to, tail, hints }: OutlineOptions): Outline {
  const last = Math.min(to ?? turns.length, turns.length)
  const isEnd = asked === undefined && (to ?? tail) !== undefined
  const range = turns.slice((asked ?? Math.max(1, last + 1 - (tail ?? last))) - 1, last)
  const rest = isEnd ? range.toReversed() : range
  let left = budget
  const room = (asked ?? to ?? tail) === undefined ? 0 : Math.min(MOST_SAID, Math.floor((PER_TOKEN * budget) / Math.max(1, range.length)))
  const most = { asked: Math.max(ASKED, Math.floor(room / 4)), answered: Math.max(ANSWERED, Math.floor((room * 3) / 4) - ASKED) }
  const lines: string[] = []
  for (const turn of rest) {
    const line = turnLine(turn, session.id, most)
    left -= tokenCost(line)
    if (left < 0 && lines.length > 0) break
    lines.push(line)
  }
  const from = isEnd ? Math.max(1, last - lines.length + 1) : (asked ?? 1)
  if (isEnd) lines.reverse()
  const next = from + lines.length <= turns.length && lines.length > 0 ? from + lines.length : null
  const part = lines.length === turns.length ? plural(turns.length, 'turn') : `turns ${from}–${from + lines.length - 1} of ${turns.length}`
  const text = [
    `${[named(session.id), dayOf(session)].join(' ')}: ${part}. ${NOTICE}`,
    // Titles are untrusted text too: inside the data mark.
    markMemory([sessionName(session, TITLE), ...lines].join('\n')),
    next === null ? `Read a turn: ${hints.read(named(turns[from - 1]?.id ?? session.id))}` : `Next: ${hints.read(named(session.id), next)}`,
  ].join('\n')
  return { text, turns: lines.length, from, next_from: next }
}

interface Lengths {
  readonly asked: number
  readonly answered: number
}

function turnLine({ id, timestamp, answers, messages }: ShownTurn, session: string, most: Lengths): string {
  const said = (role: string) => messages.filter((message) => message.role === role && message.text.trim() !== '').map(({ text }) => text)
  const shown = (text: string | undefined, length: number) => text && oneLine(printable(text), length)
  const replies = said('assistant')
  // What it was going to do says less than what came of it.
  const reply = replies.findLast((text) => !onlyAnnounces(text)) ?? replies[0]
  const calls = messages.reduce((sum, message) => sum + message.tool_calls.length, 0)
  const parts = [
    ...(timestamp === null ? [] : [timestamp.slice(5, 16).replace('T', ' ')]),
    shown(said('user')[0], most.asked) ?? shown(said('system')[0], most.asked) ?? '(no prompt)',
    ...(answers === undefined ? [] : [`(answers: ${oneLine(printable(answers), ASKED)})`]),
    ...(reply === undefined ? [] : [`→ ${shown(reply, most.answered)}`]),
    ...(calls === 0 ? [] : [`(${plural(calls, 'call')})`]),
  ]
  // Own turns need only their number; turns inherited from another session keep their full id.
  return `${id.startsWith(`${session}:`) ? id.slice(session.length) : named(id)} ${parts.join(' ')}`
}
