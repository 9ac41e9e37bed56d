import { setImmediate } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'

it('collects what is not alive where the heap is large', async () => {
  vi.resetModules()
  const { collectGarbage } = await import('./collect-garbage.ts')
  const kept = Array.from({ length: 2_000_000 }, (_, i) => ({ i, text: `row ${i}` }))
  const left = new WeakRef({ of: 'a batch' })
  // Objects of the current turn of the event loop stay alive until it ends.
  await setImmediate()
  collectGarbage()
  expect(left.deref()).toBeUndefined()
  expect(kept).toHaveLength(2_000_000)
})
