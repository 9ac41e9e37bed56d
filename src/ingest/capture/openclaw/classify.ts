/** Only people's text is a prompt; heartbeats, silence and copies are kept as notices. */
import { given } from '../../../core/given.ts'
import type { Trust } from '../../../core/trust.ts'
import { type Fields, fieldsOf } from '../fields.ts'
import type { Spoken, Uttered } from '../pi/dialect.ts'
import { type Opened, openEnvelope } from './envelope.ts'
import { bareName } from './session-store.ts'

export interface Chat {
  /** The author of prompts if no person started the session. */
  readonly writtenBy?: 'cron' | 'hook' | 'agent' | 'heartbeat'
  readonly group: boolean
  readonly owners: ReadonlySet<string>
}

/** The default prompt, or an owner's prompt that demands this answer. A mere mention is a person's text. */
const HEARTBEAT_PROMPT =
  /^Read HEARTBEAT\.md\b|(?<!\b(?:you|your|i|we|it|they|did|do|does|don['’]t|not|never|always|the|a|that|this|my) )\b(?:reply|respond|answer)\b[^\n?]{0,60}\bHEARTBEAT_OK\b(?![^\n?]{0,200}\?)/i
const HARNESS =
  /^(?:A new session was started via \/new or \/reset\b|Pre-compaction memory flush\b|Continue where you left off\. The previous model attempt\b|An async command you ran earlier has completed\b)/
const SUBAGENT = /^\[Subagent (?:Context|Task)\]/
/** A gateway command with at most one argument. */
const COMMAND = /^\/[a-z][a-z0-9_-]{0,31}(?:[ \t]+\S{1,40})?$/i

export function classifyUser({ message, texts, others }: Uttered, chat: Chat): Spoken {
  const whole = texts.join('\n\n')
  const provenance = fieldsOf(message.provenance)?.kind
  if (provenance === 'inter_session') return { role: 'system', kind: 'notice', text: whole, trust: 'agent', speaker: 'agent' }
  if (provenance === 'internal_system') return { role: 'system', kind: 'meta', text: whole, trust: 'agent' }
  const opened = openEnvelope(whole, chat)
  const { text } = opened
  const metadata = Object.keys(opened.envelope).length === 0 ? undefined : { envelope: opened.envelope }
  const heartbeat = chat.writtenBy === 'heartbeat' || HEARTBEAT_PROMPT.test(text)
  if (heartbeat || HARNESS.test(text)) return { role: 'system', kind: 'meta', text, trust: 'agent', metadata }
  if (text === '' && others === 0 && metadata !== undefined && opened.envelope.media === undefined) {
    return { role: 'system', kind: 'notice', text: whole, trust: 'untrusted', metadata }
  }
  const writer = opened.envelope.cron !== undefined ? 'cron' : SUBAGENT.test(text) ? 'agent' : chat.writtenBy
  if (writer !== undefined) return { role: 'user', kind: 'prompt', text, trust: 'agent', speaker: writer, metadata }
  const who = speakerOf(opened, chat)
  if (COMMAND.test(text)) return { role: 'system', kind: 'command', text, ...who, metadata }
  return { role: 'user', kind: 'prompt', text, ...who, metadata }
}

/** In a group, everyone but the owner is a contact, unnamed speakers too. */
function speakerOf({ sender, group }: Opened, { owners }: Chat): { trust: Trust; speaker?: string } {
  const speaker = sender?.name ?? sender?.id
  const own = [sender?.id, sender?.name].some((name) => name !== undefined && owners.has(bareName(name)))
  return { trust: group && !own ? 'contact' : 'owner', ...given({ speaker }) }
}

/** Placeholder model names of gateway lines. */
export const WRITTEN_BY_GATEWAY: ReadonlySet<string> = new Set(['delivery-mirror', 'gateway-injected'])

const SILENT = /^(?:NO_REPLY|ANNOUNCE_SKIP|REPLY_SKIP)\W{0,4}$/
const ALIVE = /^\W*HEARTBEAT_OK\b|\bHEARTBEAT_OK\W{0,4}$/
/** More text than this beside a heartbeat counts as an answer. */
const ALIVE_LENGTH = 312
const DIRECTIVE = /^\s*\[\[\s*(reply_to_current|reply_to:\s*[^\]\n]{1,100}|audio_as_voice)\s*\]\]\s*/

export function classifyAnswer({ message, texts, repeats }: Uttered): Spoken | undefined {
  const whole = texts.join('\n\n')
  const trimmed = whole.trim()
  const { model } = message
  if (SILENT.test(trimmed) || (trimmed.length <= ALIVE_LENGTH && ALIVE.test(trimmed))) return notice(whole)
  if (model === 'gateway-injected') return notice(whole, { injected: true })
  const directives: string[] = []
  let text = whole
  for (let match = DIRECTIVE.exec(text); match !== null; match = DIRECTIVE.exec(text)) {
    directives.push(match[1] ?? '')
    text = text.slice(match[0].length)
  }
  // A mirror of sent text is a notice, unless nothing else holds the words.
  if (model === 'delivery-mirror' && repeats(text)) return notice(whole, { delivery_mirror: true })
  return directives.length === 0 ? undefined : { role: 'assistant', kind: 'reply', text, trust: 'agent', metadata: { directives } }
}

function notice(text: string, metadata?: Fields): Spoken {
  return { role: 'system', kind: 'notice', text, trust: 'agent', metadata }
}
