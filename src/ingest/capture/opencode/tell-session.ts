/** Puts one session out in its order: what it is, its messages each behind the one before, where its head stands. Holds names only. */
import { given } from '../../../core/given.ts'
import type { AgentRecord } from '../../../ledgers/agent-record.ts'
import type { ReadItem } from '../../adapter.ts'
import type { Fields } from '../fields.ts'
import { convertMessage, type NativeMessage } from './convert-message.ts'
import { type NativeSession, sessionRecord, titleRecord } from './native-session.ts'

export interface Telling {
  readonly session: NativeSession
  readonly compactions: Map<string, Fields>
  /** Finds the request for a compaction in a message that was passed over. */
  readonly recall: (message: string) => Fields | undefined
  /** The last message that was told or passed over. */
  last: string | undefined
  /** The last one that is not undone. */
  head: string | undefined
  undone: boolean
  /** Whether the ledger was told of the session itself. */
  opened: boolean
}

export function beginTelling(session: NativeSession, recall: Telling['recall'] = () => undefined): Telling {
  return { session, compactions: new Map(), recall, last: undefined, head: undefined, undone: false, opened: false }
}

/** The items of one message, or of what is wrong with it; `row` is its number, for a report. */
export function* tellMessage(telling: Telling, message: NativeMessage, row: number): Generator<ReadItem, void, undefined> {
  const { session, compactions, recall, last } = telling
  const converted = convertMessage(message, {
    session: session.id,
    subagent: session.parent !== undefined,
    parent: last,
    directory: session.directory,
    compactionOf: (id) => compactions.get(id) ?? recall(id),
  })
  if (converted === undefined) {
    yield { type: 'bad_line', line: row, reason: `message ${message.id} has no role that is known` }
    return
  }
  if (converted.compaction !== undefined) compactions.set(message.id, converted.compaction)
  yield* openSession(telling)
  yield record(converted.record)
  for (const type of converted.unknown) yield { type: 'unknown', name: type }
  passMessage(telling, message.id)
}

/** A message that is stored already as it is now: only its place counts. */
export function passMessage(telling: Telling, id: string): void {
  const { revert } = telling.session
  telling.last = id
  if (revert?.message === id) {
    telling.undone = true
    if (revert.part !== undefined) telling.head = id
  }
  if (!telling.undone) telling.head = id
}

/** `moved`: the head may stand elsewhere than after the last read. */
export function* endTelling(telling: Telling, moved: boolean): Generator<ReadItem, void, undefined> {
  const { session, head, undone, last } = telling
  if (last === undefined) return
  yield* openSession(telling)
  if (undone || moved) yield record({ type: 'head', session: session.id, ...given({ recordId: head }) })
}

function* openSession(telling: Telling): Generator<ReadItem, void, undefined> {
  if (telling.opened) return
  telling.opened = true
  yield record(sessionRecord(telling.session))
  const title = titleRecord(telling.session)
  if (title !== undefined) yield record(title)
}

function record(one: AgentRecord): ReadItem {
  return { type: 'record', record: one }
}
