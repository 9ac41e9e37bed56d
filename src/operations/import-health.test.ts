import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { NOON, tempFolder, tempStore } from '../../test/helpers/store.ts'
import { healthReport } from './health.ts'

const ADAPTERS = [{ name: 'codex', readerVersion: 1 }, { name: 'jsonl' }]

it('names what an older version read, until it is read again; a file that is gone is not spoken of', async () => {
  const [store, folder] = [await tempStore(), tempFolder()]
  const paths = ['a.jsonl', 'b.jsonl', 'c.jsonl'].map((name) => join(folder, name))
  for (const path of paths) writeFileSync(path, '')
  const row = { size: 0, mtime_ms: 0, offset: 0, records: 4, status: 'done' as const, updated_at: NOON }
  await store.write(async (tx) => {
    for (const path of paths.slice(0, 2))
      await tx.db
        .insertInto('sync_state')
        .values({ ...row, adapter: 'codex', path })
        .execute()
    // This adapter's reader version is unchanged.
    await tx.db
      .insertInto('sync_state')
      .values({ ...row, adapter: 'jsonl', path: paths[2] as string })
      .execute()
  })
  const check = async () => {
    const { checks } = await healthReport(async () => store, { clock: () => NOON, adapters: ADAPTERS })
    return checks.find(({ name }) => name === 'older_imports')
  }
  expect(await check()).toEqual({
    name: 'older_imports',
    status: 'DEGRADED',
    message: 'read by an older version, which did not store everything: codex (2 files: the times of tool calls)',
    hint: 'Run mnemonic sync --reread once. Search works without it.',
  })
  rmSync(paths[1] as string)
  expect((await check())?.message).toContain('codex (1 file:')
  await store.write((tx) =>
    tx.db
      .updateTable('sync_state')
      .set({ reads: 1 })
      .where('path', '=', paths[0] as string)
      .execute(),
  )
  expect(await check()).toMatchObject({ status: 'OK', message: 'all that could be read of the sources is stored' })
})
