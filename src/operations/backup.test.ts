import { existsSync, linkSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { spokenHome } from '../../test/helpers/spoken-home.ts'
import { openMnemonic } from '../library/index.ts'
import { requireRoom } from './disk-space.ts'

it('a backup is one file for its owner alone, and opens as a home of its own', async () => {
  const home = spokenHome()
  const mnemonic = await home.spoken()
  const file = join(home.root, 'kept.db')
  const report = await mnemonic.safekeeping.backup(file)
  expect(report).toMatchObject({ path: file, sessions: 2, messages: 4, redacted: false, bytes: statSync(file).size })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(home.root).filter((name) => name.startsWith('kept'))).toEqual(['kept.db'])
  mkdirSync(join(home.root, 'second'))
  linkSync(file, join(home.root, 'second', 'mnemonic.db'))
  const second = await openMnemonic({ home: join(home.root, 'second'), workspace: join(home.root, 'second-ws') })
  expect(await home.said(second)).toEqual(await home.said(mnemonic))
  await second.close()
})

it('a backup is noted, so that forgetting can find it; those that are gone are dropped', async () => {
  const home = spokenHome()
  const mnemonic = await home.spoken()
  const [a, b] = [join(home.root, 'a.db'), join(home.root, 'b.db')]
  await mnemonic.safekeeping.backup(a)
  rmSync(a)
  await mnemonic.safekeeping.backup(b)
  const { rows } = await mnemonic.sql("select value from meta where key = 'backups'")
  expect(JSON.parse(String(rows[0]?.[0]))).toEqual([b, `${b}.partial`])
})

it('a file that is there is replaced only by force', async () => {
  const home = spokenHome()
  const mnemonic = await home.spoken()
  const file = join(home.root, 'kept.db')
  writeFileSync(file, 'a letter')
  await expect(mnemonic.safekeeping.backup(file)).rejects.toMatchObject({ code: 'USAGE', hint: expect.stringContaining('--force') })
  expect(statSync(file).size).toBe('a letter'.length)
  expect(await mnemonic.safekeeping.backup(file, { force: true })).toMatchObject({ messages: 4 })
})

it('no backup lands on the database, in a folder that is none, or among published files', async () => {
  const home = spokenHome()
  const mnemonic = await home.spoken()
  mkdirSync(join(home.root, 'workspace', 'memory'), { recursive: true })
  linkSync(home.database, join(home.root, 'another-name.db'))
  symlinkSync(join(home.root, 'home'), join(home.root, 'link'))
  const folders = [
    home.database,
    `${home.database}-wal`,
    join(home.root, 'another-name.db'),
    join(home.root, 'link', 'mnemonic.db'),
    join(home.root, 'workspace', 'memory', 'b.db'),
    join(home.root, 'no-folder', 'b.db'),
    home.root,
  ]
  for (const folder of folders)
    await expect(mnemonic.safekeeping.backup(folder, { force: true }), folder).rejects.toMatchObject({ code: 'USAGE' })
  expect(await home.said(mnemonic)).toHaveLength(4)
})

it('a disk without room is said before anything is written', async () => {
  const home = spokenHome()
  await expect(requireRoom(home.root, Number.MAX_SAFE_INTEGER)).rejects.toMatchObject({ code: 'STORAGE_ERROR' })
  await requireRoom(home.root, 1)
})

it('a backup that is stopped leaves no file', async () => {
  const home = spokenHome()
  const mnemonic = await home.spoken()
  const stop = new AbortController()
  stop.abort(new Error('enough'))
  const file = join(home.root, 'kept.db')
  await expect(mnemonic.safekeeping.backup(file, { signal: stop.signal })).rejects.toThrow('enough')
  expect(existsSync(file) || existsSync(`${file}.partial`)).toBe(false)
})
