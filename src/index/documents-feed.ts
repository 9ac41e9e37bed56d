/** Cursor over revisions. A trigger removes index rows with their document. */
import type { Kysely } from 'kysely'
import { compiledOnce } from '../store/compiled-once.ts'
import type { MetaKey } from '../store/meta.ts'
import type { DocumentsTable, Tables } from '../store/tables.ts'
import { type Tombstones, tombstonesOf } from '../tombstones/tombstones.ts'
import type { DocumentKind, IndexDocument } from './document.ts'
import { documentGroup } from './document-group.ts'
import { newestRevision, revisedSince } from './in-revision-order.ts'
import type { BuildOptions, Feed, Item } from './indexable.ts'

export type MirrorRow = DocumentsTable

const SOURCE = 'memory'

export interface MirroredKinds {
  readonly cursorKey: MetaKey
  readonly kinds: Readonly<Partial<Record<MirrorRow['kind'], DocumentKind>>>
  readonly isForgotten: (row: Pick<MirrorRow, 'path' | 'session_id'>, tombstones: Tombstones) => boolean
}

export function documentsFeed({ cursorKey, kinds, isForgotten }: MirroredKinds): Feed {
  const names = Object.keys(kinds) as MirrorRow['kind'][]
  return {
    scopes: async () => ['all'],
    cursorKey: () => cursorKey,
    newest: (db) => newestRevision(db, 'documents'),
    changed: (db, _all, since) => revisedSince(() => mirroredOf(db, names), COLUMNS, since),
    missing: (db, upTo) => revisedSince(() => withoutDocument(db, names), COLUMNS, { after: undefined, upTo }),
    async prune({ db }) {
      const some = await db.selectFrom('documents').select('path').where('kind', 'in', names).limit(1).executeTakeFirst()
      if (some === undefined) return 0 // an empty mirror proves no removal
      const gone = await db
        .selectFrom('files as f')
        .leftJoin('documents as d', 'd.path', 'f.path')
        .select('f.id')
        .where('f.source', '=', SOURCE)
        .where('f.kind', 'in', Object.values(kinds))
        .where('d.path', 'is', null)
        .execute()
      for (const { id } of gone) await db.deleteFrom('index_files').where('id', '=', id).execute()
      return gone.length
    },
    async open(db, path, options) {
      const [row] = await mirrored(db, { path })
      const kind = row && kinds[row.kind]
      if (row === undefined || kind === undefined) return undefined
      const tombstones = await tombstonesOf({ db })
      const isGone = tombstones !== undefined && isForgotten(row, tombstones)
      return documentGroup({ id: path, path, source: SOURCE, kind, isGone }, options)
    },
  }
}

function mirroredOf(db: Kysely<Tables>, kinds: readonly MirrorRow['kind'][]) {
  return db.selectFrom('documents as d').where('d.kind', 'in', kinds)
}

function withoutDocument(db: Kysely<Tables>, kinds: readonly MirrorRow['kind'][]) {
  return mirroredOf(db, kinds).where((eb) => {
    const known = eb.selectFrom('index_files as i').innerJoin('index_words as w', 'w.number', 'i.source').select('i.id')
    return eb.not(eb.exists(known.whereRef('i.path', '=', 'd.path').where('w.word', '=', SOURCE)))
  })
}

const COLUMNS = { id: 'd.path', revision: 'd.revision' } as const

/** Reads a row only when its document is built. */
export function mirroredBuilder(build: (row: MirrorRow, options: BuildOptions) => IndexDocument) {
  return async (db: Kysely<Tables>, _items: readonly Item[], options: BuildOptions) => async (path: string) =>
    build((await mirrorRow(db, { path }))[0] as MirrorRow, options)
}

const mirrored = compiledOnce((db, { path }: { path: string }) =>
  db.selectFrom('documents').select(['path', 'kind', 'session_id']).where('path', '=', path),
)

const mirrorRow = compiledOnce((db, { path }: { path: string }) => db.selectFrom('documents').selectAll().where('path', '=', path))
