import { FORK_FIELD, readForkMarker } from '../../../core/fork-marker.ts'
import { given } from '../../../core/given.ts'
import { shortHash } from '../../../core/hash.ts'
import { parseTimestamp } from '../../../core/time.ts'
import { leastTrusted } from '../../../core/trust.ts'
import { type MessageRecord, type SessionRecord, TITLE_RANK } from '../../../ledgers/agent-record.ts'
import { filled } from '../fields.ts'
import { noteCall } from './call-names.ts'
import type { Spoken } from './dialect.ts'
import { type Entry, madeName } from './entry.ts'
import { push, type Reading, type ReadState } from './read-state.ts'

export type Said = Spoken & {
  readonly [field in 'model' | 'provider' | 'blocks' | 'toolCalls' | 'toolResults' | 'compaction']?: MessageRecord[field] | undefined
}

type Writable<T> = { -readonly [key in keyof T]: T[key] }

export function pushMessage(reading: Reading, entry: Entry, said: Said): void {
  const { state, dialect } = reading
  openSession(reading)
  const parent = follow(reading, entry)
  const copy = entry.fields[FORK_FIELD] === undefined ? undefined : readForkMarker(entry.fields[FORK_FIELD])
  const { role, kind, text } = said
  const trust = copy?.trust === undefined ? said.trust : leastTrusted([said.trust, copy.trust])
  const message: Writable<MessageRecord> = {
    type: 'message',
    session: state.session,
    id: entry.id,
    hash: entry.hash,
    role,
    kind,
    text,
    trust,
  }
  if (state.oldVersion || isOldCopy(state, entry)) message.aliases = [madeName(entry.hash)]
  if (copy?.copyOf !== undefined) message.copyOf = copy.copyOf
  if (copy?.lines !== undefined) message.copiedLines = copy.lines
  if (dialect.replaces) message.replaces = true
  if (parent !== undefined) message.parent = parent
  if (entry.timestamp !== undefined) message.timestamp = entry.timestamp
  if (said.speaker !== undefined) message.speaker = said.speaker
  if (said.model !== undefined) message.model = said.model
  if (said.provider !== undefined) message.provider = said.provider
  if (said.blocks !== undefined && said.blocks.length > 0) message.blocks = said.blocks
  if (said.toolCalls !== undefined && said.toolCalls.length > 0) message.toolCalls = said.toolCalls
  if (said.toolResults !== undefined) message.toolResults = said.toolResults
  if (said.compaction !== undefined) message.compaction = said.compaction
  const metadata = said.metadata === undefined ? undefined : filled(said.metadata)
  if (metadata !== undefined) message.metadata = metadata
  push(reading, message)
  for (const { id } of said.toolCalls ?? []) noteCall(state, entry, id)
  state.hasMessages = true
  if (role !== 'system' || kind === 'summary') state.spoken = true
  state.leaf = entry.id
}

/** Later files always have entry ids. */
const FIRST_VERSION_ENDED = Date.UTC(2026, 2, 1)

/** Opening a first-version file assigns new ids, which later forks copy. Entries older than their header are such copies. */
function isOldCopy({ headerTime }: ReadState, { timestamp }: Entry): boolean {
  return timestamp !== undefined && timestamp < FIRST_VERSION_ENDED && timestamp < (parseTimestamp(headerTime) ?? 0)
}

/** Continues the chain. If it does not follow the last entry, the conversation moved there. */
export function pushLink(reading: Reading, entry: Entry): void {
  const { state } = reading
  const before = state.leaf
  const parent = parentOf(state, entry)
  state.leaf = entry.id
  if (parent === 'beginning') {
    state.roots.push(entry.id)
    if (state.spoken && before !== undefined && !state.roots.includes(before)) push(reading, { type: 'head', session: state.session })
    return
  }
  if (!state.opened) return
  push(reading, { type: 'link', session: state.session, recordId: entry.id, ...given({ parent }) })
  if (parent !== undefined && parent !== before) push(reading, { type: 'head', session: state.session, recordId: parent })
}

function follow(reading: Reading, entry: Entry): string | undefined {
  const { state } = reading
  const parent = parentOf(state, entry)
  if (parent !== 'beginning') return parent
  if (state.spoken) push(reading, { type: 'head', session: state.session })
  return undefined
}

function parentOf(state: ReadState, { parent }: Entry): string | 'beginning' | undefined {
  if (parent === undefined) return undefined
  if (parent === null || parent === state.headerId || state.roots.includes(parent)) return 'beginning'
  // A result may name its call as parent.
  return state.calls.findLast(([call]) => call === parent)?.[1] ?? parent
}

export interface Facts {
  readonly model?: string
  readonly title?: string
  readonly context?: Readonly<Record<string, unknown>>
}

/** Held back until the session's first message. */
export function pushFacts(reading: Reading, { model, title, context }: Facts): void {
  const { state } = reading
  if (!state.opened) {
    if (model !== undefined) state.waiting.model = model
    if (title !== undefined) state.waiting.title = title
    Object.assign(state.waiting.context, context)
    return
  }
  const fresh = Object.entries(context ?? {}).filter(([key, value]) => state.told[key] !== value)
  Object.assign(state.told, context)
  if (model !== undefined || fresh.length > 0) {
    push(reading, {
      ...sessionName(state),
      ...given({ model, context: fresh.length === 0 ? undefined : Object.fromEntries(fresh) }),
    })
  }
  if (title !== undefined) push(reading, { type: 'title', session: state.session, title, rank: TITLE_RANK.custom })
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i

export function sessionName(state: ReadState): SessionRecord {
  const firstHash = shortHash(16, state.session, '\n', state.headerTime)
  return { type: 'session', session: state.session, firstHash, ...(UUID.test(state.session) ? {} : { weakName: true }) }
}

/** A session is created with its first message. */
function openSession(reading: Reading): void {
  const { state, dialect } = reading
  if (state.opened) return
  state.opened = true
  const { model, title, cwd, raw, context } = state.waiting
  const all = { ...dialect.facts.context, ...context }
  state.told = { ...all }
  push(reading, {
    ...sessionName(state),
    ...dialect.facts,
    ...given({ project: cwd, workspacePath: cwd, raw, model, context: Object.keys(all).length === 0 ? undefined : all }),
  })
  if (dialect.title !== undefined) {
    push(reading, { type: 'title', session: state.session, title: dialect.title, rank: TITLE_RANK.generated })
  }
  if (title !== undefined) push(reading, { type: 'title', session: state.session, title, rank: TITLE_RANK.custom })
  state.waiting = { context: {} }
}
