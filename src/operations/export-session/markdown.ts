/** Text must not end its quote, load images or run anything. */
import type { SessionSummary, ShownMessage, ShownTurn } from '../../browse/browse.ts'
import { plural, stripControls } from '../../core/text.ts'

/** Copies with this mark are not indexed again. */
const EXPORT_MARKER = '<!-- mnemonic:export v1 -->'

export function markdownHead(session: SessionSummary): string {
  const facts = [
    ['Session', session.session_id],
    ['Harness', session.harness],
    ['Project', session.project],
    ['Model', session.models.join(', ') || session.model],
    ['Began', session.started_at],
    ['Last message', session.last_message_at],
    [
      'Size',
      `${plural(session.turn_count, 'turn')}, ${plural(session.message_count, 'message')}, ${plural(session.tool_call_count, 'tool call')}`,
    ],
  ] as const
  const lines = facts.flatMap(([name, value]) => (value ? [`- ${name}: ${inline(value)}`] : []))
  return `# ${inline(session.title ?? session.label)}\n${EXPORT_MARKER}\n\n${lines.join('\n')}\n\nSecrets are redacted.\n`
}

export function markdownTurn(turn: ShownTurn): string {
  const head = `\n## ${inline(turn.id)}${turn.timestamp === null ? '' : ` · ${turn.timestamp}`}\n`
  return head + turn.messages.map(message).join('')
}

export const MARKDOWN_END = ''

function message({ role, speaker, text, trust, tool_calls }: ShownMessage): string {
  const distrust = trust === 'owner' || trust === 'agent' ? '' : ` (${trust})`
  const said = role === 'tool' ? '' : text.trim()
  const block = said === '' ? '' : `\n**${inline(speaker)}**${distrust}\n\n${quoted(said)}\n`
  return block + tool_calls.map(call).join('')
}

function call({ tool, status, params, result }: ShownMessage['tool_calls'][number]): string {
  const failed = status === 'error' || status === 'failed' ? `: ${status}` : ''
  const parts = [params, result].flatMap((text) => (text ? [fenced(text)] : []))
  return `\n<details>\n<summary>${html(tool ?? 'tool')}${failed}</summary>\n\n${parts.join('\n')}\n</details>\n`
}

/** Longer than any run of backticks inside. */
function fenced(text: string): string {
  const clean = stripControls(text)
  const longest = Math.max(0, ...[...clean.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(Math.max(3, longest + 1))
  return `${fence}\n${clean}\n${fence}\n`
}

/** Anywhere in a line: in a list item, a fence ends with the item. */
const FENCE = /`{3,}|~{3,}/
const OPENS = /^(?:(`{3,})[^`]*|(~{3,}).*)$/

function quoted(text: string): string {
  const clean = stripControls(text)
  const lines = harmlessLines(clean.split('\n')) ?? fenced(clean).trimEnd().split('\n')
  return lines.map((line) => `> ${line}`.trimEnd()).join('\n')
}

/** Undefined if ambiguous: then all becomes code. */
function harmlessLines(lines: readonly string[]): string[] | undefined {
  const harmless: string[] = []
  let fence: string | undefined
  let isOpen = false
  for (const line of lines) {
    if (fence !== undefined) {
      harmless.push(line)
      const [mark] = /^[`~]+(?=\s*$)/.exec(line) ?? []
      if (mark?.startsWith(fence) && !/`~|~`/.test(mark)) fence = undefined
      else if (mark === undefined && FENCE.test(/^ {1,3}(\S*)\s*$/.exec(line)?.[1] ?? '')) return undefined
      continue
    }
    const [, ticks, tildes] = OPENS.exec(line) ?? []
    fence = ticks ?? tildes
    if (fence === undefined && FENCE.test(line)) return undefined
    if (line.trim() === '' || fence !== undefined) isOpen = false
    if (fence !== undefined) harmless.push(line)
    else {
      const pieces: readonly Piece[] | undefined = isOpen ? undefined : codeSpans(line)
      isOpen = pieces === undefined && line.trim() !== ''
      harmless.push((pieces ?? [{ text: line, code: false }]).map(({ text, code }) => (code ? text : asText(text))).join(''))
    }
  }
  return harmless
}

interface Piece {
  readonly text: string
  readonly code: boolean
}

/** Undefined if unpaired: the code may continue on the next line. */
function codeSpans(line: string): Piece[] | undefined {
  if (line.includes('\\`')) return undefined
  const runs = [...line.matchAll(/`+/g)].map(({ 0: run, index }) => ({ from: index, to: index + run.length }))
  const pieces: Piece[] = []
  let at = 0
  while (runs.length > 0) {
    const open = runs.shift() as (typeof runs)[number]
    const closing = runs.findIndex(({ from, to }) => to - from === open.to - open.from)
    const close = runs[closing]
    if (close === undefined) return undefined
    runs.splice(0, closing + 1)
    pieces.push({ text: line.slice(at, open.from), code: false }, { text: line.slice(open.from, close.to), code: true })
    at = close.to
  }
  return [...pieces, { text: line.slice(at), code: false }]
}

function asText(text: string): string {
  return text.replace(/<|!\[/g, (found) => (found === '<' ? '&lt;' : '!\\['))
}

function inline(text: string): string {
  return stripControls(text)
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]<>#|]/g, (character) => (character === '<' ? '&lt;' : `\\${character}`))
}

function html(text: string): string {
  return stripControls(text).replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
}
