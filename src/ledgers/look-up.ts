/** Looks up what the ledger has of the records of a batch, all of them at once. Never writes. */
import { shortHash } from '../core/hash.ts'
import { messageId, ordinalId } from '../core/ids.ts'
import type { RecordHit } from '../store/agent-rows.ts'
import type { WriteTx } from '../store/store.ts'
import type { AgentRecord, MessageRecord } from './agent-record.ts'
import type { SessionState } from './session-state.ts'
import { type Known, sessionOf, type Unit } from './unit.ts'

export async function lookUp(unit: Unit, tx: WriteTx, batch: readonly AgentRecord[]): Promise<Known> {
  const records = withoutTurnNames(await tx.agents.records(unit.source, [...namesIn(unit, batch)]))
  const fresh = batch.filter((record) => record.type === 'message').filter((record) => hitOf(record, records) === undefined)
  const ids = new Set(fresh.map((record) => idOf(record, sessionOf(unit, record.session)).id))
  const comparable = fresh.filter((record) => mayStay(unit, record))
  const versions = comparable.map((record) => versionId(idOf(record, sessionOf(unit, record.session)).id, record))
  const elsewhere = fresh.flatMap(({ parentElsewhere }) => parentElsewhere ?? [])
  const messages = await tx.agents.messages([...ids, ...versions, ...elsewhere])
  const { made, answered } = callsIn(unit, fresh)
  const loose = batch.flatMap((record) => (record.type === 'call' ? [messageId(sessionOf(unit, record.session).id, record.call.id)] : []))
  const calls = await tx.agents.toolCalls([...made, ...loose])
  const newest = await newestCalls(tx, answered)
  const missing = [...answered].filter(([id]) => !newest.has(id)).map(([, { native }]) => native)
  const callsElsewhere = await tx.agents.newestToolCalls(unit.source, missing)
  return { records, messages, calls, newest, callsElsewhere, open: await openCalls(unit, tx, comparable) }
}

/** At once: more would not fit into one question. */
const AT_ONCE = 500

/** What is stored of such a record is not replaced without a look at it. */
export function mayStay(unit: Unit, { replaces, session }: MessageRecord): boolean {
  return replaces === 'fuller' || (replaces === true && sessionOf(unit, session).outdated)
}

/** Of the calls that such records answer, those that have no result yet. */
async function openCalls(unit: Unit, tx: WriteTx, records: readonly MessageRecord[]): Promise<Set<string>> {
  const ids = records.flatMap(({ session, toolResults = [] }) =>
    toolResults.map(({ callId }) => messageId(sessionOf(unit, session).id, callId)),
  )
  const open = new Set<string>()
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const some = ids.slice(at, at + AT_ONCE)
    const rows = await tx.db.selectFrom('agent_tool_calls').select('id').where('id', 'in', some).where('result_json', 'is', null).execute()
    for (const { id } of rows) open.add(id)
  }
  return open
}

/** What a message is called that has the name of another one and another text. */
export function versionId(id: string, { hash }: MessageRecord): string {
  return `${id}~${hash.slice(0, 8)}`
}

/** The source's name of a record; undefined where it has none. */
export function nameOf(record: MessageRecord): string | undefined {
  return record.recordId ?? record.id
}

export function idOf(record: MessageRecord, state: SessionState): { id: string; nativeId: string } {
  const nativeId = record.id ?? ordinalId(record.ordinal ?? state.nextSequence, record.role, record.text)
  return { id: messageId(state.id, nativeId), nativeId }
}

/** The stored record that this one repeats. */
export function hitOf(record: MessageRecord, records: Known['records']): RecordHit | undefined {
  const name = nameOf(record)
  const hit = name === undefined ? undefined : records.get(name)?.find(({ hash }) => hash === record.hash)
  const whole = (record.records ?? []).every(({ id, hash }) => records.get(id)?.some((known) => known.hash === hash))
  return whole ? hit : undefined // a message of several records is known when all of them are
}

/** What an alias is stored with instead of a hash: it holds the hash of the text itself. */
export const ALIAS = 'alias'

/** What the name of a turn is stored with instead of a hash. A turn may well be called as one of its messages is. */
const TURN = 'turn-'

/** Within its session: ledgers on two machines may number their turns alike. */
export function turnHash(session: string): string {
  return `${TURN}${shortHash(8, session)}`
}

export function isTurnHash(hash: string): boolean {
  return hash.startsWith(TURN)
}

/** A name of a turn names no record. */
function withoutTurnNames(records: Map<string, RecordHit[]>): Known['records'] {
  for (const [name, hits] of records) {
    if (hits.some(({ hash }) => isTurnHash(hash)))
      records.set(
        name,
        hits.filter(({ hash }) => !isTurnHash(hash)),
      )
  }
  return records
}

/** Another message that another road told under one of this record's further names. */
export function aliasHit(record: MessageRecord, records: Known['records'], id: string): RecordHit | undefined {
  for (const alias of record.aliases ?? []) {
    const hit = records.get(alias)?.find(({ hash }) => hash === ALIAS)
    if (hit !== undefined && hit.id !== id) return hit
  }
  return undefined
}

/** The names of the records, and of those they follow. */
function namesIn(unit: Unit, batch: readonly AgentRecord[]): Set<string> {
  const names = new Set<string>()
  for (const record of batch) {
    if (record.type === 'turn' && !unit.recent.has(record.at)) names.add(record.at)
    if (record.type === 'head' && record.recordId !== undefined && !unit.recent.has(record.recordId)) names.add(record.recordId)
    if (record.type !== 'message' && record.type !== 'link') continue
    const name = record.type === 'message' ? nameOf(record) : undefined
    if (name !== undefined) names.add(name)
    if (record.type === 'message') for (const alias of record.aliases ?? []) names.add(alias)
    if (record.type === 'message') for (const { id } of record.records ?? []) names.add(id)
    if (record.parent !== undefined && !unit.recent.has(record.parent)) names.add(record.parent)
  }
  return names
}

interface Answered {
  readonly session: string
  readonly native: string
}

/** The id of a call whose name another message of the session has used already. */
export function anotherCall(id: string, message: string): string {
  return `${id}~${shortHash(8, message)}`
}

async function newestCalls(tx: WriteTx, answered: ReadonlyMap<string, Answered>): Promise<Map<string, string>> {
  const newest = new Map<string, string>()
  for (const session of new Set([...answered.values()].map((one) => one.session))) {
    const natives = [...answered.values()].filter((one) => one.session === session).map(({ native }) => native)
    for (const [native, id] of await tx.agents.lastToolCalls(session, natives)) newest.set(messageId(session, native), id)
  }
  return newest
}

/** The ids of the calls that records make, and of those that they answer without having made them before, with their native ids. */
function callsIn(unit: Unit, records: readonly MessageRecord[]): { made: Set<string>; answered: Map<string, Answered> } {
  const made = new Set<string>()
  const answered = new Map<string, Answered>()
  for (const record of records) {
    const { toolCalls, toolResults } = record
    const state = sessionOf(unit, record.session)
    const message = toolCalls === undefined ? '' : idOf(record, state).id
    for (const { id } of toolCalls ?? [])
      for (const each of [messageId(state.id, id), anotherCall(messageId(state.id, id), message)]) made.add(each)
    for (const { callId } of toolResults ?? []) {
      const id = messageId(state.id, callId)
      answered.set(id, { session: state.id, native: callId })
    }
  }
  return { made, answered }
}
