import { plural } from '../core/text.ts'
import type { Store } from '../store/store.ts'

export async function heldBack(store: Store): Promise<string | undefined> {
  const next = (await store.vectors.active())?.next
  const { embedded = 0, waiting = 0, failed = 0 } = (await store.vectors.coverage()).next ?? {}
  if (next === undefined || waiting > 0 || failed === 0) return undefined
  const until = failed < embedded ? 'is tried again' : 'embeds most of them'
  return `search goes by words until ${next.model} ${until}: it could not embed ${failed} of ${plural(embedded + failed, 'chunk')}`
}
