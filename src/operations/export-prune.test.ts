import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { spokenHome } from '../../test/helpers/spoken-home.ts'
import { NOON } from '../../test/helpers/store.ts'
import { removeSession } from '../ledgers/removal/remove-forgotten.ts'
import { openSqlite } from '../store/sqlite/open.ts'
import { pruneExports } from './export-prune.ts'

const bytesOf = (dir: string) =>
  Object.fromEntries(
    readdirSync(dir, { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name), 'utf8')]),
  )

it('what is gone from the ledger goes from its exports; nothing else changes, and nothing is added', async () => {
  const home = spokenHome()
  const mnemonic = await home.spoken()
  await mnemonic.artifacts.publish({ session: 'harbor' })
  await mnemonic.artifacts.publish({ session: 'orchard' })
  const [dir, file, gone] = [join(home.root, 'out'), join(home.root, 'messages.jsonl'), join(home.root, 'gone.jsonl')]
  await mnemonic.safekeeping.export({ dir })
  await mnemonic.safekeeping.export({ file })
  await mnemonic.safekeeping.export({ file: gone })
  rmSync(gone)
  const before = bytesOf(dir)
  const store = await openSqlite({ path: home.database, clock: () => NOON })
  expect(await pruneExports(store, join(home.root, 'workspace'))).toEqual([
    { path: gone, status: 'missing' },
    { path: file, status: 'clean' },
    { path: dir, status: 'clean' },
  ])
  expect(bytesOf(dir)).toEqual(before)

  await home.say(mnemonic, 'later', ['This came after the export was made.', 'Indeed.'])
  await store.write(async (tx) => {
    await removeSession(tx, 'jsonl:orchard')
    await tx.db.deleteFrom('artifacts').where('session_id', '=', 'jsonl:orchard').execute()
  })
  await pruneExports(store, join(home.root, 'workspace'))
  for (const [name, text] of [...Object.entries(bytesOf(dir)), ['file', readFileSync(file, 'utf8')] as const]) {
    expect(text, name).not.toMatch(/pear|orchard|after the export/i)
  }
  expect(bytesOf(dir)['messages.jsonl']).toBe(`${before['messages.jsonl']?.split('\n').slice(0, 2).join('\n')}\n`)
  const { files } = JSON.parse(String(bytesOf(dir)['manifest.json'])) as { files: { path: string; sha256: string }[] }
  for (const { path, sha256 } of files)
    expect(
      createHash('sha256')
        .update(readFileSync(join(dir, path)))
        .digest('hex'),
    ).toBe(sha256)
  await store.close()
})
