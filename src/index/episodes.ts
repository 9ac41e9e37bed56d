/** What people wrote to each other, to be indexed: a document an episode. Turns and sessions have their own documents, so their episodes have none. */
import type { Kysely } from 'kysely'
import { MnemonicError } from '../core/error.ts'
import { META } from '../store/meta.ts'
import type { Tables } from '../store/tables.ts'
import { documentsGroup } from './document-group.ts'
import { episodeDocument, episodeIdOfPath, episodePath } from './episode-document.ts'
import { BUILT_IN, episodeRows, HUMAN_STRATEGIES, type KnownNames, partsInOrder, SPOKEN_FOR } from './episode-rows.ts'
import { inRevisionOrder } from './in-revision-order.ts'
import type { BuildOptions, Feed, Group, Indexable, Since, VisitOptions, Waiting } from './indexable.ts'

const SOURCE = 'events' as const
const AT_ONCE = 400

/** One cursor over the revisions of episodes. An episode that is removed takes its document along, by a trigger. */
const feed: Feed = {
  scopes: async () => ['all'],
  cursorKey: () => META.episodesCursor,
  async newest(db) {
    const row = await db.selectFrom('episodes').select('revision').orderBy('revision', 'desc').limit(1).executeTakeFirst()
    return row?.revision ?? 0
  },
  changed: (db, _all, since) => waiting(() => ofPeople(db), since),
  missing: (db, upTo) => waiting(() => withoutDocument(db), { after: undefined, upTo }),
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

/** Names that a run has looked up; a later run looks again. */
const known = new WeakMap<BuildOptions, KnownNames>()

async function openSome(db: Kysely<Tables>, ids: readonly string[], options: VisitOptions): Promise<Group | undefined> {
  const rows = await episodeRows(db, ids)
  const documents = ids.flatMap((id) => {
    const episode = rows.get(id)
    return episode === undefined ? [] : [{ id, path: episodePath(episode), source: SOURCE, kind: 'episode' as const, isGone: false }]
  })
  return documents.length === 0 ? undefined : documentsGroup(documents, options)
}

/** `all`: those of which some wait. */
function waiting(all: () => ReturnType<typeof ofPeople>, since: Since): Waiting {
  const { after = -1, upTo } = since
  return {
    async count() {
      const some = all().where('e.revision', '>', after).where('e.revision', '<=', upTo)
      const row = await some.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
      return Number(row.count)
    },
    pages: (limit) =>
      inRevisionOrder(
        ({ from, last }) =>
          all()
            .select(['e.id', 'e.revision'])
            .where('e.revision', '>=', from)
            .where('e.revision', '<=', upTo)
            .where((eb) => eb.or([eb('e.revision', '>', from), eb('e.id', '>', last)]))
            .orderBy('e.revision')
            .orderBy('e.id')
            .limit(limit)
            .execute(),
        { after, limit },
      ),
  }
}

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
