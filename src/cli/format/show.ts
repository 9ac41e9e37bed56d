/** A session or a turn for people: who said what, when, and which tools ran. Ledger text is cleaned of control sequences. */
import { plural, stripControls } from '../../core/text.ts'
import type { SessionSummary, ShowAnswer, ShownDocument, ShownMessage, ShownTurn } from '../../library/index.ts'
import { shorten, wrap } from './layout.ts'
import { localTime, tokens, when } from './quantity.ts'
import type { Style } from './style.ts'
import { formatTree } from './tree.ts'

export interface ShowFormat {
  readonly style: Style
  readonly width: number
  readonly now: number
  /** Parameters and results of tool calls in full, not in one line. */
  readonly tools: boolean
}

export function formatShow(answer: ShowAnswer | ShownDocument, format: ShowFormat): string {
  if (answer.kind === 'document') return formatDocument(answer, format)
  if (answer.kind === 'tree') return formatTree(answer, format)
  return [header(answer.session, format), ...answer.turns.map((turn) => formatTurn(turn, format))].join('\n\n')
}

function formatDocument({ document }: ShownDocument, { style, now }: ShowFormat): string {
  const { path, timestamp, from, lines, total_lines, text } = document
  const some =
    lines === 0 ? `no line ${from}: it has ${plural(total_lines, 'line')}` : `lines ${from}–${from + lines - 1} of ${total_lines}`
  const part = lines === total_lines ? plural(total_lines, 'line') : some
  const facts = [...(timestamp === null ? [] : [when(timestamp, now)]), part]
  return [style.bold(stripControls(path)), style.dim(facts.join(' · ')), '', stripControls(text)].join('\n')
}

function header(session: SessionSummary, { style, now }: ShowFormat): string {
  const clean = (text: string) => stripControls(text)
  const facts = [
    ...(session.started_at === null ? [] : [when(session.started_at, now)]),
    ...(session.project === null ? [] : [clean(session.project)]),
    ...(session.models.length > 0 ? [clean(session.models.join(', '))] : session.model === null ? [] : [clean(session.model)]),
    `${plural(session.turn_count, 'turn')}, ${plural(session.message_count, 'message')}, ${plural(session.tool_call_count, 'tool call')}`,
    tokens(session),
  ]
  return [
    style.bold(clean(session.title ?? session.label)),
    style.dim(facts.join(' · ')),
    style.dim(
      `session ${clean(session.session_id)}${session.parent_session_id === null ? '' : `, subagent of ${clean(session.parent_session_id)}`}`,
    ),
  ].join('\n')
}

function formatTurn(turn: ShownTurn, format: ShowFormat): string {
  const state = [...(turn.status === 'final' ? [] : [turn.status]), ...(turn.turn_type === 'compaction' ? ['compaction'] : [])]
  const time = turn.timestamp === null ? '' : localTime(turn.timestamp)
  const line = ['──', time, stripControls(turn.turn_id), ...state].filter((part) => part !== '').join(' ')
  const messages = turn.messages.map((message) => formatMessage(message, format)).filter((text) => text !== '')
  return [format.style.dim(line), ...messages].join('\n')
}

function formatMessage(message: ShownMessage, format: ShowFormat): string {
  const { style, width } = format
  const distrust = message.trust === 'owner' || message.trust === 'agent' ? '' : style.yellow(` (${message.trust})`)
  const who = message.role === 'user' ? style.green(stripControls(message.speaker)) : style.cyan(stripControls(message.speaker))
  const calls = message.tool_calls.map((call) => formatCall(call, format))
  const text = stripControls(message.text).trim()
  if (text === '' && calls.length === 0) return ''
  // The output of a tool is shown with its call already.
  if (message.role === 'tool' && !format.tools) return ''
  return [...(text === '' ? [] : [`${who}${distrust}`, wrap(text, width, '  ')]), ...calls].join('\n')
}

function formatCall(call: ShownMessage['tool_calls'][number], { style, width, tools }: ShowFormat): string {
  const child = call.child_session_id === null ? '' : ` ⇒ ${stripControls(call.child_session_id)}`
  const status = call.status === 'error' || call.status === 'failed' ? style.red(` ${call.status}`) : ''
  const params = stripControls(call.params ?? '')
  const name = stripControls(call.tool ?? 'tool')
  if (!tools) return style.dim(`  → ${name} ${shorten(params, Math.max(width - name.length - 8, 20))}${child}`) + status
  const result = stripControls(call.result ?? '').trim()
  return [
    style.dim(`  → ${name}${child}`) + status,
    ...[params, result].filter((text) => text !== '').map((text) => style.dim(wrap(text, width, '    '))),
  ].join('\n')
}
