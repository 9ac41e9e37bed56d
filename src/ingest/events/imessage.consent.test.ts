/** Naming the database is consent; a folder around it is not, and a plain sync never looks. */
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testHome } from '../../../test/helpers/home.ts'
import { imessageSource } from '../../../test/helpers/sources/imessage.ts'
import { NOON } from '../../../test/helpers/store.ts'

function prepared() {
  const home = testHome()
  const folder = join(home.root, 'My Phone')
  mkdirSync(folder)
  return { home, folder, file: imessageSource.write(folder, 'one', [{ text: 'See you at nine', from: '+14155552671', at: NOON }]) }
}

it('the file itself is read while the source is off, and a second sync reads nothing', async () => {
  const { home, file } = prepared()
  const mnemonic = await home.open()
  const report = await mnemonic.sync({ path: file, embed: false })
  expect(report.adapters.find(({ name }) => name === 'imessage')).toMatchObject({ imported: 1, records: 1, warnings: [] })
  expect((await mnemonic.sync({ path: file, embed: false })).totals).toMatchObject({ imported: 0, bytes_read: 0 })
})

it('a folder that contains it is not read: the file is listed with the command to run', async () => {
  const { home, folder, file } = prepared()
  const mnemonic = await home.open()
  const { totals } = await mnemonic.sync({ path: folder, embed: false })
  expect(totals).toMatchObject({
    imported: 0,
    warnings: [`${file} was not read: imessage is off. Read it: mnemonic sync --path '${file}'`],
  })
  expect((await mnemonic.sync({ embed: false })).totals.imported).toBe(0)
  expect((await mnemonic.sync({ path: folder, adapters: ['imessage'], embed: false })).totals).toMatchObject({ imported: 1, warnings: [] })
})

it('where not even looking at the file is allowed, whose name it has reads it, and says why it cannot', async () => {
  const home = testHome()
  const library = join(home.root, 'Library')
  mkdirSync(library)
  // A symlink to itself: unreadable even for root.
  symlinkSync('Messages', join(library, 'Messages'))
  const path = join(library, 'Messages', 'chat.db')
  const mnemonic = await home.open()
  const { adapters } = await mnemonic.sync({ path, embed: false })
  expect(adapters.find(({ name }) => name === 'imessage')).toMatchObject({
    quarantined: 1,
    warnings: [`cannot read ${path}: ELOOP`],
  })
  // An unrelated unreadable file is reported as such.
  await expect(mnemonic.sync({ path: join(library, 'Messages', 'notes'), embed: false })).rejects.toMatchObject({
    code: 'SOURCE_UNREADABLE',
  })
})
