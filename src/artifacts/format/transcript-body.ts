/** The body of a transcript artifact, piece by piece: every message sanitized and fenced. Never holds more than one message. */
import { plural } from '../../core/text.ts'
import { toIso } from '../../core/time.ts'
import { bodyHead, lineage } from './body-head.ts'
import { fenced, inline } from './quote.ts'
import { sanitizeTranscriptV2 } from './sanitize-transcript.ts'
import type { SessionSet, SetMessage } from './session-set.ts'

export interface TranscriptInput extends Pick<SessionSet, 'session' | 'capturedAt'> {
  readonly messages: Iterable<SetMessage> | AsyncIterable<SetMessage>
  readonly paths: { readonly summary: string; readonly manifest: string }
}

/** Read it twice for a large session: once for its checksum, once for the file. */
export async function* transcriptBody(input: TranscriptInput): AsyncGenerator<string> {
  yield `${bodyHead('transcript', input)}\n${lineage(input.paths)}\n\n## Messages\n`
  let number = 0
  for await (const message of input.messages) yield transcriptMessage(message, ++number)
  if (number === 0) yield '\nNo message.\n'
}

const ROLES: Readonly<Record<SetMessage['role'], string>> = { user: 'User', assistant: 'Assistant', system: 'System', tool: 'Tool' }
const MOST_TOOLS = 12

/** One message with its heading, which holds nothing of its text. A message without text shows what it called. */
export function transcriptMessage(message: SetMessage, number: number): string {
  const role = ROLES[message.role]
  const speaker = inline(sanitizeTranscriptV2(message.speaker ?? ''), 80)
  const facts = [
    speaker === '' || speaker.toLowerCase() === role.toLowerCase() ? role : `${role} (${speaker})`,
    ...(message.timestamp === null ? [] : [toIso(message.timestamp)]),
    message.trust,
  ]
  const text = sanitizeTranscriptV2(message.text)
  return [
    `\n### ${number}. ${facts.join(' · ')}\n`,
    ...(message.toolCalls.length === 0 ? [] : [`\nTools: ${tools(message.toolCalls)}\n`]),
    ...(text.trim() === '' ? [] : [`\n${fenced(text)}\n`]),
  ].join('')
}

/** Each name once, with how often it was called. */
function tools(names: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  const shown = [...counts].slice(0, MOST_TOOLS).map(([name, n]) => {
    const safe = inline(sanitizeTranscriptV2(name), 80)
    return n === 1 ? safe : `${safe} × ${n}`
  })
  const more = counts.size - shown.length
  return more > 0 ? `${shown.join(', ')} and ${plural(more, 'other')}` : shown.join(', ')
}
