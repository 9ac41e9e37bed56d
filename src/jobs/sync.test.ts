import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { type TestHome, testHome } from '../../test/helpers/home.ts'

const LINES = [
  { role: 'user', content: 'How do we retry webhooks?', timestamp: '2026-02-05T10:30:00Z', id: 'm1' },
  { role: 'assistant', content: 'Three times, with jitter.', timestamp: '2026-02-05T10:31:00Z', id: 'm2' },
]

function write(home: TestHome, path: string, text: string): string {
  const file = join(home.root, 'workspace', path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

function prepared() {
  const home = testHome()
  const session = write(home, 'sessions/webhooks.jsonl', LINES.map((line) => `${JSON.stringify(line)}\n`).join(''))
  write(home, 'workspaces/lantern/plan.md', '# Plan\n\nRetry webhooks four times.\n')
  return { home, session }
}

it('a sync reads documents after sessions, and a second one opens neither', async () => {
  const { home } = prepared()
  const mnemonic = await home.open()
  const first = await mnemonic.sync({ embed: false })
  expect(first.adapters.find(({ name }) => name === 'memory')).toMatchObject({ found: 1, imported: 1, unchanged: 0, quarantined: 0 })
  expect(first.totals).toMatchObject({ found: 2, imported: 2 })
  const second = await mnemonic.sync({ embed: false })
  expect(second.totals).toMatchObject({ found: 2, imported: 0, unchanged: 2, bytes_read: 0 })
})

it('documents are read when they are asked for, and not when something else is', async () => {
  const { home, session } = prepared()
  const mnemonic = await home.open()
  const names = async (options: object) => (await mnemonic.sync({ embed: false, ...options })).adapters.map(({ name }) => name)
  expect(await names({ adapters: ['jsonl'] })).toEqual(['jsonl'])
  expect(await names({ path: session })).not.toContain('memory')
  expect(await names({ adapters: ['memory'] })).toEqual(['memory'])
  await expect(mnemonic.sync({ adapters: ['nope'] })).rejects.toMatchObject({ code: 'USAGE' })
})

it('what is cited can be shown, whether a turn or a document', async () => {
  const { home } = prepared()
  const mnemonic = await home.open()
  await mnemonic.sync({ embed: false })
  const { results } = await mnemonic.memorySearch({ query: 'retry webhooks' })
  expect(results).toHaveLength(2)
  for (const { citation, source, turn_id } of results) {
    const shown = await mnemonic.show(citation)
    if (source === 'memory') expect(shown).toMatchObject({ kind: 'document', document: { text: expect.stringContaining('four times') } })
    else expect(shown).toMatchObject({ kind: 'turn', turns: [{ turn_id }] })
  }
  await expect(mnemonic.show('workspaces/lantern/nothing.md#L1')).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

it('index brings documents up to date too, and --all writes them again', async () => {
  const { home } = prepared()
  const mnemonic = await home.open()
  await mnemonic.sync({ embed: false })
  write(home, 'second.md', 'The zebra is painted.')
  expect(await mnemonic.index.run()).toMatchObject({ documents: 1, chunks: 1 })
  expect(await mnemonic.index.run({ scope: 'all' })).toMatchObject({ documents: 3 })
  const { results } = await mnemonic.memorySearch({ query: 'zebra painted', sources: ['memory'] })
  expect(results[0]?.path).toBe('second.md')
})

it('with qmd.enabled a sync exports, from the ledger alone, the text that memory_get gives', async () => {
  const { home, session } = prepared()
  const mnemonic = await home.open({ config: { qmd: { enabled: true } } })
  await mnemonic.sync({ embed: false })
  const dir = join(home.root, 'home', 'qmd')
  const [file = '', ...others] = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))
  expect(others).toEqual([])
  const { text } = await mnemonic.memoryGet({ id: 'jsonl:webhooks/m2' })
  expect(readFileSync(join(dir, file), 'utf8')).toBe(text)
  const { mtimeMs } = statSync(join(dir, file))
  rmSync(session)
  expect(await mnemonic.index.exportQmd()).toMatchObject({ dir, written: 0, unchanged: 1, removed: 0 })
  expect(statSync(join(dir, file)).mtimeMs).toBe(mtimeMs)
  expect(await mnemonic.index.exportQmd({ dir: join(home.root, 'elsewhere') })).toMatchObject({ written: 1 })
})

it('an export that fails does not fail the sync', async () => {
  const { home } = prepared()
  const dir = write(home, 'a-file', '')
  const mnemonic = await home.open({ config: { qmd: { enabled: true, dir: join(dir, 'below') } } })
  const { totals } = await mnemonic.sync({ embed: false })
  expect(totals.warnings).toEqual([expect.stringMatching(/^the QMD export failed: cannot make the folder/)])
})

it('a sync that does not wait says that another one runs', async () => {
  const { home } = prepared()
  const mnemonic = await home.open()
  await mnemonic.sync({ embed: false })
  const other = await home.open()
  const running = mnemonic.sync({ embed: false })
  const outcome = await other.sync({ embed: false, waitMs: 0 }).catch((error: unknown) => error)
  await running
  // It found the lease taken, or came later.
  if (outcome instanceof Error) expect(outcome).toMatchObject({ code: 'JOB_RUNNING' })
  else expect(outcome).toHaveProperty('totals')
})

it('publishes what ended only where memory.auto_publish is on, each session once', async () => {
  const { home } = prepared()
  const folder = join(home.root, 'workspace', 'memory')
  const off = await home.open()
  expect((await off.sync({ embed: false })).published).toBe(0)
  expect(existsSync(folder)).toBe(false)
  await off.close()
  const on = await home.open({ config: { memory: { auto_publish: true } } })
  expect((await on.sync({ embed: false })).published).toBe(1)
  expect(readdirSync(folder).filter((name) => name.endsWith('--transcript.md'))).toHaveLength(1)
  expect((await on.sync({ embed: false })).published).toBe(0)
})
