/** Naming a file is consent; naming its folder is not. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testHome } from '../../test/helpers/home.ts'
import { SAMPLE_SOURCES } from '../../test/helpers/sources/all.ts'
import { NOON } from '../../test/helpers/store.ts'

const exchanges = [{ prompt: 'How deep is the harbour?', answer: 'Nine metres.', at: NOON - 86_400_000 }]
const PERSONAL = SAMPLE_SOURCES.filter(({ name }) => name === 'chatgpt' || name === 'claude-ai').map((source) => ({
  name: source.name,
  source,
}))

function prepared(source: (typeof SAMPLE_SOURCES)[number]) {
  const home = testHome()
  const folder = join(home.root, 'My Downloads')
  mkdirSync(folder)
  return { home, folder, file: source.write(folder, 'harbour', exchanges) }
}

it.each(PERSONAL)('$name: the file itself is read, without --adapter and while the source is off', async ({ name, source }) => {
  const { home, file } = prepared(source)
  const mnemonic = await home.open()
  const report = await mnemonic.sync({ path: file, embed: false })
  expect(report.adapters.find((adapter) => adapter.name === name)).toMatchObject({ found: 1, imported: 1, warnings: [] })
  expect((await mnemonic.sessions()).map(({ source: of }) => of)).toEqual([name])
})

it.each(PERSONAL)('$name: a folder that contains it is not read; each file is listed with the command to run', async ({ name, source }) => {
  const { home, folder, file } = prepared(source)
  const [jsonl] = SAMPLE_SOURCES.filter((one) => one.name === 'jsonl')
  jsonl?.write(folder, 'notes', exchanges)
  const mnemonic = await home.open()
  const { totals } = await mnemonic.sync({ path: folder, embed: false })
  expect(totals.imported).toBe(1)
  expect(totals.warnings).toContain(`${file} was not read: ${name} is off. Read it: mnemonic sync --path '${file}'`)
  expect((await mnemonic.sessions()).map(({ source: of }) => of)).toEqual(['jsonl'])
  // An unchanged file that was read by name needs no new consent.
  await mnemonic.sync({ path: file, embed: false })
  expect((await mnemonic.sync({ path: folder, embed: false })).totals.warnings).toEqual([])
})

it('a folder is read by naming the source, and a sync without a path never looks', async () => {
  const [{ source } = { source: undefined }] = PERSONAL
  if (source === undefined) throw new Error('no personal source')
  const { home, folder } = prepared(source)
  const mnemonic = await home.open()
  expect((await mnemonic.sync({ embed: false })).totals.imported).toBe(0)
  expect((await mnemonic.sync({ path: folder, adapters: [source.name], embed: false })).totals).toMatchObject({ imported: 1, warnings: [] })
})
