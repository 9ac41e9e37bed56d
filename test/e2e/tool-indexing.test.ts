/** `index.tools`: what searches find of tool calls under each value, at the command line and over MCP, and when the value changes. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openMnemonic, type SearchAnswer } from '../../src/library/index.ts'
import { gatedStore } from '../../src/store/tool-gate.ts'
import type { ToolIndexing } from '../../src/store/work.ts'
import { claudeLog } from '../helpers/claude-log.ts'
import { testHome } from '../helpers/home.ts'
import { mcpClient } from '../helpers/mcp-client.ts'
import { type BinaryHome, binaryHome } from '../helpers/run-binary.ts'
import { tempStore } from '../helpers/store.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** Words of a command, of a parameter that is no command, and of a result alone. */
const [COMMAND, PATTERN, RESULT] = ['deployctl', 'quokkaflag', 'zanzibarite']
const SESSION = 'c0ffee00-0000-4000-8000-000000000001'
/** Of a call whose harness does not say that it failed: its result does. */
const FAILED = 'tidegauge'
const CALLS = 6
const VALUES: readonly ToolIndexing[] = ['all', 'words', 'off']

function machine(): BinaryHome {
  const home = binaryHome()
  const log = claudeLog(join(home.root, 'claude', 'projects'), SESSION)
  log.turn('Please bring the kettle to the harbour.', 'I do that now.')
  log.call('Bash', { command: `${FAILED} read` }, 'panic: the float is stuck\nexit status 2')
  log.call('Bash', { command: `${COMMAND} push harbour --quay 7` }, `error: ${RESULT} refused the quay\nexit status 128`, true)
  log.call('Grep', { pattern: PATTERN, path: '/home/dev/atlas/src' }, `src/lamp.ts:3: ${RESULT} ${PATTERN}`)
  log.call('Edit', { file_path: '/home/dev/atlas/src/lighthouse.ts', old_string: 'a', new_string: 'b' }, `patched, ${RESULT}`)
  log.call('Edit', { file_path: '/home/dev/atlas/src/breakwater.ts', old_string: 'a', new_string: 'b' }, 'String not found', true)
  log.call('Bash', { command: `${COMMAND} push harbour --quay 7` }, 'the quay is free')
  log.turn('Thanks.', 'You are welcome.')
  return home
}

function configure(home: BinaryHome, tools: ToolIndexing | undefined): void {
  mkdirSync(join(home.root, 'home'), { recursive: true })
  const index = tools === undefined ? '' : `index:\n  tools: ${tools}\n`
  writeFileSync(join(home.root, 'home', 'config.yaml'), `${index}embedding:\n  sync_seconds: 0\n`, { mode: 0o600 })
}

async function json<T>(home: BinaryHome, ...argv: string[]): Promise<T> {
  const { stdout, stderr } = await home.runHere(...argv, '--json')
  return JSON.parse(stdout || stderr) as T
}

/** The calls that a search gives. */
async function callsFor(home: BinaryHome, ...argv: string[]): Promise<string[]> {
  const { results } = await json<SearchAnswer>(home, 'search', ...argv)
  return results.filter(({ kind }) => kind === 'work').map(({ content, excerpt }) => `${content}\n${excerpt}`)
}

interface Failure {
  readonly error: { readonly code: string; readonly message: string; readonly hint: string }
}

async function counts(home: BinaryHome): Promise<{ calls: number; words: number }> {
  const sql = async (query: string) => {
    const { rows } = await json<{ rows: Record<string, number>[] }>(home, 'sql', query)
    return Number(Object.values(rows[0] ?? {})[0])
  }
  return { calls: await sql('select count(*) from work'), words: await sql('select count(*) from work_files') }
}

const state = async (home: BinaryHome) => (await json<{ index: Record<string, unknown> }>(home, 'status')).index

