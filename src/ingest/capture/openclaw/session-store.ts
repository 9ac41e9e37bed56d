/** `sessions.json`: the current session of each chat. Reread on change. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { LARGEST_RECORD } from '../../../core/largest-record.ts'
import { parseJson } from '../../../core/nesting.ts'
import type { UnitReader } from '../../adapter.ts'
import { type Fields, fieldsOf, isFields, textOf } from '../fields.ts'
import { sessionName, transcriptName } from './transcript-name.ts'

export interface StoredSession {
  readonly key: string
  readonly session: string
  readonly entry: Fields
}

export interface SessionStore {
  bySession(session: string): StoredSession | undefined
  byKey(key: string): StoredSession | undefined
  /** Names that talk to an agent's main session count as the owner's. */
  readonly owners: ReadonlySet<string>
}

const KEPT = [
  ...['channel', 'lastChannel', 'chatType', 'displayName', 'subject', 'label', 'groupChannel', 'room', 'space', 'status'],
  ...['spawnedBy', 'parentSessionKey', 'model', 'contextTokens', 'totalTokens', 'inputTokens', 'outputTokens'],
  ...['compactionCount', 'bootstrapContextRunKind', 'heartbeatIsolatedBaseSessionKey'],
] as const

const NONE: SessionStore = { bySession: () => undefined, byKey: () => undefined, owners: new Set() }

export type SessionStores = (folder: string, reader: UnitReader) => Promise<SessionStore>

export function sessionStores(): SessionStores {
  const known = new Map<string, { stamp: string; store: SessionStore }>()
  return async (folder, reader) => {
    const path = join(folder, 'sessions.json')
    const info = statSync(path, { throwIfNoEntry: false })
    if (info === undefined || !info.isFile() || info.size > LARGEST_RECORD) return NONE
    const stamp = `${info.size} ${info.mtimeMs}`
    const before = known.get(path)
    if (before?.stamp === stamp) return before.store
    const store = storeOf(await parsed(path, reader))
    known.set(path, { stamp, store })
    return store
  }
}

async function parsed(path: string, reader: UnitReader): Promise<Fields> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of reader.chunks(path, 0)) chunks.push(chunk)
    return fieldsOf(parseJson(Buffer.concat(chunks).toString('utf8'))) ?? {}
  } catch {
    return {} // partial or unreadable file: the transcripts suffice
  }
}

/** `map`: session key → entry. `older`: previous sessions of a key. */
export function storeOf(map: Fields, older: Iterable<readonly [session: string, key: string]> = []): SessionStore {
  const keys = new Map<string, StoredSession>()
  const sessions = new Map<string, StoredSession>()
  const owners = new Set<string>()
  for (const [key, entry] of Object.entries(map)) {
    const id = isFields(entry) ? textOf(entry.sessionId) : undefined
    if (!isFields(entry) || id === undefined) continue
    const file = textOf(entry.sessionFile)
    const stored = { key, session: sessionName(id, file === undefined ? undefined : transcriptName(file).topic), entry: keptOf(entry) }
    keys.set(key, stored)
    sessions.set(stored.session, stored)
    if (/^agent:[^:]+:main$/.test(key)) for (const name of peersOf(entry)) owners.add(name)
  }
  for (const [session, key] of older) {
    if (!sessions.has(session)) sessions.set(session, { key, session, entry: keys.get(key)?.entry ?? {} })
  }
  return { bySession: (session) => sessions.get(session), byKey: (key) => keys.get(key), owners }
}

function keptOf(entry: Fields): Fields {
  const origin = fieldsOf(entry.origin)
  const kept = Object.fromEntries(
    KEPT.filter((field) => entry[field] !== undefined && entry[field] !== null).map((field) => [field, entry[field]]),
  )
  return { ...(textOf(origin?.provider) === undefined ? {} : { lastChannel: origin?.provider }), ...kept }
}

function peersOf(entry: Fields): string[] {
  const said = [entry.lastTo, fieldsOf(entry.origin)?.from, fieldsOf(entry.deliveryContext)?.to]
  return said.flatMap((name) => (textOf(name) === undefined ? [] : [bareName(String(name))]))
}

/** Equates `telegram:123` and `123`. */
export function bareName(name: string): string {
  return name.replace(/^[a-z][a-z0-9-]*:/i, '').replace(/^@/, '')
}
