import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fakeEmbedder, fakeStates } from '../../test/helpers/fake-embedder.ts'
import { spokenHome } from '../../test/helpers/spoken-home.ts'
import { words } from '../core/text.ts'
import { stateSigns } from '../embed/minilm/state-signs.ts'
import type { Mnemonic } from '../library/index.ts'
import type { ForgetStep } from './context.ts'
import type { ForgetReport } from './forget.ts'
import type { ForgetRequest } from './request.ts'

const SAID = ['Which port does the harbor service use, by the way?', 'It listens on 7443.']
const GONE = 'harbor service use'
const KEPT = ['Plant the pear trees behind the northern wall.', 'Noted: pears, northern wall.']
const STAYS = 'behind the northern wall'

async function world(hooks: { onForgetStep?: (step: ForgetStep) => void } = {}) {
  const home = spokenHome()
  const mnemonic = await home.open({ embedder: fakeEmbedder({ tokens: true, dimensions: 384 }) }, hooks)
  await home.say(mnemonic, 'harbor', SAID)
  await home.say(mnemonic, 'orchard', KEPT)
  await mnemonic.embedding.run()
  const holds = (words: string) =>
    ['', '-wal'].some((end) => existsSync(home.database + end) && readFileSync(home.database + end).includes(bitsOf(words)))
  expect([holds(GONE), holds(STAYS)]).toEqual([true, true])
  return { home, mnemonic, kept: await stored(mnemonic, 'orchard'), holds }
}

function bitsOf(text: string): Buffer {
  return Buffer.from(stateSigns(fakeStates(text, { dimensions: 384 }), { pieces: words(text), dimensions: 384 }))
}

async function stored(mnemonic: Mnemonic, session: string): Promise<readonly unknown[]> {
  const { rows } = await mnemonic.sql(`select b.size, hex(b.bits) from token_bits b join chunks c on c.vector_number = b.number
    where c.session_id = 'jsonl:${session}'`)
  expect(rows).toHaveLength(1)
  return rows
}

const requests: [string, ForgetRequest][] = [
  ['text', { match: 'harbor service' }],
  ['session', { session: 'jsonl:harbor' }],
  ['turn', { turn: 'jsonl:harbor:1' }],
]

it.each(requests)('forgotten by %s', async (_name, request) => {
  const { mnemonic, kept, holds } = await world()
  const report = (await mnemonic.forget(request)) as ForgetReport
  expect(report).toMatchObject({ status: 'gone', still_held: [] })
  expect(holds(GONE)).toBe(false)
  expect(holds(STAYS)).toBe(true)
  expect(await stored(mnemonic, 'orchard')).toEqual(kept)
  await mnemonic.embedding.run()
  expect(holds(GONE)).toBe(false)
})

it.each(['removal', 'index', 'artifacts', 'erase', 'scan', 'receipt'] as const)(
  'a forgetting that ends before the %s is completed by the next sync',
  async (stop) => {
    let stopped = false
    const { home, mnemonic, kept, holds } = await world({
      onForgetStep: (step) => {
        if (step !== stop || stopped) return
        stopped = true
        throw new Error('the process ends here')
      },
    })
    await expect(mnemonic.forget({ match: 'harbor service' })).rejects.toThrow('the process ends here')
    expect(stopped).toBe(true)
    await mnemonic.close()
    const next = await home.open({ embedder: fakeEmbedder({ tokens: true, dimensions: 384 }) })
    await next.sync({ path: home.logs, adapters: ['jsonl'] })
    expect(holds(GONE)).toBe(false)
    expect(await stored(next, 'orchard')).toEqual(kept)
  },
)

it('a backup holds them; a restore brings them back without those of what was forgotten since', async () => {
  const { home, mnemonic, kept, holds } = await world()
  const file = join(home.root, 'kept.db')
  await mnemonic.safekeeping.backup(file)
  const before = await stored(mnemonic, 'harbor')
  await mnemonic.safekeeping.restore(file)
  expect(await stored(mnemonic, 'harbor')).toEqual(before)
  const copy = readFileSync(file)
  expect((await mnemonic.forget({ match: 'harbor service' })) as ForgetReport).toMatchObject({ still_held: [] })
  // A backup unknown to forgetting.
  const other = join(home.root, 'other.db')
  writeFileSync(other, copy, { mode: 0o600 })
  const report = await mnemonic.safekeeping.restore(other)
  expect(report?.forgotten).toBeGreaterThan(0)
  expect(holds(GONE)).toBe(false)
  expect(await stored(mnemonic, 'orchard')).toEqual(kept)
})

it('what is rebuilt has the bits that it had, and the model is not asked again', async () => {
  const home = spokenHome()
  const embedder = fakeEmbedder({ tokens: true, dimensions: 384 })
  const mnemonic = await home.open({ embedder })
  await home.say(mnemonic, 'orchard', KEPT)
  await mnemonic.embedding.run()
  const all = async () => (await mnemonic.sql('select number, size, hex(bits) from token_bits order by number')).rows
  const before = await all()
  const calls = embedder.calls.length
  await mnemonic.index.run({ scope: 'all' })
  await mnemonic.embedding.run()
  expect(await all()).toEqual(before)
  await mnemonic.rebuild()
  await mnemonic.embedding.run()
  expect(await all()).toEqual(before)
  expect(embedder.calls).toHaveLength(calls)
})
