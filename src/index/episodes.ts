/** Indexes one document per episode of people. */
import type { Kysely } from 'kysely'
import { MnemonicError } from '../core/error.ts'
import { META } from '../store/meta.ts'
import type { Tables } from '../store/tables.ts'
import { documentsGroup } from './document-group.ts'
import { episodeDocument, episodeIdOfPath, episodePath } from './episode-document.ts'
import { BUILT_IN, episodeRows, HUMAN_STRATEGIES, type KnownNames, partsInOrder, SPOKEN_FOR } from './episode-rows.ts'
import { newestRevision, revisedSince } from './in-revision-order.ts'
import type { BuildOptions, Feed, Group, Indexable, VisitOptions } from './indexable.ts'

const SOURCE = 'events' as const
const AT_ONCE = 400

/** Cursor over revisions. A trigger removes documents. */
const feed: Feed = {
  scopes: async () => ['all'],
  cursorKey: () => META.episodesCursor,
  newest: (db) => newestRevision(db, 'episodes'),
  changed: (db, _all, since) => revisedSince(() => ofPeople(db), COLUMNS, since),
  missing: (db, upTo) => revisedSince(() => withoutDocument(db), COLUMNS, { after: undefined, upTo }),
  async prune({ db }) {
    let removed = 0
    for (let last = 0; ; ) {
      const some = await db
        .selectFrom('files')
        .select(['id', 'path'])
        .where('source', '=', SOURCE)
        .where('id', '>', last)
        .orderBy('id')
        .limit(AT_ONCE)
        .execute()
      const ids = some.map(({ path }) => episodeIdOfPath(path) ?? '')
      const rows = await ofPeople(db).select(['e.id', 'e.channel']).where('e.id', 'in', ids).execute()
      const there = new Set(rows.map(({ id, channel }) => episodePath({ id, channel: channel ?? '' })))
      const gone = some.filter(({ path }) => !there.has(path)).map(({ id }) => id)
      if (gone.length > 0) await db.deleteFrom('index_files').where('id', 'in', gone).execute()
      removed += gone.length
      last = some.at(-1)?.id ?? last
      if (some.length < AT_ONCE) return removed
    }
  },
  open: (db, id, options) => openSome(db, [id], options),
  openSome,
}

export const episodes: Indexable = {
  kinds: ['episode'],
  feed,
  async builder(db, items, options) {
    const names: KnownNames = known.get(options) ?? new Map()
    known.set(options, names)
    const ids = items.map(({ id }) => id)
    const partsOf = await partsInOrder(db, ids, names)
    return async (id) => {
      const parts = await partsOf(id)
      if (parts === undefined) throw new MnemonicError('INTERNAL', `episode ${id} is gone`)
      return episodeDocument(parts, options.owner)
    }
  },
}

/** Name cache per run. */
const known = new WeakMap<BuildOptions, KnownNames>()

async function openSome(db: Kysely<Tables>, ids: readonly string[], options: VisitOptions): Promise<Group | undefined> {
  const rows = await episodeRows(db, ids)
  const documents = ids.flatMap((id) => {
    const episode = rows.get(id)
    return episode === undefined ? [] : [{ id, path: episodePath(episode), source: SOURCE, kind: 'episode' as const, isGone: false }]
  })
  return documents.length === 0 ? undefined : documentsGroup(documents, options)
}

const COLUMNS = { id: 'e.id', revision: 'e.revision' } as const

function withoutDocument(db: Kysely<Tables>) {
  return ofPeople(db).where((eb) => {
    const join = (a: Parameters<typeof eb>[0], b: Parameters<typeof eb>[2]) => eb(a, '||', b)
    const path = join(join(join(join(eb.val('events/'), eb.ref('e.channel')), eb.val('/')), eb.ref('e.id')), eb.val('.md'))
    const own = eb.selectFrom('index_files as i').select('i.id')
    return eb.not(eb.exists(own.where('i.path', '=', path as never)))
  })
}

function ofPeople(db: Kysely<Tables>) {
  return db
    .selectFrom('episodes as e')
    .innerJoin('episode_definitions as d', 'd.id', 'e.definition_id')
    .where('d.strategy', 'in', HUMAN_STRATEGIES)
    .where((eb) => eb.or([eb('d.id', 'in', BUILT_IN), eb('e.channel', 'not in', SPOKEN_FOR)]))
    .where('e.channel', 'is not', null)
}
