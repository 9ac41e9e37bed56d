/** The page loads and runs nothing. */
import type { SessionSummary, ShownMessage, ShownTurn } from '../../browse/browse.ts'
import { plural, stripControls } from '../../core/text.ts'

const STYLE = `
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem }
h2 { font-size: 1rem; font-weight: normal; opacity: .7; border-top: 1px solid #8886; padding-top: 1rem; margin-top: 2rem }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; margin: .25rem 0 1rem }
details pre { font: 13px/1.4 ui-monospace, monospace; opacity: .85; border-left: 3px solid #8886; padding-left: .75rem }
summary { cursor: pointer; opacity: .7; font-size: .875rem }
.user { border-left: 3px solid #4a8; padding-left: .75rem }
.facts, .distrust { opacity: .7; font-size: .875rem }
`

export function htmlHead(session: SessionSummary): string {
  const title = escaped(session.title ?? session.label)
  const facts = [
    session.session_id,
    session.project,
    session.models.join(', ') || session.model,
    session.started_at,
    `${plural(session.turn_count, 'turn')}, ${plural(session.message_count, 'message')}, ${plural(session.tool_call_count, 'tool call')}`,
  ]
  const shown = facts.flatMap((fact) => (fact ? [escaped(fact)] : [])).join(' · ')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${title}</h1>
<p class="facts">${shown} · secrets are redacted</p>
`
}

export function htmlTurn(turn: ShownTurn): string {
  const id = escaped(turn.id)
  return `<h2 id="${id}">${id}${turn.timestamp === null ? '' : ` · ${escaped(turn.timestamp)}`}</h2>\n${turn.messages.map(message).join('')}`
}

export const HTML_END = '</body>\n</html>\n'

function message({ role, speaker, text, trust, tool_calls }: ShownMessage): string {
  const distrust = trust === 'owner' || trust === 'agent' ? '' : ` <span class="distrust">(${escaped(trust)})</span>`
  const said = role === 'tool' ? '' : text.trim()
  const of = role === 'user' ? ' class="user"' : ''
  const block = said === '' ? '' : `<section${of}><strong>${escaped(speaker)}</strong>${distrust}\n<pre>${escaped(said)}</pre></section>\n`
  return block + tool_calls.map(call).join('')
}

function call({ tool, status, params, result }: ShownMessage['tool_calls'][number]): string {
  const failed = status === 'error' || status === 'failed' ? `: ${escaped(status)}` : ''
  const parts = [params, result].flatMap((text) => (text ? [`<pre>${escaped(text)}</pre>`] : []))
  return `<details><summary>${escaped(tool ?? 'tool')}${failed}</summary>\n${parts.join('\n')}</details>\n`
}

function escaped(text: string): string {
  return stripControls(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
