import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { ANSWERS } from '../../core/answers-folder.ts'
import { asMnemonicError } from '../../core/error.ts'
import { given } from '../../core/given.ts'
import { withText } from '../../embed/chunk-to-embed.ts'
import { listWritten } from '../../store/copies.ts'
import type { Lease } from '../../store/lease.ts'
import type { Store } from '../../store/store.ts'
import type { ForgetContext } from '../context.ts'
import type { Selection } from '../select/selection.ts'
import { type Applied, applyTombstones, removeOrphans } from './apply-tombstones.ts'
import { dropMadeTexts } from './clear-operations.ts'
import { republish } from './published-files.ts'

export interface Removed {
  readonly applied: Applied
  readonly tables: Readonly<Record<string, number>>
  readonly paths: readonly string[]
}

/** A resumed forget has no selection. */
export async function removeEverywhere(context: ForgetContext, selection: Selection | undefined, lease: Lease): Promise<Removed> {
  const { store, home, onStep } = context
  await onStep?.('removal')
  // Answers may have ids with the text.
  rmSync(join(home, ANSWERS), { recursive: true, force: true })
  const applied = await applyTombstones({ ...context, guard: lease.check })
  await onStep?.('index')
  for (const id of new Set([...applied.touched, ...(selection?.stale ?? [])])) {
    if (applied.gone.has(id)) continue
    await context.indexSession(id, lease)
    await reuseVectors(store, id, lease)
  }
  // After a crash the affected sessions are unknown: regroup everything.
  const resumed = selection === undefined
  if (applied.conversations || resumed) {
    await context.regroup(lease)
    await reuseVectors(store, undefined, lease)
  }
  await onStep?.('artifacts')
  // Owner's statements are in MEMORY.md without a session.
  const changed = resumed || applied.conversations || applied.touched.size + applied.gone.size + selection.stale.size > 0
  // A crash may leave files without rows.
  const paths = await republish(context, { changed, files: resumed })
  const dossiers = await context.dossiers(resumed ? undefined : holding(selection))
  await store.write(async (tx) => {
    await lease.check(tx)
    await dropMadeTexts(tx, context.workspace, await listWritten(store))
  })
  const orphans = await removeOrphans(store, lease.check)
  await context.exportAgain()
  return { applied, tables: { ...applied.tables, ...orphans }, paths: [...paths, ...dossiers.map(unnamed)] }
}

/** A dossier's file name reveals its subject. */
function unnamed(path: string, at: number): string {
  return `${path.slice(0, path.indexOf('/'))}/(${at + 1})`
}

/** Ignores markdown's backslash escapes. */
function holding({ needles, pieces }: Selection): (text: string) => boolean {
  const all = [...needles, ...pieces].filter((one) => one.trim() !== '')
  return (text) => {
    const plain = text.replaceAll('\\', '')
    return all.some((one) => text.includes(one) || plain.includes(one))
  }
}

const MOST = 100_000
const AT_ONCE = 200

/** Copies vectors of unchanged text. Computes none. */
async function reuseVectors(store: Store, session: string | undefined, lease: Lease): Promise<void> {
  if ((await store.vectors.active()) === undefined) return
  try {
    await reuse(store, session, lease)
  } catch (error) {
    // Another process switched the model and embeds these chunks.
    if (asMnemonicError(error).code !== 'EMBEDDING_FAILED') throw error
  }
}

async function reuse(store: Store, session: string | undefined, lease: Lease): Promise<void> {
  const waiting = (await store.vectors.waiting(MOST, given({ session }))).map(withText)
  for (let at = 0; at < waiting.length; at += AT_ONCE) {
    const page = waiting.slice(at, at + AT_ONCE)
    await store.write(async (tx) => {
      await lease.check(tx)
      const known = await tx.vectors.known(page.map(({ hash }) => hash))
      for (const { id, hash, stamp } of page) {
        const number = known.get(hash)
        if (number !== undefined) await tx.vectors.assign(id, number, stamp)
      }
    })
  }
}