describe.each(VALUES)('%s', (tools) => {
  let home: BinaryHome
  beforeAll(async () => {
    home = machine()
    configure(home, tools)
    await home.runHere('sync')
  })
  afterAll(() => home.remove())

  it('words of the call, of its result', async () => {
    const isCallFound = tools !== 'off'
    expect((await callsFor(home, COMMAND)).length > 0).toBe(isCallFound)
    expect((await callsFor(home, PATTERN)).length > 0).toBe(isCallFound)
    expect((await callsFor(home, RESULT)).length > 0).toBe(tools === 'all')
    expect((await callsFor(home, '"exit status 128"')).length > 0).toBe(tools === 'all')
    const shown = [...(await callsFor(home, COMMAND)), ...(await callsFor(home, PATTERN))].join('\n')
    expect(shown.includes(RESULT)).toBe(tools === 'all')
  })

  it('what was said is found all the same', async () => {
    const { results } = await json<SearchAnswer>(home, 'search', 'kettle harbour')
    expect(results[0]?.kind).toBe('speech')
  })

  it('filters and files', async () => {
    const filters = [['--tool', 'Bash'], ['--file', 'lighthouse.ts'], ['--command', COMMAND], ['--errors']]
    if (tools === 'off') {
      const refused = [...filters.map((filter) => ['search', '', ...filter]), ['files'], ['dossier', '--how-to', 'quay']]
      for (const argv of refused) {
        const { error } = await json<Failure>(home, ...argv)
        expect([argv, error.code]).toEqual([argv, 'NOT_SUPPORTED'])
        expect(error.hint).toContain('index.tools')
      }
      return
    }
    for (const filter of filters) {
      const found = await callsFor(home, '', ...filter)
      expect([filter, found.length > 0]).toEqual([filter, true])
      expect(found.join('\n').includes(RESULT) && tools === 'words').toBe(false)
    }
    // Whether a call failed is known from its result alone, under `words` too.
    expect((await callsFor(home, '', '--errors')).join('\n')).toContain(`${FAILED} read`)
    // A file that an edit did not find was not touched.
    const { files } = await json<{ files: { file: string }[] }>(home, 'files')
    expect(files.map(({ file }) => file)).toContain('src/lighthouse.ts')
    expect(files.map(({ file }) => file)).not.toContain('src/breakwater.ts')
  })

  it('a how-to, which is indexed as a document', async () => {
    if (tools === 'off') return // refused, above
    const { markdown } = await json<{ markdown: string }>(home, 'dossier', '--how-to', SESSION)
    expect(markdown).toContain(`Worked: “${COMMAND} push`)
    expect(markdown.includes(RESULT)).toBe(tools === 'all')
  })

  it('status says so, health has nothing to say', async () => {
    expect(await state(home)).toMatchObject({ tools, work_calls: tools === 'off' ? 0 : CALLS, waiting_work_sessions: 0 })
    const { stdout } = await home.runHere('status')
    expect(stdout.includes('index.tools: off')).toBe(tools === 'off')
    expect(stdout.includes('index.tools: words')).toBe(tools === 'words')
    expect((await home.runHere('health')).stdout).not.toContain('not all tool calls')
  })

  it('over MCP', async () => {
    const memory = await openMnemonic({ home: join(home.root, 'home'), workspace: join(home.root, 'workspace') })
    try {
      const { call } = await mcpClient(memory)
      const search = async (query: string, filters = {}) => call('memory_search', { query, filters })
      expect((await search(COMMAND)).text.includes('quay 7')).toBe(tools !== 'off')
      expect((await search(RESULT)).text.includes('refused the quay')).toBe(tools === 'all')
      const filtered = await search('quay', { tool: 'Bash' })
      expect(filtered.isError).toBe(tools === 'off')
      expect(filtered.text.includes('index.tools')).toBe(tools === 'off')
    } finally {
      await memory.close()
    }
  })
})

