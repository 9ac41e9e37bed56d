/**
 * Repairs old ledgers: in Nexus, a turn that starts with a system message left it in the previous turn. Turn names are stored, so the
 * source is not needed.
 */
import { META, readMeta, writeMeta } from '../store/meta.ts'
import type { Store, WriteTx } from '../store/store.ts'
import { tombstonesOf } from '../tombstones/tombstones.ts'
import { finishSession, type Quiet } from './finish-session.ts'
import { turnHash } from './record-names.ts'
import { linkedMessages } from './snapshot/apply-snapshot.ts'
import type { Link, LinkedMessage } from './snapshot/reorder.ts'
import { writeOrder } from './snapshot/write-order.ts'

/** Increment when the grouping rule changes. */
const VERSION = '1'
const SOURCE = 'nexus'

interface RegroupOptions extends Quiet {
  readonly guard: (tx: WriteTx) => Promise<void>
}

/** Once per database. Idempotent, so an interrupted run restarts. */
export async function regroupNamedTurns(store: Store, { guard, ...quiet }: RegroupOptions): Promise<void> {
  if ((await readMeta(store.read, META.namedTurns)) === VERSION) return
  const sessions = await store.read.selectFrom('agent_sessions').select('id').where('source', '=', SOURCE).orderBy('id').execute()
  const names = sessions.length === 0 ? new Map<string, string>() : await turnNames(store)
  for (const { id } of sessions) {
    await store.write(async (tx) => {
      await guard(tx)
      await regroup(tx, id, names, quiet)
    })
  }
  await store.write(async (tx) => {
    await guard(tx)
    await writeMeta(tx.db, META.namedTurns, VERSION)
  })
}

async function turnNames(store: Store): Promise<Map<string, string>> {
  const rows = await store.read
    .selectFrom('agent_records')
    .select(['message_id', 'native_id'])
    .where('source', '=', SOURCE)
    .where('hash', 'like', 'turn-%')
    .execute()
  return new Map(rows.map(({ message_id, native_id }) => [message_id, native_id]))
}

async function regroup(tx: WriteTx, session: string, names: ReadonlyMap<string, string>, quiet: Quiet): Promise<void> {
  const rows = await linkedMessages(tx, session)
  const { links, moved } = linksByName(rows, names, (await tombstonesOf(tx)) === undefined)
  if (rows.every(({ id, opener_id }) => links.get(id)?.opener_id === opener_id)) return
  await writeOrder(tx, session, { rows, links, path: currentOpeners(rows, links) })
  for (const [name, message] of moved)
    await tx.db
      .updateTable('agent_records')
      .set({ message_id: message })
      .where('source', '=', SOURCE)
      .where('native_id', '=', name)
      .where('hash', '=', turnHash(session))
      .execute()
  await finishSession(tx, session, quiet)
}

/**
 * `isWhole`: nothing was forgotten. Otherwise a turn's first message may be missing, and a prompt stays in place once something was said.
 * `moved`: turn names that lead to a compaction beside speech, with the speech's first message.
 */
function linksByName(rows: readonly LinkedMessage[], names: ReadonlyMap<string, string>, isWhole: boolean) {
  const links = new Map<string, Link>()
  const moved = new Map<string, string>()
  const [named, said, summaries] = [new Set<string>(), new Set<string>(), new Set<string>()]
  for (const { id, parent_id, opener_id, kind, sequence } of rows) {
    const parent = parent_id === null ? undefined : links.get(parent_id)?.opener_id
    const joins = kind !== 'summary' && parent !== undefined && named.has(parent) && (isWhole || !said.has(parent))
    let opener = joins ? parent : opener_id
    if (names.has(id)) {
      opener = id
      if (kind === 'summary') summaries.add(id)
    } else if (summaries.has(opener) && (kind === 'prompt' || kind === 'reply')) {
      moved.set(names.get(opener) as string, id)
      opener = id
      named.add(id)
    }
    if (names.has(id)) named.add(id)
    if (kind === 'prompt' || kind === 'reply') said.add(opener)
    links.set(id, { parent_id, opener_id: opener, sequence })
  }
  return { links, moved }
}

function currentOpeners(rows: readonly LinkedMessage[], links: ReadonlyMap<string, Link>): Set<string> {
  const current = new Map<string, boolean>()
  for (const { id, status } of rows) current.set(links.get(id)?.opener_id ?? id, status !== 'superseded')
  return new Set([...current].flatMap(([opener, is]) => (is ? [opener] : [])))
}
