import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { testHome } from '../../../test/helpers/home.ts'
import type { Mnemonic } from '../../library/index.ts'

const CLAUDE = '11111111-1111-4111-8111-111111111111'
const CODEX = '01990000-0000-7000-8000-000000000002'
const GEMINI = '33333333-3333-4333-8333-333333333333'

/** Not a real key. */
const SECRET = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_')

const lines = (records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')

function claude(): string {
  const base = { cwd: '/work/harbor', sessionId: CLAUDE, version: '2.1.0', isSidechain: false, userType: 'external' }
  const at = (minute: number) => `2026-05-01T10:${String(minute).padStart(2, '0')}:00.000Z`
  const call = (n: number, name: string, input: object) => ({
    ...{ ...base, type: 'assistant', uuid: `a${n}`, parentUuid: n === 1 ? 'u0' : `r${n - 1}`, timestamp: at(n) },
    message: { id: `msg_${n}`, role: 'assistant', model: 'm', content: [{ type: 'tool_use', id: `t${n}`, name, input }] },
  })
  const result = (n: number, content: string, error = false) => ({
    ...{ ...base, type: 'user', uuid: `r${n}`, parentUuid: `a${n}`, timestamp: at(n) },
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${n}`, content, is_error: error }] },
  })
  return lines([
    {
      ...base,
      type: 'user',
      uuid: 'u0',
      parentUuid: null,
      timestamp: at(0),
      message: { role: 'user', content: 'make the tide table faster' },
    },
    call(1, 'Read', { file_path: '/work/harbor/src/tide.go' }),
    result(1, 'package tide // see tidel\nfunc moonPhaseCorrection() {}'),
    call(2, 'Edit', { file_path: '/work/harbor/src/tide.go', old_string: 'a', new_string: 'kelpForest' }),
    result(2, 'The file /work/harbor/src/tide.go has been updated successfully.'),
    call(3, 'Bash', { command: 'go test ./tide' }),
    result(3, 'Exit code 1\n--- FAIL: TestSpringTide (0.01s)\n    tide_test.go:41: buoy drifted by 7 fathoms\nFAIL', true),
    call(4, 'Bash', { command: 'git commit -m "Faster tide table"' }),
    result(4, `[main 7c0ffee] Faster tide table\n token ${SECRET}`),
    {
      ...{ ...base, type: 'assistant', uuid: 'z', parentUuid: 'r4', timestamp: at(9) },
      message: { id: 'msg_9', role: 'assistant', model: 'm', content: [{ type: 'text', text: 'The tide table is twice as fast now.' }] },
    },
  ])
}

function codex(): string {
  const at = (payload: object, second: number, type = 'response_item') => ({
    timestamp: `2026-05-02T09:00:${10 + second}.000Z`,
    type,
    payload,
  })
  return lines([
    at(
      {
        id: CODEX,
        timestamp: '2026-05-02T09:00:00.000Z',
        cwd: '/work/pier',
        originator: 'codex_cli_rs',
        cli_version: '0.104.0',
        source: 'cli',
      },
      0,
      'session_meta',
    ),
    at({ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'add a mooring check' }] }, 1),
    at({ type: 'user_message', message: 'add a mooring check' }, 1, 'event_msg'),
    at(
      {
        type: 'custom_tool_call',
        name: 'apply_patch',
        call_id: 'c1',
        input: '*** Begin Patch\n*** Add File: lib/mooring.rb\n+x\n*** End Patch',
      },
      2,
    ),
    at({ type: 'custom_tool_call_output', call_id: 'c1', output: 'Success. Updated the following files:\nA lib/mooring.rb' }, 3),
    at(
      {
        type: 'function_call',
        name: 'exec_command',
        call_id: 'c2',
        arguments: JSON.stringify({ cmd: 'rake spec', workdir: '/work/pier' }),
      },
      4,
    ),
    at(
      {
        type: 'function_call_output',
        call_id: 'c2',
        output: 'Chunk ID: 1\nProcess exited with code 1\nOutput:\nNoMethodError: undefined method `hawser` for nil',
      },
      5,
    ),
    at({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'The check is in.' }] }, 6),
  ])
}

function gemini(): string {
  const time = (second: number) => `2026-05-03T08:00:${10 + second}.000Z`
  const call = (id: string, name: string, args: object, output: string) => ({
    ...{ id, name, args, status: 'success', timestamp: time(2) },
    result: [{ functionResponse: { id, name, response: { output } } }],
  })
  return JSON.stringify({
    ...{ sessionId: GEMINI, projectHash: 'a'.repeat(64), startTime: time(0), lastUpdated: time(5) },
    messages: [
      { id: 'm1', timestamp: time(1), type: 'user', content: 'write the lighthouse notes' },
      {
        ...{ id: 'm2', timestamp: time(2), type: 'gemini', content: 'Done.', model: 'g' },
        toolCalls: [
          call(
            'g1',
            'write_file',
            { file_path: 'docs/lighthouse.md', content: 'x' },
            'Successfully created and wrote to new file: docs/lighthouse.md.',
          ),
          call(
            'g2',
            'run_shell_command',
            { command: 'cat docs/lighthouse.md' },
            'Output: fresnel lens rotates every ten seconds\nExit Code: 0',
          ),
        ],
      },
    ],
  })
}

let mnemonic: Mnemonic

beforeEach(async () => {
  const home = testHome()
  const folders = { claude: join(home.logs, 'claude'), codex: join(home.logs, 'sessions'), gemini: join(home.logs, 'gemini', 'chats') }
  for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true })
  writeFileSync(join(folders.claude, `${CLAUDE}.jsonl`), claude())
  writeFileSync(join(folders.codex, `rollout-2026-05-02T09-00-00-${CODEX}.jsonl`), codex())
  writeFileSync(join(folders.gemini, 'session-2026-05-03T08-00-33333333.json'), gemini())
  mnemonic = await home.open()
  await mnemonic.sync({ path: home.logs, embed: false })
})

const first = async (query: string, filters = {}) => (await mnemonic.search({ query, filters })).results[0]

describe('a search', () => {
  it.each([
    ['"buoy drifted by 7 fathoms"', CLAUDE, 'Bash: go test ./tide (failed)'],
    ['"undefined method hawser"', CODEX, 'exec_command: rake spec (failed)'],
    ['"fresnel lens rotates every ten"', GEMINI, 'run_shell_command: cat docs/lighthouse.md'],
    ['moonPhaseCorrection', CLAUDE, 'Read: src/tide.go'],
    ['kelpForest', CLAUDE, 'Edit: src/tide.go'],
    ['7c0ffee', CLAUDE, 'Bash: git commit'],
    ['tide_test.go:41: buoy drifted by 7 fathoms', CLAUDE, 'Bash: go test ./tide'],
    ['lib/mooring.rb', CODEX, 'apply_patch: lib/mooring.rb'],
    ['go test ./tide', CLAUDE, 'Bash: go test ./tide'],
  ])('finds %s', async (query, session, content) => {
    const hit = await first(query)
    expect(hit).toMatchObject({ kind: 'work', trust: 'untrusted' })
    expect(hit?.session_id).toContain(session)
    expect(hit?.content).toContain(content)
    expect(hit?.turn_id).not.toBe('')
    expect(hit?.message_ids.length).toBeGreaterThan(0)
  })

  it('gives the line in which it stands, and its neighbours', async () => {
    const hit = await first('"buoy drifted"')
    expect(hit?.content).toBe(
      'Bash: go test ./tide (failed)\n--- FAIL: TestSpringTide (0.01s)\n    tide_test.go:41: buoy drifted by 7 fathoms\nFAIL',
    )
    expect(hit?.excerpt).toBe('Bash: go test ./tide (failed)\n    tide_test.go:41: buoy drifted by 7 fathoms')
  })

  it('has speech before work in an ordinary question', async () => {
    const { results } = await mnemonic.search({ query: 'is the tide table faster?' })
    expect(results[0]?.kind).toBe('speech')
    const scores = results.map(({ relevance_score }) => relevance_score)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  })

  it('takes a word that only a tool has for no typing error', async () => {
    expect(await mnemonic.search({ query: 'tidel' })).toMatchObject({ corrections: [], matched: 'words', results: [{ kind: 'work' }] })
    expect((await mnemonic.search({ query: 'tidle' })).corrections).toEqual([{ typed: 'tidle', used: 'tide' }])
  })

  it('finds a name of code in a call, though its parts were said', async () => {
    const { results, more } = await mnemonic.search({ query: 'tideTable', limit: 1 })
    expect(results).toMatchObject([{ kind: 'speech' }])
    expect(more).toEqual({ work: 0, counted: true }) // none holds it, and that was checked
    const moon = await mnemonic.search({ query: 'moonPhaseCorrection', limit: 1 })
    expect(moon.results).toMatchObject([{ kind: 'work' }])
  })

  it('corrects a typing error for tool calls too', async () => {
    const { corrections, results } = await mnemonic.search({ query: 'tiede', filters: { tool: 'Bash' } })
    expect(corrections).toEqual([{ typed: 'tiede', used: 'tide' }])
    expect(results.map(({ content }) => content.split('\n')[0])).toContain('Bash: go test ./tide (failed)')
  })

  it('has scores that fall, whatever stands between what', async () => {
    for (const query of [
      '"Faster tide table"',
      'go test ./tide',
      'tide.go',
      'lib/mooring.rb',
      'error: undefined method',
      'mooring check',
    ]) {
      for (const by of ['hit', 'session'] as const) {
        const scores = (await mnemonic.search({ query, by })).results.map(({ relevance_score }) => relevance_score)
        expect(scores, query).toEqual(scores.toSorted((a, b) => b - a))
        expect(scores[0], query).toBeGreaterThan(0)
      }
    }
  })

  it('says how many more calls of a session match', async () => {
    const { results, groups, matched, mode } = await mnemonic.search({ filters: { file: 'tide.go' }, by: 'session' })
    expect(results).toHaveLength(1)
    expect(groups).toMatchObject([{ hits: [0], more: 1 }])
    expect(matched).toBe('listed')
    expect(mode.realized).toBe('lexical: tool calls have no vectors')
  })

  it('says how many more calls match', async () => {
    const { results, more } = await mnemonic.search({ query: '', filters: { tool: 'bash' }, limit: 1 })
    expect(results).toHaveLength(1)
    expect(more).toEqual({ work: 1, counted: true })
  })

  it('shows no secret', async () => {
    const hit = await first('"Faster tide table"', { tool: 'Bash' })
    expect(JSON.stringify(hit)).not.toContain(SECRET)
  })
})

describe('filters', () => {
  it('list the newest without a query', async () => {
    const { results } = await mnemonic.search({ filters: { errors: true } })
    expect(results.map(({ content }) => content.split('\n')[0])).toEqual([
      'exec_command: rake spec (failed)',
      'Bash: go test ./tide (failed)',
    ])
    const touched = await mnemonic.search({ filters: { file: '**/tide.go' } })
    expect(touched).toMatchObject({ matched: 'listed', mode: { realized: 'lexical: tool calls have no vectors' } })
    expect((await mnemonic.search({ query: 'kelpForest', filters: { file: '**/tide.go' } })).matched).toBe('words')
    expect(touched.results.map(({ content }) => content.split('\n')[0])).toEqual(['Edit: src/tide.go', 'Read: src/tide.go'])
  })

  it('combine with each other and with time, project and session', async () => {
    const count = async (filters: object) => (await mnemonic.search({ filters })).results.length
    expect(await count({ errors: true, project: 'pier' })).toBe(1)
    expect(await count({ errors: true, before: '2026-05-02' })).toBe(1)
    const found = async (filters: object) => (await mnemonic.search({ query: '"buoy drifted"', filters })).results.length
    expect([await found({}), await found({ after: '2026-05-03' }), await found({ before: '2026-05-01' })]).toEqual([1, 0, 0])
    expect(await count({ errors: true, session: CLAUDE, tool: 'Bash', command: 'go test' })).toBe(1)
    expect(await count({ errors: true, session: CLAUDE, command: 'rake' })).toBe(0)
  })

  it('refuse what exists nowhere, and list what does, the nearest first', async () => {
    await expect(mnemonic.search({ filters: { tool: 'Bahs' } })).rejects.toMatchObject({
      code: 'USAGE',
      details: { known: expect.arrayContaining(['Bash']) },
    })
    // Without a near name, the hint lists the most used.
    await expect(mnemonic.search({ filters: { tool: 'Nope' } })).rejects.toMatchObject({ hint: expect.stringMatching(/^There are: Bash,/) })
    const error = await mnemonic.search({ filters: { file: 'tied.go' } }).catch((thrown) => thrown)
    expect(error).toMatchObject({ code: 'USAGE' })
    // By name, deduped: worktrees hold the same files under many paths.
    expect(error.hint).toBe('There are: tide.go, lighthouse.md, mooring.rb.')
    expect(error.details.known[0]).toContain('tide.go')
    await expect(mnemonic.search({ query: 'tide', filters: { command: 'rsync' } })).rejects.toMatchObject({
      message: 'no call ran a command with "rsync"',
      details: { known: expect.arrayContaining(['go test', 'rake spec', 'git commit']) },
    })
    await expect(mnemonic.search({ filters: { errors: true, speaker: 'user' } })).rejects.toMatchObject({ code: 'USAGE' })
  })
})

describe('files', () => {
  it('says who touched what', async () => {
    const { files, total } = await mnemonic.files()
    expect(total).toBe(3)
    expect(files.map(({ file, read, edited, created }) => ({ file, read, edited, created }))).toEqual([
      { file: 'docs/lighthouse.md', read: 1, edited: 0, created: 1 },
      { file: 'lib/mooring.rb', read: 0, edited: 0, created: 1 },
      { file: 'src/tide.go', read: 1, edited: 1, created: 0 },
    ])
    expect(files[2]).toMatchObject({ id: '11111111:1', harness: 'claude-code', project: '/work/harbor' })
  })

  it('narrows', async () => {
    expect((await mnemonic.files({ glob: 'tide.go', action: 'edit' })).total).toBe(1)
    expect((await mnemonic.files({ glob: 'tide.go', action: 'create' })).total).toBe(0)
    expect((await mnemonic.files({ since: '2026-05-02', until: '2026-05-03' })).files.map(({ file }) => file)).toEqual(['lib/mooring.rb'])
    expect((await mnemonic.files({ project: 'pier' })).files.map(({ file }) => file)).toEqual(['lib/mooring.rb'])
    for (const glob of ['', 'a'.repeat(1001)]) await expect(mnemonic.files({ glob })).rejects.toMatchObject({ code: 'USAGE' })
    expect(await mnemonic.files({ limit: 1 })).toMatchObject({ files: [{ file: 'docs/lighthouse.md' }], total: 3 })
    for (const glob of ['src', 'src/', '/work/harbor', '/work/harbor/src/tide.go', './src/tide.go', 'SRC/*.go'])
      expect(
        (await mnemonic.files({ glob })).files.map(({ file }) => file),
        glob,
      ).toEqual(['src/tide.go'])
    await expect(mnemonic.files({ glob: 'nowhere.txt' })).rejects.toMatchObject({ code: 'USAGE' })
  })
})
