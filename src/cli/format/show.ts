/** Ledger text is cleaned of control sequences here. */
import { plural } from '../../core/text.ts'
import type { SessionSummary, ShowAnswer, ShownDocument, ShownMessage, ShownOutline, ShownPages, ShownTurn } from '../../library/index.ts'
import { shorten, width as visibleWidth, wrap } from './layout.ts'
import { printable } from './printable.ts'
import { localTime, tokens, when } from './quantity.ts'
import type { Style } from './style.ts'
import { formatTree } from './tree.ts'

export interface ShowFormat {
  readonly style: Style
  readonly width: number
  readonly now: number
  readonly tools: boolean
  /** Breaks words wider than the line. Otherwise they stay whole, to be found and copied. */
  readonly strict: boolean
}

export function formatShow(answer: ShowAnswer | ShownDocument, format: ShowFormat): string {
  if (answer.kind === 'document') return formatDocument(answer, format)
  if (answer.kind === 'tree') return formatTree(answer, format)
  if (answer.kind === 'outline') return [sessionHead(answer.session, format), '', ...outlineLines(answer.turns, format)].join('\n')
  return [sessionHead(answer.session, format), ...answer.turns.map((turn) => formatTurn(turn, format))].join('\n\n')
}

export async function* formatPages({ session, pages }: ShownPages, format: ShowFormat): AsyncGenerator<string> {
  yield `${sessionHead(session, format)}\n`
  for await (const page of pages) for (const turn of page) yield `\n${formatTurn(turn, format)}\n`
}

function lines(text: string, { width, strict }: ShowFormat, indent = ''): string {
  return wrap(text, width, indent, strict ? 'break' : 'whole')
}

function formatDocument({ document }: ShownDocument, format: ShowFormat): string {
  const { path, id, title, thread_id, timestamp, from, lines: count, total_lines, text } = document
  const { style, now, strict } = format
  const some =
    count === 0 ? `no line ${from}: it has ${plural(total_lines, 'line')}` : `lines ${from}–${from + count - 1} of ${total_lines}`
  const part = count === total_lines ? plural(total_lines, 'line') : some
  const talk = thread_id === '' ? [] : [printable(id)]
  const facts = [...(timestamp === null ? [] : [when(timestamp, now)]), part, ...talk]
  const name = thread_id === '' ? path : (title ?? id)
  const clean = printable(text)
  return [style.bold(lines(printable(name), format)), style.dim(facts.join(' · ')), '', strict ? lines(clean, format) : clean].join('\n')
}

function sessionHead(session: SessionSummary, format: ShowFormat): string {
  const { style, now } = format
  const clean = printable
  const facts = [
    ...(session.started_at === null ? [] : [when(session.started_at, now)]),
    ...(session.project === null ? [] : [clean(session.project)]),
    ...(session.models.length > 0 ? [clean(session.models.join(', '))] : session.model === null ? [] : [clean(session.model)]),
    `${plural(session.turn_count, 'turn')}, ${plural(session.message_count, 'message')}, ${plural(session.tool_call_count, 'tool call')}`,
    tokens(session),
  ]
  const parent = session.parent_session_id === null ? '' : `, subagent of ${clean(session.parent_session_id)}`
  return [
    style.bold(lines(clean(session.title ?? session.label), format)),
    style.dim(lines(facts.join(' · '), format)),
    style.dim(lines(`session ${clean(session.id)} (${clean(session.session_id)})${parent}`, format)),
  ].join('\n')
}

function outlineLines(turns: ShownOutline['turns'], { style, width }: ShowFormat): string[] {
  const longest = Math.max(0, ...turns.map(({ id }) => id.length))
  return turns.map(({ id, timestamp, prompt, tool_call_count, status, turn_type }) => {
    const time = timestamp === null ? ' '.repeat(16) : localTime(timestamp)
    const state = [...(status === 'superseded' ? ['abandoned'] : []), ...(turn_type === 'compaction' ? ['compaction'] : [])].map(
      (word) => `(${word}) `,
    )
    const calls = tool_call_count === 0 ? '' : `  ${plural(tool_call_count, 'tool call')}`
    const head = `${printable(id).padEnd(longest)}  ${time}  `
    const room = Math.max(width - head.length - calls.length, 8)
    return `${style.cyan(head)}${shorten(`${state.join('')}${printable(prompt) || '…'}`, room)}${style.dim(calls)}`
  })
}

function formatTurn(turn: ShownTurn, format: ShowFormat): string {
  const state = [...(turn.status === 'final' ? [] : [turn.status]), ...(turn.turn_type === 'compaction' ? ['compaction'] : [])]
  const time = turn.timestamp === null ? '' : localTime(turn.timestamp)
  const line = ['──', time, printable(turn.id), ...state].filter((part) => part !== '').join(' ')
  const messages = turn.messages.map((message) => formatMessage(message, format)).filter((text) => text !== '')
  const answers = turn.answers === undefined ? [] : [format.style.dim(lines(`answers: ${printable(turn.answers)}`, format, '  '))]
  return [format.style.dim(lines(line, format)), ...answers, ...messages].join('\n')
}

function formatMessage(message: ShownMessage, format: ShowFormat): string {
  const { style } = format
  const distrust = message.trust === 'owner' || message.trust === 'agent' ? '' : style.yellow(` (${message.trust})`)
  const who = message.role === 'user' ? style.green(printable(message.speaker)) : style.cyan(printable(message.speaker))
  const calls = message.tool_calls.map((call) => formatCall(call, format))
  const text = withoutBlankEnds(printable(message.text))
  if (text === '' && calls.length === 0) return ''
  // The call already shows its output.
  if (message.role === 'tool' && !format.tools) return ''
  return [...(text === '' ? [] : [`${who}${distrust}`, lines(text, format, '  ')]), ...calls].join('\n')
}

function formatCall(call: ShownMessage['tool_calls'][number], format: ShowFormat): string {
  const { style, width, tools } = format
  const child = call.child_session_id === null ? '' : ` ⇒ ${printable(call.child_session_id)}`
  const status = call.status === 'error' || call.status === 'failed' ? style.red(` ${call.status}`) : ''
  const params = printable(call.params ?? '')
  const name = printable(call.tool ?? 'tool')
  const failed = status === '' ? '' : ` ${call.status}`
  if (!tools) {
    const room = Math.max(width - visibleWidth(name + child + failed) - 5, 12)
    return (
      lines(`→ ${name} ${shorten(params, room)}${child}`, format, '  ')
        .split('\n')
        .map(style.dim)
        .join('\n') + status
    )
  }
  const result = withoutBlankEnds(printable(call.result ?? ''))
  return [
    style.dim(lines(`→ ${name}${child}`, format, '  ')) + status,
    ...[params, result].filter((text) => text !== '').map((text) => style.dim(lines(text, format, '    '))),
  ].join('\n')
}

function withoutBlankEnds(text: string): string {
  return text.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd()
}
