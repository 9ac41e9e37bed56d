import type { AgentRecord } from '../ledgers/agent-record.ts'
import { type AgentsWriter, type AgentsWriterOptions, agentsWriter } from '../ledgers/agents-writer.ts'
import type { EventRecord } from '../ledgers/event-record.ts'
import { eventsWriter, removeThread } from '../ledgers/events-writer.ts'
import { type ContactRecord, contactsWriter } from '../ledgers/people/contacts-writer.ts'
import type { WriteTx } from '../store/store.ts'
import type { Adapter, DocumentRecord } from './adapter.ts'
import { documentsWriter, removeDocument } from './documents/documents-writer.ts'

export interface RecordWriter<R> {
  apply(tx: WriteTx, records: readonly R[]): Promise<Applied>
  /** Must run in the unit's last transaction. */
  finish(tx: WriteTx): Promise<void>
  changed(): boolean
}

interface Applied {
  readonly added: number
  readonly repeated: number
}

/** An imported ledger has several sources. */
export interface SourcedRecord {
  readonly source: string
  readonly record: AgentRecord
}

export interface Records {
  readonly agent: readonly SourcedRecord[]
  readonly event: readonly EventRecord[]
  readonly contact: readonly ContactRecord[]
  readonly document: readonly DocumentRecord[]
}

export interface UnitWriter extends Omit<AgentsWriter, 'apply'> {
  apply(tx: WriteTx, records: Records): Promise<Applied>
  changed(): boolean
}

export interface UnitWriterOptions extends Omit<AgentsWriterOptions, 'source'> {
  readonly adapter: Adapter
  readonly unit: string
}

export function unitWriter({ adapter, unit, ...options }: UnitWriterOptions): UnitWriter {
  const agents = new Map<string, AgentsWriter>()
  function writerOf(source: string): AgentsWriter {
    const known = agents.get(source)
    if (known !== undefined) return known
    const made = agentsWriter({ ...options, source, unit })
    agents.set(source, made)
    return made
  }
  const events: RecordWriter<EventRecord> = eventsWriter({
    adapter: adapter.eventsOf ?? adapter.name,
    whole: adapter.mirrors === 'event' ? unit : undefined,
  })
  const contacts: RecordWriter<ContactRecord> | undefined = adapter.addressBook ? contactsWriter(unit) : undefined
  const documents: RecordWriter<DocumentRecord> | undefined = adapter.mirrors === 'document' ? documentsWriter(unit) : undefined
  return {
    async apply(tx, { agent, event, contact, document }) {
      const sum = { added: 0, repeated: 0 }
      const add = ({ added, repeated }: Applied) => {
        sum.added += added
        sum.repeated += repeated
      }
      for (const [source, records] of bySource(agent)) add(await writerOf(source).apply(tx, records))
      if (event.length > 0) add(await events.apply(tx, event))
      if (contacts && contact.length > 0) add(await contacts.apply(tx, contact))
      if (documents && document.length > 0) add(await documents.apply(tx, document))
      return sum
    },
    sessions: () => [...agents.values()].flatMap((writer) => writer.sessions()),
    touched: () => [...agents.values()].flatMap((writer) => writer.touched()),
    resume(ids) {
      for (const id of ids) writerOf(id.slice(0, id.indexOf(':'))).resume([id])
    },
    startsOver: () => [...agents.values()].some((writer) => writer.startsOver()),
    leavesOutSession: () => [...agents.values()].some((writer) => writer.leavesOutSession()),
    changed: () => adapter.mirrors === undefined || events.changed() || documents?.changed() === true,
    async finish(tx) {
      for (const writer of agents.values()) await writer.finish(tx)
      await events.finish(tx)
      await contacts?.finish(tx)
      await documents?.finish(tx)
    },
  }
}

/** Deletes a vanished or unmirrorable unit's rows. Returns whether there were any. */
export async function removeMirrored(tx: WriteTx, { name, eventsOf, mirrors }: Adapter, unit: string): Promise<boolean> {
  if (mirrors === 'event') return removeThread(tx, eventsOf ?? name, unit)
  return mirrors === 'document' && removeDocument(tx, unit)
}

function bySource(items: readonly SourcedRecord[]): Map<string, AgentRecord[]> {
  const groups = new Map<string, AgentRecord[]>()
  for (const { source, record } of items) {
    const group = groups.get(source)
    if (group) group.push(record)
    else groups.set(source, [record])
  }
  return groups
}
