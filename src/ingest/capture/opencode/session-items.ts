import { given } from '../../../core/given.ts'
import type { AgentRecord } from '../../../ledgers/agent-record.ts'
import type { ReadItem } from '../../adapter.ts'
import type { Fields } from '../fields.ts'
import { convertMessage, type NativeMessage } from './convert-message.ts'
import { type NativeSession, sessionRecord, titleRecord } from './native-session.ts'

export interface SessionOutput {
  readonly session: NativeSession
  readonly compactions: Map<string, Fields>
  readonly recall: (message: string) => Fields | undefined
  last: string | undefined
  head: string | undefined
  undone: boolean
  opened: boolean
}

export function beginSession(session: NativeSession, recall: SessionOutput['recall'] = () => undefined): SessionOutput {
  return { session, compactions: new Map(), recall, last: undefined, head: undefined, undone: false, opened: false }
}

export function* messageItems(output: SessionOutput, message: NativeMessage, row: number): Generator<ReadItem, void, undefined> {
  const { session, compactions, recall, last } = output
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
  yield* openSession(output)
  yield record(converted.record)
  for (const type of converted.unknown) yield { type: 'unknown', name: type }
  passMessage(output, message.id)
}

/** An unchanged message: only its position matters. */
export function passMessage(output: SessionOutput, id: string): void {
  const { revert } = output.session
  output.last = id
  if (revert?.message === id) {
    output.undone = true
    if (revert.part !== undefined) output.head = id
  }
  if (!output.undone) output.head = id
}

/** `moved`: the head may have changed since the last read. */
export function* endSession(output: SessionOutput, moved: boolean): Generator<ReadItem, void, undefined> {
  const { session, head, undone, last } = output
  if (last === undefined) return
  yield* openSession(output)
  if (undone || moved) yield record({ type: 'head', session: session.id, ...given({ recordId: head }) })
}

function* openSession(output: SessionOutput): Generator<ReadItem, void, undefined> {
  if (output.opened) return
  output.opened = true
  yield record(sessionRecord(output.session))
  const title = titleRecord(output.session)
  if (title !== undefined) yield record(title)
}

function record(one: AgentRecord): ReadItem {
  return { type: 'record', record: one }
}
