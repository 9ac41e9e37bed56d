import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { leftOver } from '../../test/helpers/canaries.ts'
import { fakeEmbedder } from '../../test/helpers/fake-embedder.ts'
import { testHome } from '../../test/helpers/home.ts'
import { SAMPLE_SOURCES } from '../../test/helpers/sources/all.ts'

const SECRET = 'Kestrel Vault-9931'
const MARCH = Date.UTC(2026, 2, 1, 9)

it('no other source brings back the same words, and each brings the rest', async () => {
  const home = testHome()
  const exchanges = [
    { prompt: 'Tell me of the tides', answer: 'The moon pulls at the water.', at: MARCH },
    {
      ...{ prompt: `Where is ${SECRET}?`, answer: `${SECRET} lies in the north.`, at: MARCH + 60_000 },
      tool: { name: 'Read', params: { path: `/srv/${SECRET}` }, result: `found ${SECRET} there` },
    },
    { prompt: 'And the whales?', answer: 'They sing.', at: MARCH + 120_000 },
  ]
  const [first, ...others] = [...SAMPLE_SOURCES].sort((a, b) => Number(a.noTools ?? false) - Number(b.noTools ?? false))
  const mnemonic = await home.open({ embedder: fakeEmbedder() })
  const folder = (name: string) => join(home.root, 'sources', name)
  const sync = (name: string, adapter: string) => mnemonic.sync({ path: folder(name), adapters: [adapter], embed: false })
  mkdirSync(join(home.root, 'sources'))
  first?.write(folder('first'), 'told', exchanges)
  await sync('first', first?.name ?? '')
  expect(await mnemonic.forget({ match: SECRET })).toMatchObject({ status: 'gone' })
  for (const [i, source] of others.entries()) {
    source.write(folder(`other-${i}`), `again-${i}`, exchanges)
    await sync(`other-${i}`, source.name)
  }
  const db = new Database(home.database, { readonly: true })
  const whales = db.prepare("select count(distinct session_id) from agent_messages where content = 'They sing.'").pluck().get()
  const held = db.prepare('select session_id, content from agent_messages where instr(content, ?)').all(SECRET)
  db.close()
  expect(held).toEqual([])
  expect(whales).toBe(SAMPLE_SOURCES.length)
  expect(leftOver([join(home.root, 'home'), join(home.root, 'workspace')], [SECRET])).toEqual([])
})
