import { given } from '../../../core/given.ts'
import { leastTrusted } from '../../../core/trust.ts'
import { type MessageRecord, TITLE_RANK } from '../../../ledgers/agent-record.ts'
import { push, type Reading, type RolloutState } from './read-state.ts'

export type Said = Pick<MessageRecord, 'role' | 'kind' | 'text' | 'trust' | 'hash'> & {
  readonly [field in 'model' | 'provider' | 'blocks' | 'metadata' | 'toolCalls' | 'toolResults' | 'compaction' | 'aliases' | 'context']?:
    | MessageRecord[field]
    | undefined
} & {
  readonly id: string
  readonly part?: string | undefined
  /** Set if it differs from the current line's. */
  readonly at?: number | undefined
  /** Extends an earlier message; does not become the parent of the next. */
  readonly aside?: boolean
}

export function pushMessage(reading: Reading, said: Said): void {
  const { state } = reading
  openSession(reading)
  if (state.emptied && !said.aside) {
    // Repeated because after an interrupted sync the ledger takes the newest message as head.
    push(reading, { type: 'head', session: state.thread })
    state.emptied = false
  }
  const { id, role, kind, text, hash } = said
  const { copy } = reading
  const trust = copy?.trust === undefined ? said.trust : leastTrusted([said.trust, copy.trust])
  const message: Writable<MessageRecord> = { type: 'message', session: state.thread, id, role, kind, text, trust, hash }
  const timestamp = said.at ?? reading.at
  if (said.part !== undefined) message.recordId = said.part
  if (copy?.copyOf !== undefined) message.copyOf = copy.copyOf
  if (copy?.lines !== undefined) message.copiedLines = copy.lines
  if (state.last !== undefined) message.parent = state.last
  if (timestamp !== undefined) message.timestamp = timestamp
  if (role === 'user' && trust === 'agent') message.speaker = 'agent'
  if (said.aliases !== undefined && said.aliases.length > 0) message.aliases = said.aliases
  if (said.model !== undefined) message.model = said.model
  if (said.provider !== undefined) message.provider = said.provider
  if (said.metadata !== undefined) message.metadata = said.metadata
  if (said.context !== undefined) message.context = said.context
  if (said.blocks !== undefined) message.blocks = said.blocks
  if (said.toolCalls !== undefined) message.toolCalls = said.toolCalls
  if (said.toolResults !== undefined) message.toolResults = said.toolResults
  if (said.compaction !== undefined) message.compaction = said.compaction
  push(reading, message)
  state.hasMessages = true
  if (!said.aside) state.last = said.part ?? id
}

type Writable<T> = { -readonly [key in keyof T]: T[key] }

/** A session is created with its first message. */
function openSession(reading: Reading): void {
  const { state } = reading
  if (state.told) return
  state.told = true
  push(reading, { ...state.session, whole: true, ...given({ model: state.model }) })
  if (state.title !== undefined) push(reading, { type: 'title', session: state.thread, title: state.title, rank: TITLE_RANK.custom })
}

export function closeReply(state: RolloutState): void {
  delete state.reply
}
