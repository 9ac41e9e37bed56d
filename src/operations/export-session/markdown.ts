/** One conversation as markdown: what was said as quotes, tool calls folded. What was said cannot end a quote, load a picture or run anything. */
import type { SessionSummary, ShownMessage, ShownTurn } from '../../browse/browse.ts'
import { plural, stripControls } from '../../core/text.ts'

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
  return `# ${inline(session.title ?? session.label)}\n\n${lines.join('\n')}\n\nSecrets are redacted.\n`
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

/** Longer than every row of backticks inside. */
function fenced(text: string): string {
  const clean = stripControls(text)
  const longest = Math.max(0, ...[...clean.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(Math.max(3, longest + 1))
  return `${fence}\n${clean}\n${fence}\n`
}

function quoted(text: string): string {
  let fence: string | undefined
  return stripControls(text)
    .split('\n')
    .map((line) => {
      const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? []
      const isCode = fence !== undefined || mark !== undefined
      if (fence === undefined) fence = mark
      else if (mark?.startsWith(fence) && /^\s*[`~]+\s*$/.test(line)) fence = undefined
      return isCode ? `> ${line}` : `> ${harmless(line)}`.trimEnd()
    })
    .join('\n')
}

/** Outside of code: tags and pictures stay text. */
function harmless(line: string): string {
  return line.replace(/(`+)(?:(?!\1).)+\1|<|!\[/g, (found) => (found === '<' ? '&lt;' : found === '![' ? '!\\[' : found))
}

function inline(text: string): string {
  return stripControls(text)
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]<>#|]/g, (character) => (character === '<' ? '&lt;' : `\\${character}`))
}

function html(text: string): string {
  return stripControls(text).replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
}
