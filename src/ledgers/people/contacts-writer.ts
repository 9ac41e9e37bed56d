/** A changed file replaces its names; a deleted file keeps them, because exports are seldom kept. */
import { shortHash } from '../../core/hash.ts'
import { META, readMeta, writeMeta } from '../../store/meta.ts'
import type { WriteTx } from '../../store/store.ts'
import { tombstonesOf } from '../../tombstones/tombstones.ts'

export interface ContactRecord {
  readonly name: string
  readonly handles: readonly string[]
}

/** Limits query parameters. */
const AT_ONCE = 400

export function contactsWriter(unit: string) {
  const given = new Set<string>()
  let changed = false
  return {
    async apply(tx: WriteTx, records: readonly ContactRecord[]): Promise<{ added: number; repeated: number }> {
      const tombstones = await tombstonesOf(tx)
      const names = new Map<string, Card>()
      for (const { name, handles } of records) {
        if (tombstones?.holds('value', name)) continue
        const card = cardId(handles)
        for (const handle of handles) {
          // If two people share a number, the first in the file wins.
          if (given.has(handle) || tombstones?.holds('value', handle)) continue
          given.add(handle)
          names.set(handle, { name, card })
        }
      }
      const before = await namesIn(tx, unit, [...names.keys()])
      const other = [...names].filter(([handle, { name, card }]) => before.get(handle)?.name !== name || before.get(handle)?.card !== card)
      for (const [handle, { name, card }] of other) await putName(tx, { handle, unit, name, card })
      const renamed = other.filter(([handle, { name }]) => before.get(handle)?.name !== name)
      await namesChanged(
        tx,
        renamed.map(([handle]) => handle),
      )
      changed ||= renamed.length > 0
      return { added: renamed.filter(([handle]) => !before.has(handle)).length, repeated: 0 }
    },
    async finish(tx: WriteTx): Promise<void> {
      const stored = await tx.db.selectFrom('contacts').select('handle').where('unit', '=', unit).execute()
      const gone = stored.map(({ handle }) => handle).filter((handle) => !given.has(handle))
      for (const handle of gone) await tx.db.deleteFrom('contacts').where('unit', '=', unit).where('handle', '=', handle).execute()
      await namesChanged(tx, gone)
      changed ||= gone.length > 0
    },
    changed: () => changed,
  }
}

/** Derived from the handles, so equal on every machine. */
export function cardId(handles: readonly string[]): string {
  return shortHash(16, [...handles].sort().join('\n'))
}

interface Card {
  readonly name: string
  readonly card: string | null
}

async function namesIn(tx: WriteTx, unit: string, handles: readonly string[]): Promise<Map<string, Card>> {
  const names = new Map<string, Card>()
  for (let from = 0; from < handles.length; from += AT_ONCE) {
    const some = handles.slice(from, from + AT_ONCE)
    const rows = await tx.db
      .selectFrom('contacts')
      .select(['handle', 'name', 'card'])
      .where('unit', '=', unit)
      .where('handle', 'in', some)
      .execute()
    for (const { handle, name, card } of rows) names.set(handle, { name, card })
  }
  return names
}

export async function putName(tx: WriteTx, row: { handle: string; unit: string; name: string; card: string | null }): Promise<void> {
  await tx.db
    .insertInto('contacts')
    .values(row)
    .onConflict((conflict) => conflict.columns(['handle', 'unit']).doUpdateSet({ name: row.name, card: row.card }))
    .execute()
}

/** Marks these people's episodes as changed, so that their documents get the new names. */
export async function namesChanged(tx: WriteTx, handles: readonly string[]): Promise<void> {
  if (handles.length === 0) return
  let revision = Number((await readMeta(tx.db, META.episodesRevision)) ?? 0)
  const before = revision
  for (let from = 0; from < handles.length; from += AT_ONCE) {
    const episodes = await tx.db
      .selectFrom('event_people')
      .innerJoin('episode_events', 'episode_events.event_id', 'event_people.event_id')
      .select('episode_events.episode_id as id')
      .distinct()
      .where('event_people.handle', 'in', handles.slice(from, from + AT_ONCE))
      .execute()
    for (const { id } of episodes) {
      revision += 1
      await tx.db.updateTable('episodes').set({ revision }).where('id', '=', id).execute()
    }
  }
  if (revision !== before) await writeMeta(tx.db, META.episodesRevision, String(revision))
}
