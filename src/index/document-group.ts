/** Groups of files and episodes. Each document numbers its own chunks; the newest stay within the cap. */
import type { Kysely } from 'kysely'
import { padded } from '../core/padded.ts'
import { compiledOnce } from '../store/compiled-once.ts'
import type { WriteTx } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'
import type { DocumentKind, IndexDocument } from './document.ts'
import type { Group, Item, Visited, VisitOptions } from './indexable.ts'

export interface OneDocument extends Pick<IndexDocument, 'path' | 'source'> {
  readonly id: string
  readonly kind: DocumentKind
  readonly isGone: boolean
}

export function documentGroup(document: OneDocument, options: VisitOptions): Group {
  return documentsGroup([document], options)
}

/** Visits several together to save queries; results are per document. */
export function documentsGroup(documents: readonly OneDocument[], options: VisitOptions): Group {
  const [{ path = '', source = '', isGone = false } = {}] = documents
  const nameOf = (at: string) => `document ${at}`
  const name = documents.length === 1 ? nameOf(path) : `documents ${path} and ${documents.length - 1} more`
  const fileId = (tx: WriteTx, of: string) => tx.chunks.documentId({ path: of, source, turn_id: null })
  const written = new Map<string, { readonly chunks: number; readonly shortened: readonly string[] }>()
  async function remove(tx: WriteTx): Promise<number> {
    let removed = 0
    for (const document of documents) {
      const file = await fileId(tx, document.path)
      if (file === undefined) continue
      await tx.db.deleteFrom('index_files').where('id', '=', file).execute()
      removed += 1
    }
    return removed
  }
  return {
    name,
    title: '', // sections have their own titles
    isGone,
    remove,
    async begin(tx, again) {
      if (again) await remove(tx)
      return -1
    },
    async items(db, { after, limit }): Promise<Item[]> {
      const next = documents.slice(after + 1, after + 1 + limit)
      const known = await indexedFiles(
        db,
        source,
        next.map((document) => document.path),
      )
      return next.map(({ id, kind, path: at }, i) => ({
        ...{ id, kind, sequence: after + 1 + i },
        ...(known.get(at) ?? { file: null, path: null, hash: null, identity: null }),
      }))
    },
    async numbers(tx, _inside, { path: of, isNew }) {
      if (isNew) return { first: 0, step: 1 }
      const [last] = await lastChunk(tx.db, { file: (await fileId(tx, of)) ?? 0 })
      return { first: (last?.number ?? -1) + 1, step: 1 }
    },
    ownNumbers: true,
    async appended(tx, next, { path: of }) {
      if (next <= options.maxChunks) return
      const file = (await fileId(tx, of)) ?? 0
      const least = next - options.maxChunks
      await tx.db.deleteFrom('index_chunks').where('file', '=', file).where('chunk_index', '<', least).execute()
    },
    wrote: ({ path: of, shortened }, chunks) => void written.set(of, { chunks, shortened }),
    async settle(_tx, { errors }): Promise<Visited[]> {
      const visits = [...written].map(([of, { chunks, shortened }]): Visited => {
        const leftOut = Math.max(0, chunks - options.maxChunks)
        return { name: nameOf(of), documents: 1, chunks: chunks - leftOut, unchanged: 0, removed: 0, leftOut, errors: [], shortened }
      })
      const others = { documents: 0, chunks: 0, unchanged: documents.length - written.size, removed: 0, leftOut: 0, shortened: [] }
      return [...visits, { name, ...others, errors: [...errors] }]
    },
  }
}

type IndexedFile = Pick<Item, 'file' | 'path' | 'hash' | 'identity'>

async function indexedFiles(db: Kysely<Tables>, source: string, paths: readonly string[]): Promise<Map<string, IndexedFile>> {
  if (paths.length === 0) return new Map()
  const rows = await db
    .selectFrom('index_files as i')
    .innerJoin('files as f', 'f.id', 'i.id')
    .select(['f.id as file', 'f.path', 'f.hash', 'f.identity'])
    .where('i.path', 'in', padded(paths))
    .where('f.source', '=', source)
    .execute()
  return new Map(rows.map((row) => [row.path, row]))
}

const lastChunk = compiledOnce((db, { file }: { file: number }) =>
  db
    .selectFrom('index_chunks')
    .select((eb) => eb.fn.max('chunk_index').as('number'))
    .where('file', '=', file),
)
