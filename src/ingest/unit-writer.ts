/** Hands a unit's records to the ledger, each under the name of its source: an imported ledger holds those of several. */
import type { AgentRecord } from '../ledgers/agent-record.ts'
import { type AgentsWriter, type AgentsWriterOptions, agentsWriter } from '../ledgers/agents-writer.ts'
import type { WriteTx } from '../store/store.ts'

export interface SourcedRecord {
  readonly source: string
  readonly record: AgentRecord
}

export interface UnitWriter extends Omit<AgentsWriter, 'apply'> {
  apply(tx: WriteTx, items: readonly SourcedRecord[]): Promise<{ added: number; repeated: number }>
}

export function unitWriter(options: Omit<AgentsWriterOptions, 'source'>): UnitWriter {
  const writers = new Map<string, AgentsWriter>()
  function writerOf(source: string): AgentsWriter {
    const known = writers.get(source)
    if (known !== undefined) return known
    const made = agentsWriter({ ...options, source })
    writers.set(source, made)
    return made
  }
  return {
    async apply(tx, items) {
      const sum = { added: 0, repeated: 0 }
      for (const [source, records] of bySource(items)) {
        const { added, repeated } = await writerOf(source).apply(tx, records)
        sum.added += added
        sum.repeated += repeated
      }
      return sum
    },
    sessions: () => [...writers.values()].flatMap((writer) => writer.sessions()),
    touched: () => [...writers.values()].flatMap((writer) => writer.touched()),
    resume(ids) {
      for (const id of ids) writerOf(id.slice(0, id.indexOf(':'))).resume([id])
    },
    startsOver: () => [...writers.values()].some((writer) => writer.startsOver()),
    async finish(tx) {
      for (const writer of writers.values()) await writer.finish(tx)
    },
  }
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
