import { existsSync } from 'node:fs'
import { given } from '../../../core/given.ts'
import type { SessionRecord } from '../../../ledgers/agent-record.ts'
import type { SourceUnit, UnitReader } from '../../adapter.ts'
import { type Fields, filled, numberOf, textOf } from '../fields.ts'
import type { Dialect } from '../pi/dialect.ts'
import { type Chat, classifyAnswer, classifyUser, WRITTEN_BY_GATEWAY } from './classify.ts'
import type { SessionStore, SessionStores, StoredSession } from './session-store.ts'
import { sessionName, type TranscriptName, transcriptName } from './transcript-name.ts'

export interface DialectOptions {
  readonly stores: SessionStores
  readonly owners: readonly string[]
}

export async function openclawDialect(unit: SourceUnit, reader: UnitReader, { stores, owners }: DialectOptions): Promise<Dialect> {
  const name = transcriptName(unit.path)
  const dialect = dialectOf(name, await stores(name.folder, reader), owners)
  // An archived copy says nothing if the live transcript exists.
  return dialect.facts.deleted && existsSync(unit.path.replace(ARCHIVED, ''))
    ? { ...dialect, facts: { ...dialect.facts, deleted: false } }
    : dialect
}

const ARCHIVED = /(?<=\.jsonl)\.deleted\..*$/i

export function dialectOf(name: TranscriptName, store: SessionStore, owners: readonly string[]): Dialect {
  const stored = store.bySession(sessionName(name.id, name.topic))
  const chat: Chat = { ...chatOf(stored), owners: new Set([...store.owners, ...owners]) }
  const title = titleOf(stored)
  return {
    sessionOf: (headerId) => sessionName(name.archive === 'checkpoint' ? name.id : headerId, name.topic),
    facts: factsOf(name, stored, store),
    // Only live files replace stored text.
    ...given({ title, replaces: name.archive === undefined || undefined }),
    user: (said) => classifyUser(said, chat),
    assistant: classifyAnswer,
    noModels: WRITTEN_BY_GATEWAY,
    childOf: (details) => childOf(details, store),
  }
}

function childOf(details: Fields, store: SessionStore): string | undefined {
  const key = textOf(details.childSessionKey)
  return key === undefined ? undefined : store.byKey(key)?.session
}

function bareKey(key: string): string {
  return key.replace(/^agent:[^:]+:/, '')
}

function chatOf(stored: StoredSession | undefined): Omit<Chat, 'owners'> {
  if (stored === undefined) return { group: false }
  const key = bareKey(stored.key)
  const { chatType, bootstrapContextRunKind: kind, spawnedBy, heartbeatIsolatedBaseSessionKey: base } = stored.entry
  const group = chatType === 'group' || chatType === 'channel' || chatType === 'room' || /(?:^|:)(?:group|channel|room):/.test(key)
  if (/^cron:/.test(key) || kind === 'cron') return { group, writtenBy: 'cron' }
  if (/^hook:/.test(key)) return { group, writtenBy: 'hook' }
  if (/(?:^|:)subagent:/.test(key) || textOf(spawnedBy) !== undefined) return { group, writtenBy: 'agent' }
  return textOf(base) !== undefined ? { group, writtenBy: 'heartbeat' } : { group }
}

/** Keys used for a single session; all others are reused. */
const OF_ONE_SESSION = /(?:^|:)(?:subagent|run|hook):[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

function factsOf(name: TranscriptName, stored: StoredSession | undefined, store: SessionStore): Partial<SessionRecord> {
  const entry = stored?.entry ?? {}
  const spawner = textOf(entry.spawnedBy)
  const subagent = stored !== undefined && chatOf(stored).writtenBy === 'agent'
  const parent = spawner === undefined ? undefined : store.byKey(spawner)?.session
  const agentId = name.agentId ?? (stored === undefined ? undefined : /^agent:([^:]+):/.exec(stored.key)?.[1])
  const alone = stored !== undefined && OF_ONE_SESSION.test(stored.key)
  const context = contextOf(name, stored, alone)
  const task = textOf(entry.label)
  // Still listed: the session continues under the same name.
  const gone = name.archive === 'deleted' && stored === undefined
  return given({
    agentId,
    sessionKey: alone ? stored.key : undefined,
    isSubagent: subagent || undefined,
    parentSession: parent,
    taskDescription: subagent ? task : undefined,
    taskStatus: subagent ? textOf(entry.status) : undefined,
    contextTokenLimit: numberOf(entry.contextTokens),
    contextTokensUsed: numberOf(entry.totalTokens),
    context,
    ended: name.archive === 'deleted' || name.archive === 'reset' || undefined,
    deleted: gone || (name.archive === undefined ? false : undefined),
  })
}

function contextOf(name: TranscriptName, stored: StoredSession | undefined, alone: boolean): Fields | undefined {
  const entry = stored?.entry ?? {}
  return filled({
    session_key: alone ? undefined : stored?.key,
    channel: entry.channel ?? entry.lastChannel,
    chat_type: entry.chatType,
    display_name: entry.displayName,
    subject: entry.subject,
    group_channel: entry.groupChannel ?? entry.room,
    space: entry.space,
    spawned_by: entry.spawnedBy,
    parent_session_key: entry.parentSessionKey,
    topic: name.topic,
    archived: name.archive === 'deleted' || name.archive === 'reset' ? name.archive : undefined,
  })
}

/** Name of a group or task. A person's name is not a title. */
function titleOf(stored: StoredSession | undefined): string | undefined {
  if (stored === undefined) return undefined
  const { subject, label, displayName } = stored.entry
  const name = [subject, label, chatOf(stored).group ? displayName : undefined].map(textOf).find((said) => said !== undefined)
  return name === undefined || /^[\w-]+:\S+$/.test(name) ? undefined : name
}
