import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { NOON, tempFolder, tempStore } from '../../test/helpers/store.ts'
import type { Store } from '../store/store.ts'
import { chatgpt } from './capture/chatgpt.ts'
import { syncSources } from './sync.ts'

const sync = async (store: Store, path: string) => {
  const options = { clock: () => NOON, quietMs: 7_200_000, ignore: () => false, guard: async () => {}, afterGroup: async () => {} }
  return (await syncSources({ store, adapters: [chatgpt()], path, ...options })).totals
}

it('many files of another format are told by their number, set aside, and not opened again', async () => {
  const [store, folder] = [await tempStore(), tempFolder()]
  for (let n = 0; n < 5; n++) writeFileSync(join(folder, `package-${n}.json`), JSON.stringify({ name: `pack ${n}`, version: '1.0.0' }))
  const first = await sync(store, folder)
  expect(first).toMatchObject({ found: 5, imported: 0, unchanged: 0, quarantined: 5 })
  expect(first.warnings).toEqual([expect.stringMatching(/^5 files are of another format \(the first: .*package-0\.json\)$/)])
  expect(await sync(store, folder)).toMatchObject({ found: 5, unchanged: 5, quarantined: 0, bytes_read: 0, warnings: [] })
})
