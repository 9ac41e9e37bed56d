/** The documents that people wrote, as a source: markdown of the workspace and of `memory.paths`, mirrored as they are now. */
import type { Adapter, ReadItem, SourceUnit, UnitReader } from '../adapter.ts'
import { unitName } from '../sync-state.ts'
import { agentOf, type DocumentRoot } from './document-roots.ts'
import { listDocuments, type WalkOptions } from './list-documents.ts'
import { readDocument } from './read-document.ts'

/** Their name as a source. */
export const DOCUMENTS = 'memory'

export interface DocumentsOptions extends WalkOptions {
  readonly roots: readonly DocumentRoot[]
}

export function documents({ roots, ...options }: DocumentsOptions): Adapter {
  return {
    name: DOCUMENTS,
    rewritten: true,
    mirrors: 'document',
    defaultPaths: () => roots.map(({ path }) => path),
    async *discover(asked) {
      if (asked.path === undefined) yield* await listDocuments(roots, options, asked)
    },
    recognises: () => false,
    read,
  }
}

async function* read(unit: SourceUnit, _: unknown, reader: UnitReader): AsyncGenerator<ReadItem, void, undefined> {
  const text = await readDocument(unit, reader)
  const path = unitName(unit)
  const record = { path, agentId: agentOf(path), timestamp: Math.round(unit.mtimeMs) }
  if (text !== undefined) yield { type: 'document', record: { ...record, text } }
}
