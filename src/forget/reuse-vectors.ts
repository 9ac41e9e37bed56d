/** Gives chunks that were made again from what is left of a session the vectors of their unchanged text. Computes none. */
import { asMnemonicError } from '../core/error.ts'
import { withText } from '../embed/chunk-text.ts'
import type { Lease } from '../store/lease.ts'
import type { Store } from '../store/store.ts'

const MOST = 100_000
const AT_ONCE = 200

export async function reuseVectors(store: Store, session: string, lease: Lease): Promise<void> {
  if ((await store.vectors.active()) === undefined) return
  try {
    await reuse(store, session, lease)
  } catch (error) {
    // Another process embeds by another model now: that one gives these chunks their vectors.
    if (asMnemonicError(error).code !== 'EMBEDDING_FAILED') throw error
  }
}

async function reuse(store: Store, session: string, lease: Lease): Promise<void> {
  const waiting = (await store.vectors.waiting(MOST, { session })).map(withText)
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
