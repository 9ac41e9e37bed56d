/** Where the adapter is named, a file that lacks only a field of its header is read, with a warning. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Adapter } from '../../src/ingest/adapter.ts'
import { opencode } from '../../src/ingest/capture/opencode.ts'
import { syncSources } from '../../src/ingest/sync.ts'
import { SAMPLE_SOURCES } from '../helpers/sources/all.ts'
import { NOON, tempFolder, tempStore } from '../helpers/store.ts'

async function sync(adapter: Adapter, path?: string) {
  const store = await tempStore()
  const options = { clock: () => NOON, quietMs: 7_200_000, ignore: () => false, guard: async () => {}, afterGroup: async () => {} }
  const { totals } = await syncSources({ store, adapters: [adapter], ...(path === undefined ? {} : { path }), ...options })
  const rows = await store.read
    .selectFrom('agent_messages')
    .select('content')
    .where('kind', 'in', ['prompt', 'reply'])
    .where('content', '<>', '')
    .orderBy('sequence')
    .execute()
  return { totals, said: rows.map(({ content }) => content) }
}

type Line = Record<string, unknown>

/** What is taken away of each line, by adapter. */
const LACKING: readonly [adapter: string, what: string, change: (line: Line, n: number) => void][] = [
  [
    'codex',
    'the times of its lines',
    (line) => {
      delete line.timestamp
    },
  ],
  [
    'pi',
    'version and folder in its header',
    (line, n) => {
      if (n === 0) for (const field of ['version', 'cwd']) delete line[field]
    },
  ],
  [
    'pi',
    'everything but its type in its header',
    (line, n) => {
      if (n === 0) for (const field of Object.keys(line)) if (field !== 'type') delete line[field]
    },
  ],
  [
    'openclaw',
    'version, folder and time in its header',
    (line, n) => {
      if (n === 0) for (const field of ['version', 'cwd', 'timestamp']) delete line[field]
    },
  ],
  [
    'gemini-cli',
    'the project in its header and the times of its messages',
    (line) => {
      for (const field of ['projectHash', 'timestamp']) delete line[field]
    },
  ],
]

const EXCHANGES = [0, 1].map((n) => ({
  prompt: `Question ${n}: which harbour?`,
  answer: `Answer ${n}: the eastern one.`,
  at: NOON + n * 60_000,
}))

describe.each(LACKING)('%s without %s', (name, _, change) => {
  it('is set aside among others, and read with a warning where the adapter is named', async () => {
    const root = tempFolder()
    const source = SAMPLE_SOURCES.find((one) => one.name === name && one.kind === 'lines')
    if (source === undefined) throw new Error(`no sample of ${name}`)
    const path = source.write(root, 'one', EXCHANGES)
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
    const changed = lines.map((text, n) => {
      const line = JSON.parse(text) as Line
      change(line, n)
      return JSON.stringify(line)
    })
    writeFileSync(path, `${changed.join('\n')}\n`)
    expect((await sync(source.adapter(root))).totals).toMatchObject({ quarantined: 1, imported: 0 })
    const { totals, said } = await sync(source.adapter(root), path)
    expect(totals).toMatchObject({ imported: 1, quarantined: 0, skipped_lines: 0 })
    expect(totals.warnings.join('\n')).toMatch(/ha(s|ve) no /)
    expect(said).toEqual(EXCHANGES.flatMap(({ prompt, answer }) => [prompt, answer]))
  })
})

it('a session file of OpenCode without project, version and time is read with a warning where the adapter is named', async () => {
  const root = tempFolder()
  const file = (path: string, value: object) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), JSON.stringify(value))
  }
  file('storage/session/global/ses_a.json', { id: 'ses_a', title: 'Harbours' })
  file('storage/message/ses_a/msg_1.json', { id: 'msg_1', sessionID: 'ses_a', role: 'user', time: { created: NOON } })
  file('storage/part/msg_1/prt_1.json', { id: 'prt_1', messageID: 'msg_1', sessionID: 'ses_a', type: 'text', text: 'Which harbour?' })
  const { totals, said } = await sync(opencode({ paths: [root] }), root)
  expect(totals).toMatchObject({ imported: 1, quarantined: 0 })
  expect(totals.warnings.join('\n')).toContain('it has no project, no version or no time')
  expect(said).toEqual(['Which harbour?'])
})

it('a file of something else is set aside all the same', async () => {
  for (const source of SAMPLE_SOURCES.filter(({ kind }) => kind === 'lines')) {
    const root = tempFolder()
    const path = join(root, 'notes.jsonl')
    writeFileSync(path, '{"dish":"soup"}\n{"dish":"bread"}\n{"dish":"tea"}\n')
    const { totals } = await sync(source.adapter(root), path)
    expect([source.name, totals.quarantined]).toEqual([source.name, 1])
  }
})
