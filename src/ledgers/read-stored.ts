import { messageId } from '../core/ids.ts'
import type { RecordHit } from '../store/agent-rows.ts'
import type { WriteTx } from '../store/store.ts'
import type { AgentRecord, MessageRecord } from './agent-record.ts'
import { type Stored, sessionOf, type UnitState } from './batch.ts'
import { ALIAS, idOf, isTurnHash, nameOf, otherCallId, versionId } from './record-names.ts'

export async function readStored(unit: UnitState, tx: WriteTx, batch: readonly AgentRecord[]): Promise<Stored> {
  const records = withoutTurnNames(await tx.agents.records(unit.source, [...namesIn(unit, batch)]))
  const fresh = batch.filter((record) => record.type === 'message').filter((record) => storedDuplicate(record, records) === undefined)
  const copied = fresh.flatMap(({ copyOf }) => copyOf ?? [])
  const ids = new Set(fresh.map((record) => idOf(record, sessionOf(unit, record.session)).id))
  const comparable = fresh.filter((record) => mayKeepStored(unit, record))
  const versions = comparable.map((record) => versionId(idOf(record, sessionOf(unit, record.session)).id, record))
  const elsewhere = fresh.flatMap(({ parentElsewhere }) => parentElsewhere ?? [])
  const messages = await tx.agents.messages([...ids, ...versions, ...elsewhere, ...copied])
  const { made, answered } = callsIn(unit, fresh)
  const loose = batch.flatMap((record) => (record.type === 'call' ? [messageId(sessionOf(unit, record.session).id, record.call.id)] : []))
  const calls = await tx.agents.toolCalls([...made, ...loose])
  const newest = await newestCalls(tx, answered)
  const missing = [...answered].filter(([id]) => !newest.has(id)).map(([, { native }]) => native)
  const callsElsewhere = await tx.agents.newestToolCalls(unit.source, missing)
  const agents = await agentsOf(
    tx,
    copied.flatMap((id) => messages.get(id)?.session_id ?? []),
  )
  return { records, messages, calls, newest, callsElsewhere, agents, open: await openCalls(unit, tx, comparable) }
}

/** Few: only sessions that forks were copied from. */
async function agentsOf(tx: WriteTx, sessions: readonly string[]): Promise<Map<string, string>> {
  const ids = [...new Set(sessions)]
  if (ids.length === 0) return new Map()
  const rows = await tx.db.selectFrom('agent_sessions').select(['id', 'agent_id']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, agent_id }) => [id, agent_id]))
}

function namesIn(unit: UnitState, batch: readonly AgentRecord[]): Set<string> {
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

function withoutTurnNames(records: Map<string, RecordHit[]>): Stored['records'] {
  for (const [name, hits] of records) {
    if (hits.some(({ hash }) => isTurnHash(hash)))
      records.set(
        name,
        hits.filter(({ hash }) => !isTurnHash(hash)),
      )
  }
  return records
}

export function storedDuplicate(record: MessageRecord, records: Stored['records']): RecordHit | undefined {
  const name = nameOf(record)
  const hit = name === undefined ? undefined : records.get(name)?.find(({ hash }) => hash === record.hash)
  const isComplete = (record.records ?? []).every(({ id, hash }) => records.get(id)?.some((known) => known.hash === hash))
  return isComplete ? hit : undefined // all records behind the message must be stored
}

/** Another source brought the same message under another id. */
export function storedAlias(record: MessageRecord, records: Stored['records'], id: string): RecordHit | undefined {
  for (const alias of record.aliases ?? []) {
    const hit = records.get(alias)?.find(({ hash }) => hash === ALIAS)
    if (hit !== undefined && hit.id !== id) return hit
  }
  return undefined
}

/** Such a record is compared before it replaces the stored one. */
export function mayKeepStored(unit: UnitState, { replaces, session }: MessageRecord): boolean {
  return replaces === 'fuller' || (replaces === true && sessionOf(unit, session).outdated)
}

interface Answered {
  readonly session: string
  readonly native: string
}

function callsIn(unit: UnitState, records: readonly MessageRecord[]): { made: Set<string>; answered: Map<string, Answered> } {
  const made = new Set<string>()
  const answered = new Map<string, Answered>()
  for (const record of records) {
    const { toolCalls, toolResults } = record
    const state = sessionOf(unit, record.session)
    const message = toolCalls === undefined ? '' : idOf(record, state).id
    for (const { id } of toolCalls ?? [])
      for (const each of [messageId(state.id, id), otherCallId(messageId(state.id, id), message)]) made.add(each)
    for (const { callId } of toolResults ?? []) {
      const id = messageId(state.id, callId)
      answered.set(id, { session: state.id, native: callId })
    }
  }
  return { made, answered }
}

async function newestCalls(tx: WriteTx, answered: ReadonlyMap<string, Answered>): Promise<Map<string, string>> {
  const newest = new Map<string, string>()
  for (const session of new Set([...answered.values()].map((one) => one.session))) {
    const natives = [...answered.values()].filter((one) => one.session === session).map(({ native }) => native)
    for (const [native, id] of await tx.agents.lastToolCalls(session, natives)) newest.set(messageId(session, native), id)
  }
  return newest
}

/** Limits statement parameters. */
const AT_ONCE = 500

async function openCalls(unit: UnitState, tx: WriteTx, records: readonly MessageRecord[]): Promise<Set<string>> {
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
