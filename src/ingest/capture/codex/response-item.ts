/** Items, not events, are the authoritative record of speech and actions. */
import { given } from '../../../core/given.ts'
import { shortHash } from '../../../core/hash.ts'
import { TITLE_RANK } from '../../../ledgers/agent-record.ts'
import { type Fields, filled, textOf } from '../fields.ts'
import { flushAsked, settle, userItem } from './asked.ts'
import { itemContent, withoutSecrets } from './content.ts'
import { closeReply, pushMessage } from './emit.ts'
import { push, pushUnknown, type Reading } from './read-state.ts'
import { madeName, nameOfId, scopeOf, textHash } from './record-name.ts'
import { assistantItem, flushReplies, reasoningItem } from './reply.ts'
import { toolItem } from './tool-call.ts'
import { flushSearches } from './tool-event.ts'

const DROPPED: ReadonlySet<string> = new Set(['ghost_snapshot', 'additional_tools', 'compaction_trigger', 'configuration_update'])

export function responseItem(payload: Fields, reading: Reading): void {
  const type = textOf(payload.type) ?? 'without type'
  if (type === 'message') message(payload, reading)
  else if (type === 'reasoning') reasoningItem(payload, reading)
  else if (type === 'agent_message') agentMessage(payload, reading)
  else if (type === 'compaction' || type === 'context_compaction' || type === 'compaction_summary') sealedCompaction(type, payload, reading)
  else if (!toolItem(type, payload, reading) && !DROPPED.has(type)) pushUnknown(reading, `response_item/${type}`)
  if (reading.state.heldSearches.length > 0) flushSearches(reading, false)
}

function message(payload: Fields, reading: Reading): void {
  const { role } = payload
  if (role === 'assistant') {
    assistantItem(payload, reading)
    return
  }
  flushReplies(reading)
  if (role === 'user') userItem(payload, reading)
  else instructions(payload, reading)
}

function instructions(payload: Fields, reading: Reading): void {
  const { texts, blocks, mixed } = itemContent(payload.content)
  const text = texts.join('\n\n')
  const role = textOf(payload.role) ?? 'system'
  const hash = textHash(role, text)
  const { state } = reading
  const name = namedBy(payload, reading, { kind: role, hash })
  // Already classified, but queued to keep the order.
  state.asked.push({
    from: 'item',
    name,
    hash,
    text,
    ...given({ at: reading.at, blocks: mixed ? blocks : undefined }),
    metadata: { role },
    verdict: 'meta',
  })
  settle(reading)
}

/** Messages between agents; the parent's message is a subagent's prompt. */
export function agentMessage(payload: Fields, reading: Reading): void {
  const { state } = reading
  flushAsked(reading)
  flushReplies(reading)
  const { texts, blocks, mixed } = itemContent(payload.content)
  const author = textOf(payload.author) ?? ''
  const recipient = textOf(payload.recipient) ?? ''
  const text = texts.join('\n\n')
  const hash = shortHash(16, 'agent', '\n', author, '\n', recipient, '\n', text, '\n', mixed ? JSON.stringify(blocks) : '')
  const asked = state.session.isSubagent === true && author !== '' && recipient.startsWith(`${author}/`)
  closeReply(state)
  if (asked) {
    state.before.push(state.last ?? null)
    state.prompts += 1
  }
  pushMessage(reading, {
    id: namedBy(payload, reading, { kind: 'agent', hash }),
    role: asked ? 'user' : 'system',
    kind: asked ? 'prompt' : 'notice',
    trust: 'agent',
    text,
    hash,
    blocks: mixed ? blocks : undefined,
    metadata: filled({ author, recipient, other_recipients: payload.other_recipients }),
  })
  const { taskDescription: task } = state.session
  // The prompt is encrypted, so the task name is a better title.
  if (asked && task !== undefined && NO_PAYLOAD.test(text)) {
    push(reading, { type: 'title', session: state.thread, title: task, rank: TITLE_RANK.summary })
  }
}

const NO_PAYLOAD = /^Message Type: [\s\S]*\nPayload:\s*$/

/** Encrypted compaction; only the service can read it. */
function sealedCompaction(type: string, payload: Fields, reading: Reading): void {
  flushAsked(reading)
  flushReplies(reading)
  const block = withoutSecrets(payload)
  const hash = shortHash(16, type, '\n', JSON.stringify(block))
  closeReply(reading.state)
  const id = namedBy(payload, reading, { kind: type, hash })
  pushMessage(reading, { id, role: 'system', kind: 'meta', trust: 'agent', text: '', hash, blocks: [block] })
}

function namedBy(payload: Fields, reading: Reading, what: { kind: string; hash: string }): string {
  const scope = scopeOf(reading, payload)
  const id = textOf(payload.id)
  return id === undefined ? madeName(reading, scope, what) : nameOfId(scope, id)
}
