import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { testHome } from '../../test/helpers/home.ts'
import type { Adapter } from '../ingest/adapter.ts'
import type { Mnemonic } from './index.ts'

const line = (role: string, content: string) => `${JSON.stringify({ role, content, timestamp: '2026-03-01T10:00:00Z' })}\n`

function adapter(more: Partial<Adapter> = {}): Adapter {
  return { name: 'letters', defaultPaths: () => [], async *discover() {}, recognises: () => false, async *read() {}, ...more }
}

describe('await using', () => {
  it('closes at the end of the block', async () => {
    const home = testHome()
    let opened: Mnemonic
    {
      await using mnemonic = await home.open()
      await mnemonic.sql('select 1')
      opened = mnemonic
    }
    await expect(opened.sql('select 1')).rejects.toMatchObject({ name: 'MnemonicError' })
  })
})

describe('config', () => {
  it('is checked as config.yaml is', async () => {
    const home = testHome()
    // @ts-expect-error a key that does not exist
    await expect(home.open({ config: { search: { limits: 3 } } })).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
    // @ts-expect-error a number, not a text
    await expect(home.open({ config: { search: { limit: '3' } } })).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })
})

describe('adapters', () => {
  it.each([
    ['Letters', 'is no name'],
    ['', 'is no name'],
    ['a/b', 'is no name'],
    ['claude-code', 'is the name of a built-in source'],
    ['gmail', 'is the name of a built-in source'],
    ['aix-agents', 'is the name of a built-in source'],
    ['memory', 'is the name of a built-in source'],
  ])('one called %j is refused', async (name, why) => {
    const opening = testHome().open({ adapters: [adapter({ name })] })
    await expect(opening).rejects.toMatchObject({ code: 'USAGE', message: expect.stringContaining(why), details: { adapter: name } })
  })

  it('two of one name are refused, and one that lacks a method', async () => {
    const home = testHome()
    await expect(home.open({ adapters: [adapter(), adapter()] })).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('two adapters'),
    })
    const { read: _, ...unable } = adapter()
    await expect(home.open({ adapters: [unable as Adapter] })).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('lacks read'),
    })
  })

  it('one is listed, synced, counted and searched like a built-in one', async () => {
    const home = testHome()
    const file = join(home.logs, 'spring.letter')
    writeFileSync(file, 'The heron sleeps at the mill.')
    const letters = adapter({
      defaultPaths: () => [home.logs],
      async *discover() {
        yield { path: file, size: 29, mtimeMs: 1 }
      },
      async *read(unit, _since, reader) {
        const text = (await reader.slice(unit.path, 0, unit.size)).toString('utf8')
        const session = 'spring'
        yield { type: 'record', record: { type: 'session', session, firstHash: 'a' } }
        yield {
          type: 'record',
          record: { type: 'message', session, id: '1', hash: 'b', role: 'user', kind: 'prompt', text, trust: 'owner' },
        }
        yield { type: 'checkpoint', offset: unit.size, carry: null }
      },
    })
    const mnemonic = await home.open({ adapters: [letters] })
    expect((await mnemonic.sources.list()).find(({ name }) => name === 'letters')).toMatchObject({ enabled: true, units: 1, waiting: 1 })
    const { adapters } = await mnemonic.sync({ adapters: ['letters'], embed: false })
    expect(adapters).toMatchObject([{ name: 'letters', found: 1, imported: 1 }])
    expect((await mnemonic.sync({ adapters: ['letters'], embed: false })).totals).toMatchObject({ found: 1, unchanged: 1, bytes_read: 0 })
    expect((await mnemonic.search({ query: 'heron' })).results).toMatchObject([{ session_id: 'letters:spring', trust: 'owner' }])
    await expect(mnemonic.sync({ adapters: ['postcards'] })).rejects.toMatchObject({ hint: expect.stringContaining('letters') })
  })
})

it('what would be forgotten is shown without changing anything; a search then finds nothing that was', async () => {
  const home = testHome()
  writeFileSync(join(home.logs, 'mill.jsonl'), line('user', 'The heron sleeps at the mill.') + line('assistant', 'Noted.'))
  const mnemonic = await home.open()
  await mnemonic.sync({ path: home.logs, embed: false })
  expect(await mnemonic.planForget({ match: 'heron' })).toMatchObject({ dry_run: true, would_remove: { message: 1 } })
  expect((await mnemonic.search({ query: 'heron' })).results).toHaveLength(1)
  expect(await mnemonic.forget({ match: 'heron' })).toMatchObject({ removed: { message: 1 } })
  expect((await mnemonic.search({ query: 'heron' })).results).toEqual([])
})
