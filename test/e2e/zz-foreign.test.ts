import { expect, it, vi } from 'vitest'
import { FOREIGN, TYPED } from '../fixtures/pasted/foreign.ts'
import { saidHome } from '../helpers/said-home.ts'
vi.setConfig({ testTimeout: 600_000 })
const home = (prompts: readonly string[]) => saidHome(prompts.map((p, i) => ({ session: `${String(i).padStart(8, '0')}-1111-4111-8111-111111111111`, folder: '/home/dev/atlas', texts: [p, 'Done.'] })))
it('measure', async () => {
  console.log(FOREIGN.length, TYPED.length)
  const m = await home(FOREIGN)
  const { rows } = await m.sql("select d.session_id, e.content, d.trust, d.type from decisions d join events e on e.id = d.event_id where d.trust = 'owner'")
  console.log('OWNED FOREIGN', new Set(rows.map((r) => r[0])).size, JSON.stringify(rows, null, 0).replaceAll('],[', '],\n['))
  const rel = await m.sql("select fact, type from relationships where type in ('PREFERS') ")
  console.log('REL', JSON.stringify(rel.rows))
  const { stable } = await m.brief({ folder: '/home/dev/atlas', maxTokens: 15000 })
  console.log('BRIEF', stable.split('\n').filter((l) => l.includes('quokka')).join('\n'))
  const t = await home(TYPED)
  const r2 = await t.sql("select d.session_id from decisions d where d.trust = 'owner' and d.type='preference_stated'")
  const got = new Set(r2.rows.map((r) => Number(String(r[0]).split(':')[1]?.slice(0, 8))))
  console.log('TYPED TAKEN', got.size, TYPED.filter((_, i) => !got.has(i)))
  expect(1).toBe(1)
})