it('a changed value holds at once, and the next index follows it', async () => {
  const home = machine()
  try {
    configure(home, undefined)
    await home.runHere('sync')
    expect(await callsFor(home, RESULT)).not.toEqual([])
    const whole = await counts(home)

    configure(home, 'words')
    expect([await callsFor(home, RESULT), await callsFor(home, COMMAND)]).toEqual([[], []])
    const { error } = await json<Failure>(home, 'search', '', '--tool', 'Bash')
    expect([error.code, error.hint]).toEqual(['NOT_SUPPORTED', expect.stringContaining('mnemonic sync')])
    expect(await state(home)).toMatchObject({ work_calls: 0, waiting_work_sessions: 1 })
    expect((await home.runHere('health')).stdout).toContain('not all tool calls')
    await home.runHere('index')
    expect([(await callsFor(home, RESULT)).length, (await callsFor(home, COMMAND)).length > 0]).toEqual([0, true])
    expect(await counts(home)).toEqual(whole)
    expect(await state(home)).toMatchObject({ work_calls: CALLS, waiting_work_sessions: 0 })

    configure(home, 'off')
    expect(await callsFor(home, COMMAND)).toEqual([])
    await home.runHere('sync')
    expect(await counts(home)).toEqual({ calls: 0, words: 0 })
    await home.runHere('index', '--all')
    expect(await counts(home)).toEqual({ calls: 0, words: 0 })

    configure(home, 'all')
    expect((await json<Failure>(home, 'files')).error.code).toBe('NOT_SUPPORTED')
    expect((await home.runHere('health')).stdout).toContain('not all tool calls')
    await home.runHere('index')
    expect((await callsFor(home, RESULT)).length).toBeGreaterThan(0)
    expect(await counts(home)).toEqual(whole)
    expect((await home.runHere('health')).stdout).not.toContain('not all tool calls')
  } finally {
    home.remove()
  }
})

it('the thread beside a sync makes no more of a call than this one', async () => {
  const home = testHome()
  const log = claudeLog(home.logs, SESSION)
  log.turn('Please bring the kettle to the harbour.', 'I do that now.')
  for (let at = 0; at < 20; at++) log.call('Bash', { command: `${COMMAND} push ${at}` }, `${RESULT} ${at}`)
  const more = { config: { index: { tools: 'words' as const }, sources: { 'claude-code': { paths: [home.logs] } } } }
  const mnemonic = await home.open(more, { besideFrom: 1 })
  await mnemonic.sync({ adapters: ['claude-code'], embed: false })
  await mnemonic.close()
  const database = new Database(home.database, { readonly: true })
  try {
    const inIndex = (word: string) => database.prepare('select count(*) from work_fts where work_fts match ?').pluck().get(word)
    expect([inIndex(COMMAND), inIndex(RESULT)]).toEqual([20, 0])
  } finally {
    database.close()
  }
})

it('the reader learns of no file that a session touched', async () => {
  const store = await tempStore()
  const files = async () => [{ path: 'src/lighthouse.ts', action: 'edit' as const }]
  const seen = Object.create(store, { reader: { value: { ...store.reader, files } } }) as typeof store
  expect(await gatedStore(seen, 'all').reader.files('s', 5)).toHaveLength(1)
  expect(await gatedStore(seen, 'words').reader.files('s', 5)).toHaveLength(1)
  expect(await gatedStore(seen, 'off').reader.files('s', 5)).toEqual([])
})

it.each(VALUES)('what is known of a project, under %s', async (tools) => {
  const home = testHome()
  for (const n of [1, 2, 3]) {
    const log = claudeLog(home.logs, `c0ffee0${n}-0000-4000-8000-000000000001`, { from: Date.now() - n * 86_400_000 })
    log.turn('Please run the tests of the harbour.', 'I do that now.')
    log.call('Bash', { command: 'npm test' }, 'Tests  12 passed (12)')
    log.call('Bash', { command: 'git log -1' }, 'commit 2f3a4b1\nAuthor: Ada Quill <ada@quill.example>\n\n    Fix the quay')
    log.turn('We decided to keep the lighthouse white.', 'It stays white.')
  }
  const mnemonic = await home.open({ config: { sources: {}, index: { tools } } })
  await mnemonic.sync({ path: home.logs, adapters: ['claude-code'], embed: false })
  const card = JSON.stringify(await mnemonic.projects.card('atlas', { whole: true }))
  const { text } = await mnemonic.read({ prompt: 'How do I run the tests here?', folder: '/home/dev/atlas' })
  await mnemonic.artifacts.publish({})
  const memory = readFileSync(join(home.root, 'workspace', 'MEMORY.md'), 'utf8')
  for (const told of [card, text ?? '', memory]) expect(told.includes('npm test')).toBe(tools !== 'off')
  for (const told of [card, memory]) expect(told.includes('Ada Quill')).toBe(tools !== 'off')
  expect(card).toContain('lighthouse')
  const howTo = mnemonic.dossiers.make({ projectHowTo: 'atlas' })
  if (tools === 'off') await expect(howTo).rejects.toMatchObject({ code: 'NOT_SUPPORTED' })
  else expect(JSON.stringify(await howTo)).toContain('npm test')
})
