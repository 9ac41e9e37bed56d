/** A sync runs every analysis by rules: entities, topics and summaries are there without `analyze`, also after a sync of one source. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Mnemonic } from '../../src/library/index.ts'
import { claudeLog } from '../helpers/claude-log.ts'
import { type CliRun, cli } from '../helpers/cli.ts'
import { type TestHome, testHome } from '../helpers/home.ts'

const TURNS = 3
const NAMED = ['ada/harbor', 'left-pad']

function writeLogs(home: TestHome, session = 'a1b2c3d4-0000-4000-8000-000000000001', from?: number): void {
  const log = claudeLog(join(home.logs, 'projects'), session, from === undefined ? {} : { from })
  log.turn('Clone https://github.com/ada/harbor and look at src/tides/gauge.ts', 'It reads the gauge every minute.')
  log.turn('Run npm install left-pad there, we decided to use it for the port table.', 'Installed left-pad.')
  log.turn('Thanks, and push it', 'Pushed to https://github.com/ada/harbor.')
  log.turn('That was all', 'Good.')
}

async function run(home: TestHome, ...args: string[]): Promise<CliRun> {
  const env = { HOME: home.root, MNEMONIC_HOME: join(home.root, 'home'), MNEMONIC_WORKSPACE: join(home.root, 'workspace') }
  return cli(args, { env, cwd: home.root })
}

async function entities(home: TestHome): Promise<string> {
  const { code, stdout } = await run(home, 'entities', 'list', '--json')
  expect(code).toBe(0)
  return stdout
}

const runsOf = async (mnemonic: Mnemonic) =>
  (await mnemonic.sql('select analysis_type_id, episode_id, completed_at, version from analysis_runs order by 1, 2')).rows

it('a sync analyses by rules what is new, --no-analyze leaves it for the next, and what is done is not done again', async () => {
  const home = testHome()
  writeLogs(home)
  expect((await run(home, 'sync', '--path', home.logs, '--no-embed', '--no-analyze')).code).toBe(0)
  for (const name of NAMED) expect(await entities(home)).not.toContain(name)
  expect((await run(home, 'sync', '--no-embed')).code).toBe(0)
  const known = await entities(home)
  for (const name of NAMED) expect(known).toContain(name)
  const mnemonic = await home.open()
  const first = await runsOf(mnemonic)
  const types = new Set(first.map(([type]) => type))
  for (const type of ['turn_labels', 'topics', 'decisions', 'entity_extraction', 'memory_extraction', 'session_summary'])
    expect(types).toContain(type)
  const labels = await mnemonic.sql("select count(*) from agent_turns where status <> 'open' and label is null")
  expect(labels.rows).toEqual([[0]])
  await mnemonic.sync({ embed: false })
  expect(await runsOf(mnemonic)).toEqual(first)
  // Of what is new only that.
  writeLogs(home, 'b1b2c3d4-0000-4000-8000-000000000002', Date.parse('2026-03-02T10:00:00Z'))
  await mnemonic.sync({ path: home.logs, embed: false })
  const more = await runsOf(mnemonic)
  expect(more.length).toBeGreaterThan(first.length + TURNS)
  for (const row of first) expect(more).toContainEqual(row)
})

it('after a sync of one source, or of one path, what derives from it is there too', async () => {
  for (const narrowed of [['--adapter', 'claude-code'], []]) {
    const home = testHome()
    writeLogs(home)
    const { code, stdout } = await run(home, 'sync', ...narrowed, '--path', home.logs, '--no-embed', '--json')
    expect(code).toBe(0)
    expect(await entities(home)).toContain('left-pad')
    const { adapters } = JSON.parse(stdout) as { adapters: { name: string }[] }
    // The report says what was asked for.
    if (narrowed.length > 0) expect(adapters.map(({ name }) => name)).toEqual(['claude-code'])
    const { stdout: counted } = await run(home, 'sql', "select count(*) as n from events where source_adapter = 'aix-events'", '--json')
    expect(Number(/\d+/.exec(counted.slice(counted.indexOf('rows')))?.[0])).toBeGreaterThan(TURNS)
  }
}, 60_000)

it('agents without labeling get entities, and neither labels nor topics', async () => {
  const home = testHome()
  writeLogs(home)
  const mnemonic = await home.open({ config: { agents: { defaults: { memory: { labeling: { enabled: false } } } } } })
  await mnemonic.sync({ path: home.logs, embed: false })
  const { rows } = await mnemonic.sql('select distinct analysis_type_id from analysis_runs order by 1')
  const types = rows.flat()
  expect(types).toContain('entity_extraction')
  expect(types).not.toContain('turn_labels')
  expect(types).not.toContain('topics')
  expect((await mnemonic.sql("select count(*) from agent_turns where coalesce(label, '') <> ''")).rows).toEqual([[0]])
})

it('a model that is configured is asked by no sync; rules say what they know, and analyze replaces it', async () => {
  const home = testHome()
  writeLogs(home)
  const analyze = { provider: 'openai-compatible' as const, model: 'm', base_url: 'http://127.0.0.1:9' }
  const mnemonic = await home.open({ config: { analyze } })
  const { totals } = await mnemonic.sync({ path: home.logs, embed: false })
  expect(totals.warnings).toEqual([])
  const { rows } = await mnemonic.sql('select distinct implementation, asked from analysis_runs')
  expect(rows).toEqual([['rules', 'rules']])
  const { waiting } = await mnemonic.analyze({ dryRun: true })
  expect(waiting.find(({ type }) => type === 'turn_labels')?.episodes).toBeGreaterThan(0)
})
