import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { leftOver } from '../../test/helpers/canaries.ts'
import { fakeEmbedder } from '../../test/helpers/fake-embedder.ts'
import { testHome } from '../../test/helpers/home.ts'
import { llmServer } from '../../test/helpers/llm-server.ts'
import { rowsThatHold } from '../../test/helpers/rows-that-hold.ts'
import { MARKS, markingModel, NEST, OWNER, plantUnderstood } from '../../test/helpers/understood-home.ts'

async function backedUp() {
  const server = await llmServer(markingModel)
  const home = testHome()
  const [sources, far] = [join(home.root, 'sources'), join(home.root, 'far')]
  mkdirSync(sources)
  mkdirSync(far)
  plantUnderstood(sources)
  const config = { owner: { emails: [OWNER] }, analyze: { provider: 'openai-compatible' as const, model: 'm', base_url: server.url } }
  const mnemonic = await home.open({ config, embedder: fakeEmbedder(), clock: () => Date.UTC(2026, 3, 1) })
  for (const [part, adapters] of Object.entries({ people: ['contacts', 'imessage', 'gmail', 'calendar'], code: ['claude-code'] }))
    await mnemonic.sync({ path: join(sources, part), adapters })
  await mnemonic.sync({ adapters: ['aix-events'] })
  await mnemonic.analyze()
  await mnemonic.artifacts.publish()
  await mnemonic.sync({ adapters: ['memory'] })
  const file = join(home.root, 'kept.db')
  await mnemonic.safekeeping.backup(file)
  // On another disk, out of reach of forgetting.
  const copy = join(far, 'kept.db')
  copyFileSync(file, copy)
  return { home, mnemonic, copy }
}

it.each(['match', 'name'] as const)('forgotten by %s', { timeout: 120_000 }, async (way) => {
  const { home, mnemonic, copy } = await backedUp()
  expect(rowsThatHold(copy, NEST).length).toBeGreaterThan(20)
  if (way === 'match') await mnemonic.forget({ match: NEST })
  else {
    for (const { session_id } of await mnemonic.sessions({ limit: 10 })) await mnemonic.forget({ session: session_id })
    await mnemonic.forget({ before: '2026-03-30' })
    await mnemonic.forget({ contact: '+14155552671' })
  }
  const words = way === 'match' ? [NEST, MARKS] : [NEST, MARKS]
  for (const word of words) expect(rowsThatHold(home.database, word), 'before').toEqual([])
  await mnemonic.safekeeping.restore(copy)
  for (const word of words) expect(rowsThatHold(home.database, word), word).toEqual([])
  expect(leftOver([join(home.root, 'home'), join(home.root, 'workspace')], words)).toEqual([])
  expect((await mnemonic.health()).checks.find(({ name }) => name === 'forgetting')).toMatchObject({ status: 'OK' })
})
