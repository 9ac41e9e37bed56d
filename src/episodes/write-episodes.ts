import type { Selectable } from 'kysely'
import type { Clock } from '../core/clock.ts'
import { compiledOnce } from '../store/compiled-once.ts'
import { META, readMeta, writeMeta } from '../store/meta.ts'
import type { WriteTx } from '../store/store.ts'
import type { EpisodesTable } from '../store/tables.ts'

export type EpisodeRow = Selectable<EpisodesTable>
export type MadeEpisode = Omit<EpisodeRow, 'summary' | 'created_at' | 'revision'>

export interface Written {
  readonly added: number
  readonly changed: number
  readonly removed: number
}

export interface PutOptions {
  readonly stored: EpisodeRow | undefined
  /** A record changed although the row may be equal. */
  readonly touched: boolean
  /** Ordered event ids; absent if the records themselves name their episode. */
  readonly members?: readonly string[]
}

/** One transaction. */
export interface EpisodeWriter {
  put(made: MadeEpisode, options: PutOptions): Promise<void>
  remove(id: string): Promise<void>
  finish(): Promise<Written>
}

const EPISODES = 32
const MEMBERS = 128

interface MemberRow {
  readonly episode_id: string
  readonly position: number
  readonly event_id: string
}

export async function episodeWriter(tx: WriteTx, clock: Clock): Promise<EpisodeWriter> {
  const counts = { added: 0, changed: 0, removed: 0 }
  const before = Number((await readMeta(tx.db, META.episodesRevision)) ?? 0)
  let revision = before
  const now = clock()
  let rows: (MadeEpisode & { created_at: number; revision: number })[] = []
  let members: MemberRow[] = []

  async function flush(): Promise<void> {
    if (rows.length > 0) await tx.db.insertInto('episodes').values(rows).execute()
    for (let at = 0; at < members.length; at += MEMBERS)
      await tx.db
        .insertInto('episode_members')
        .values(members.slice(at, at + MEMBERS))
        .execute()
    rows = []
    members = []
  }
  async function putMembers(episode: string, ids: readonly string[], isNew: boolean): Promise<boolean> {
    const known = isNew ? [] : await membersOf(tx.db, { episode })
    const isPrefix = known.every(({ event_id }, at) => event_id === ids[at])
    if (isPrefix && known.length === ids.length) return false
    if (!isPrefix) await tx.db.deleteFrom('episode_members').where('episode_id', '=', episode).execute()
    const from = isPrefix ? known.length : 0
    for (const [at, id] of ids.slice(from).entries()) members.push({ episode_id: episode, position: from + at, event_id: id })
    return true
  }
  return {
    async put(made, { stored, touched, members: ids }) {
      const others = ids === undefined ? false : await putMembers(made.id, ids, stored === undefined)
      if (stored === undefined) {
        counts.added += 1
        rows.push({ ...made, created_at: now, revision: ++revision })
      } else if (touched || others || !isSame(made, stored)) {
        counts.changed += 1
        await tx.db
          .updateTable('episodes')
          .set({ ...made, revision: ++revision })
          .where('id', '=', made.id)
          .execute()
      }
      if (rows.length >= EPISODES || members.length >= MEMBERS) await flush()
    },
    async remove(id) {
      counts.removed += 1
      await removeOne(tx.db, { id })
    },
    async finish() {
      await flush()
      // Revisions are never reused, even if the newest episode was removed: a cursor over them misses nothing.
      if (revision > before) await writeMeta(tx.db, META.episodesRevision, String(revision))
      return counts
    },
  }
}

function isSame(made: MadeEpisode, stored: EpisodeRow): boolean {
  return (Object.keys(made) as (keyof MadeEpisode)[]).every((column) => made[column] === stored[column])
}

const membersOf = compiledOnce((db, { episode }: { episode: string }) =>
  db.selectFrom('episode_members').select('event_id').where('episode_id', '=', episode).orderBy('position'),
)

const removeOne = compiledOnce((db, { id }: { id: string }) => db.deleteFrom('episodes').where('id', '=', id))
