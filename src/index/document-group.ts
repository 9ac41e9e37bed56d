/** A group of the index that is one document: a file that somebody wrote, an episode. Its chunks are numbered from its beginning; the newest stay where there are too many. */
import { compiledOnce } from '../store/compiled-once.ts'
import type { WriteTx } from '../store/store.ts'
import type { DocumentKind, IndexDocument } from './document.ts'
import type { Group, Item, Visited, VisitOptions } from './indexable.ts'

export interface OneDocument extends Pick<IndexDocument, 'path' | 'source'> {
  /** As its builder knows it. */
  readonly id: string
  readonly kind: DocumentKind
  readonly isGone: boolean
}

export function documentGroup({ id, path, source, kind, isGone }: OneDocument, options: VisitOptions): Group {
  const fileId = (tx: WriteTx) => tx.chunks.documentId({ path, source, turn_id: null })
  const name = `document ${path}`
  async function remove(tx: WriteTx): Promise<number> {
    const file = await fileId(tx)
    if (file !== undefined) await tx.db.deleteFrom('index_files').where('id', '=', file).execute()
    return file === undefined ? 0 : 1
  }
  return {
    name,
    title: '', // its sections have their own
    isGone,
    remove,
    async begin(tx, again) {
      if (again) await remove(tx)
      return -1
    },
    async items(db, { after }): Promise<Item[]> {
      if (after >= 0) return []
      const [known] = await indexedFile(db, { path, source })
      return [{ id, kind, sequence: 0, ...(known ?? { file: null, path: null, hash: null, identity: null }) }]
    },
    async numbers(tx) {
      const file = (await fileId(tx)) ?? 0
      const [last] = await lastChunk(tx.db, { file })
      return { first: (last?.number ?? -1) + 1, step: 1 }
    },
    async appended(tx, next) {
      if (next <= options.maxChunks) return
      const file = (await fileId(tx)) ?? 0
      const least = next - options.maxChunks
      await tx.db.deleteFrom('index_chunks').where('file', '=', file).where('chunk_index', '<', least).execute()
    },
    async settle(_tx, { documents, chunks, errors, shortened }): Promise<Visited> {
      const leftOut = Math.max(0, chunks - options.maxChunks)
      return {
        ...{ name, documents, chunks: chunks - leftOut, unchanged: 1 - Math.min(1, documents), removed: 0, leftOut },
        ...{ errors: [...errors], shortened: [...shortened] },
      }
    },
  }
}

const indexedFile = compiledOnce((db, { path, source }: { path: string; source: string }) =>
  db
    .selectFrom('index_files as i')
    .innerJoin('files as f', 'f.id', 'i.id')
    .select(['f.id as file', 'f.path', 'f.hash', 'f.identity'])
    .where('i.path', '=', path)
    .where('f.source', '=', source),
)

const lastChunk = compiledOnce((db, { file }: { file: number }) =>
  db
    .selectFrom('index_chunks')
    .select((eb) => eb.fn.max('chunk_index').as('number'))
    .where('file', '=', file),
)
