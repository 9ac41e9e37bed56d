import Database from 'better-sqlite3'
import { beforeEach, expect, it } from 'vitest'
import { canonicalDump } from '../../test/helpers/canonical-dump.ts'
import { type TestHome, testHome } from '../../test/helpers/home.ts'
import { claudeCodeSource } from '../../test/helpers/sources/claude-code.ts'
import { plantUnderstood } from '../../test/helpers/understood-home.ts'
import type { Mnemonic } from '../library/index.ts'

const NOW = Date.UTC(2026, 5, 1)
const DAY = 86_400_000

let home: TestHome
let mnemonic: Mnemonic

const dump = () => canonicalDump(home.database)

function sql(...statements: string[]): void {
  const db = new Database(home.database)
  for (const statement of statements) db.exec(statement)
  db.close()
}

beforeEach(async () => {
  home = testHome()
  mnemonic = await home.open({ config: { owner: { emails: ['owner@example.com'] } }, clock: () => NOW })
  plantUnderstood(home.logs)
  claudeCodeSource.write(home.logs, 'switch', [
    { prompt: 'Tyler works at Google now. My sister Orla lives in Harbourtown.', answer: 'Noted.', at: NOW - 40 * DAY },
    { prompt: "Let's use MySQL for the ferry timetable store.", answer: 'Agreed, MySQL it is.', at: NOW - 39 * DAY },
  ])
  claudeCodeSource.write(home.logs, 'back', [
    { prompt: "Let's use PostgreSQL instead of MySQL for the ferry timetable store.", answer: 'Agreed.', at: NOW - 30 * DAY },
  ])
  await mnemonic.sync({ path: home.logs, embed: false })
  await mnemonic.analyze({})
})

it('gives exactly what was there, where nothing of it was damaged', { timeout: 60_000 }, async () => {
  const before = dump()
  expect(before).toMatchObject({ decision_links: { rows: 1 } })
  for (const table of ['facets', 'entities', 'relationships', 'discussion_terms', 'work', 'episodes'])
    expect(before[table]?.rows, table).toBeGreaterThan(0)
  const report = await mnemonic.rebuild({ embed: false })
  expect(report).toMatchObject({ resumed: false, episodes: { added: 0, changed: 0, removed: 0 }, events: { added: 0, removed: 0 } })
  expect(report.runs).toBe(before.analysis_runs?.rows)
  expect(dump()).toEqual(before)
})

it('mends what was damaged, keeps what the owner decided and what a model said, and goes on where it was killed', {
  timeout: 60_000,
}, async () => {
  const [orla] = (await mnemonic.entities.list({ limit: 50 })).entities.filter(({ name }) => name === 'Orla')
  await mnemonic.entities.alias(orla?.id ?? '', 'Captain')
  const paid =
    "update analysis_runs set asked = 'model-x', implementation = 'model-x', output_text = 'paid for' where rowid in (select rowid from analysis_runs where analysis_type_id = 'session_summary' order by id limit 1)"
  sql(paid)
  const before = dump()
  const damage = () =>
    sql(
      "update agent_turns set label = 'wrong', topics = '[\"wrong\"]' where id in (select id from agent_turns order by id limit 2)",
      'delete from decision_links',
      "update decisions set scope = 'elsewhere'",
      'delete from discussion_terms where is_name = 1',
      "insert into facets (id, analysis_run_id, episode_id, facet_type, value, created_at) select 'bogus', id, episode_id, 'person', 'Nobody', 1 from analysis_runs where asked = 'rules' order by id limit 1",
      "update relationships set fact = 'wrong' where source_type = 'stated'",
      'update index_chunks set has_decision = 1 - has_decision',
      'delete from chunks_fts where rowid in (select id from index_chunks limit 1)',
    )
  damage()
  await mnemonic.rebuild({ embed: false })
  expect(dump()).toEqual(before)

  damage()
  for (const dies of ['episodes', 'index', 'analyze']) {
    const stop = new AbortController()
    const onProgress = ({ stage }: { readonly stage: string }) => void (stage === dies && stop.abort())
    await mnemonic.rebuild({ embed: false, signal: stop.signal, onProgress }).catch(() => undefined)
    expect((await mnemonic.sql("select value from meta where key = 'rebuild_pending'")).rows).toEqual([['1']])
  }
  expect((await mnemonic.health()).checks.find(({ name }) => name === 'rebuild')).toMatchObject({ status: 'DEGRADED' })
  expect(await mnemonic.rebuild({ embed: false })).toMatchObject({ resumed: true })
  expect(dump()).toEqual(before)
  expect((await mnemonic.health()).checks.find(({ name }) => name === 'rebuild')).toMatchObject({ status: 'OK' })
})
