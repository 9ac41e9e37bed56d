/** Secrets in every disguise go in through a session log and a note, and are looked for in all that comes out. None of them is real. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { embeddingServer } from '../helpers/embedding-server.ts'
import { seeded } from '../helpers/hostile-text.ts'
import { BINARY, binaryHome } from '../helpers/run-binary.ts'

// Some hundred commands, one after the other.
vi.setConfig({ testTimeout: 400_000 })

const random = seeded(41)
/** So many characters of a secret are looked for; each is at least as long, and all are letters and digits. */
const SHOWN = 12
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWYZabcdefghjkmnpqrstuvwyz23456789'

/** Not a word, not a mask, and no other has it. */
function body(length: number): string {
  for (;;) {
    const made = Array.from({ length }, () => LETTERS[Math.floor(random() * LETTERS.length)]).join('')
    if (/\d.*\d/.test(made.slice(0, SHOWN)) && /[a-z]/.test(made) && /[A-Z]/.test(made)) return made
  }
}

/** What stands before and behind the secret, and its length. */
const FORMS: readonly (readonly [before: string, length: number, after: string])[] = [
  [`gh${'p_'}`, 36, ''],
  [`token_gh${'p_'}`, 36, ''],
  [`my-gl${'pat-'}`, 20, ''],
  [`sk-${'ant-api03-'}`, 60, ''],
  ['Authorization: SSWS ', 30, ''],
  ['GH_PAT=', 40, ''],
  ['DB_PASSWORD=', 14, ''],
  ['{"User": "me", "Pass": "', 12, '"}'],
  ['ansible_become_pass: ', 12, ''],
  ['client-key-data: LS0tLS1CRUdJTi', 60, '=='],
  ['| DB_PASSWORD | ', 12, ' |'],
  ['mysql -uroot -p', 12, ' app'],
  ['sshpass -p ', 12, ' ssh me@host'],
  ['docker login -u me -p ', 12, ' r.example'],
  ['machine api.example login me password ', 12, ''],
  ['postgres://app:', 14, '@db/app'],
]

type Disguise = (before: string, secret: string, after: string) => string
const inside =
  (unseen: string): Disguise =>
  (before, secret, after) =>
    `${before}${secret.slice(0, 6)}${unseen}${secret.slice(6)}${after}`

const DISGUISES: readonly Disguise[] = [
  (...parts) => parts.join(''),
  (...parts) => `word\u001b[32m${parts.join('')}\u001b[0m`,
  (before, secret, after) => `${before}\u001b[1;31m${secret}\u001b[0m${after}`,
  (...parts) => `\u001b]0;${parts.join('')}\u0007`,
  (...parts) => `[32m${parts.join('')}[0m`,
  (before, secret, after) => `word\u200b${inside('\u200b')(before, secret, after)}`,
  (...parts) => `done 10%\r${parts.join('')}`,
  (before, secret, after) => `${before}${[...secret].map((letter) => `${letter}\b${letter}`).join('')}${after}`,
  ...['\u001b[33m', '\u00ad', '\u200d', '\ufeff', '\r', '\0', '\u202e', '\ufe0f', '\u{e0041}'].map(inside),
]

const secrets: { readonly secret: string; readonly what: string }[] = []

function hidden(form: number, disguise: number, where: string): string {
  const [before, length, after] = FORMS[form] as (typeof FORMS)[number]
  const secret = body(length)
  secrets.push({ secret: secret.slice(0, SHOWN), what: `${before} disguise ${disguise} in ${where}` })
  return (DISGUISES[disguise] as Disguise)(before, secret, after)
}

/** Nothing around it: what stands before it tells that it is one. */
function plainSecret(where: string): string {
  const secret = body(20)
  secrets.push({ secret: secret.slice(0, SHOWN), what: where })
  return secret
}

const home = binaryHome()
const projects = join(home.root, 'claude', 'projects', '-home-ada-x')
const workspace = join(home.root, 'workspace')
let client: Client
/** Entities that were found, and how many of a kind are asked about: one after the other they take long. */
const entityIds: string[] = []
const MOST = 8

beforeAll(async () => {
  writeSessions()
  const notes = join(workspace, 'workspaces', 'p')
  mkdirSync(notes, { recursive: true })
  writeFileSync(join(notes, 'note.md'), `# Notes\n\n${everyOne('a note').join('\n\n')}\n`)
  await home.runHere('sync', '--no-embed')
  const env = Object.fromEntries(Object.entries(home.env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])))
  client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [BINARY, 'mcp', '--no-sync', '--structured'], env, stderr: 'ignore' }),
  )
}, 300_000)
afterAll(async () => {
  await client.close()
  home.remove()
})

function everyOne(where: string): string[] {
  return FORMS.flatMap((_, form) => DISGUISES.map((__, disguise) => hidden(form, disguise, where)))
}

/** So many records were written. */
let n = 0

function writeSessions(): void {
  mkdirSync(projects, { recursive: true })
  const fields = ['the answer', 'a command', 'a result']
  const writeSession = (form: number, titled: boolean) => {
    const sessionId = `${titled ? 'aaaaaaaa' : 'bbbbbbbb'}-0000-4000-8000-${String(form).padStart(12, '0')}`
    const cwd = `/home/ada/${hidden(form, form % DISGUISES.length, 'the folder')}`
    const origin = `https://ada:${plainSecret('a remote')}@git.example/ada/harbor.git`
    const lines: object[] = titled
      ? [{ type: 'custom-title', customTitle: hidden(form, (form + 1) % DISGUISES.length, 'the title'), sessionId }]
      : []
    const put = (line: object) => {
      const uuid = `00000000-0000-4000-8000-${String(++n).padStart(12, '0')}`
      const last = lines.at(-1) as { uuid?: string } | undefined
      const timestamp = new Date(Date.UTC(2026, 1, 5, 10, 0, n)).toISOString()
      lines.push({ parentUuid: last?.uuid ?? null, isSidechain: false, cwd, sessionId, version: '2.0.0', timestamp, uuid, ...line })
    }
    // A session without a title is named by what was asked or done in it: a few turns are enough for that.
    const disguises = titled ? [...DISGUISES.keys()] : [form, form + 3, form + 6, form + 9].map((i) => i % DISGUISES.length)
    if (titled) put({ type: 'user', message: { role: 'user', content: told(form) } })
    for (const disguise of disguises) {
      const hiddenIn = fields[disguise % fields.length]
      const at = (name: string) => (name === hiddenIn ? hidden(form, disguise, name) : 'nothing')
      put({ type: 'user', message: { role: 'user', content: `beacon ${hidden(form, disguise, 'a prompt')} please` } })
      const call = { type: 'tool_use', id: `toolu_${n}`, name: 'Bash', input: { command: at('a command') } }
      const content = [{ type: 'text', text: `ok ${at('the answer')} done` }, call]
      put({ type: 'assistant', message: { id: `msg_${n}`, role: 'assistant', model: 'm', content } })
      put({ type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content: at('a result') }] } })
      work(put, form, disguise, origin)
    }
    writeFileSync(join(projects, `${sessionId}.jsonl`), `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)
  }
  FORMS.forEach((_, form) => {
    writeSession(form, true)
    if (form % 2 === 1) writeSession(form, false)
  })
}

/** What a person says of people and things, with a secret where a name or a value stands. */
function told(form: number): string {
  const at = (where: string) => hidden(form, (form + 5) % DISGUISES.length, where)
  return [
    `My sister Emily lives in Perth and my friend Josh works at Harbor Labs.`,
    `My friend Josh works at ${at('an employer')}.`,
    `I prefer ${at('a preference')} over tea.`,
    `My colleague ${at('a name')} lives in Lisbon.`,
    `Let's use ${at('a decision')} instead of Postgres for the kettle store.`,
  ].join('\n')
}

/** A tool call that names a file, a pattern, an address, a commit or an error, with a secret in it: each kind with each form and each disguise. */
function work(put: (line: object) => void, form: number, disguise: number, origin: string): void {
  const at = (where: string) => hidden(form, disguise, where)
  const calls: readonly (() => readonly [tool: string, input: object, result: string])[] = [
    () => ['Read', { file_path: `/home/ada/x/${at('a file')}/kettle.ts` }, 'ok'],
    () => ['Write', { file_path: '/home/ada/x/.env', content: `A=1\n${at('a written file')}\nB=2` }, 'created'],
    () => ['Grep', { pattern: at('a pattern'), path: '/home/ada/x' }, `kettle.ts:1: ${at('a line found')}`],
    () => ['WebFetch', { url: `https://ada:${plainSecret('an address')}@x.example/?q= ${at('behind an address')}` }, 'ok'],
    () => ['Bash', { command: `cd /home/ada/x && git commit -m "${at('a commit')}" && kettle` }, `[main 1a2b3c4] ${at('a subject')}`],
    () => ['Bash', { command: 'kettle test' }, `Exit code 1\nerror: kettle ${at('an error')} broke\nfatal: exit status 128`],
    () => [
      'Bash',
      { command: `git remote add origin ${origin}; gh pr create --title "${at('a pull request')}"` },
      `${origin}\n${at('an output')}`,
    ],
    () => [at('a tool'), { words: ['kettle', at('a list'), 'beacon'], deep: { er: [{ still: at('a depth') }] } }, at('a result')],
    () => [
      'Bash',
      { command: ['bash', '-lc', `kettle ${at('a command of words')}`] },
      JSON.stringify({ output: at('JSON'), metadata: { exit_code: 1 } }),
    ],
  ]
  const [name, input, result] = calls[(form + disguise) % calls.length]?.() ?? ['Bash', {}, '']
  const id = `toolu_w${++n}`
  put({ type: 'assistant', message: { id: `msg_${id}`, role: 'assistant', model: 'm', content: [{ type: 'tool_use', id, name, input }] } })
  put({ type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: result }] } })
}

/** As it stands, with its JSON escapes resolved, as a terminal shows it, and with all that nobody sees taken out. */
function expectNoSecret(text: string): void {
  const resolved = text
    .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\[bfr]/g, '')
  const shown = resolved.replace(/\u001b\][^\u0007]*\u0007|\u001b\[[0-?]*[@-~]/g, '')
  const forms = new Set([text, resolved, shown, shown.replace(/(.)\u0008\1/g, '$1'), shown.replace(/[^\x20-\x7e\n]/g, '')])
  expect([...forms].flatMap(secretsIn)).toEqual([])
}

/** What each is called by its characters: a thousand of them are looked for in megabytes, hundreds of times. */
const known = new Map<string, string>()

function secretsIn(text: string): string[] {
  for (const { secret, what } of secrets.slice(known.size)) known.set(secret, what)
  const found: string[] = []
  for (const { 0: run } of text.matchAll(new RegExp(`[A-Za-z0-9]{${SHOWN},}`, 'g')))
    for (let at = 0; at + SHOWN <= run.length; at++) {
      const what = known.get(run.slice(at, at + SHOWN))
      if (what !== undefined) found.push(what)
    }
  return found
}

async function output(...argv: string[]): Promise<string> {
  const { stdout, stderr } = await home.runHere(...argv)
  expect(stdout.length + stderr.length).toBeGreaterThan(0)
  return `${stdout}\n${stderr}`
}

function filesBelow(folder: string): string {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .map((entry) => `${entry.name}\n${entry.isFile() ? readFileSync(join(entry.parentPath, entry.name), 'utf8') : ''}`)
    .join('\n')
}

it('the secrets went in, and would be found', async () => {
  const [one] = secrets
  expect(secretsIn(`x ${one?.secret}-y z9${one?.secret}9`)).toEqual([one?.what, one?.what])
  expect(() => expectNoSecret(JSON.stringify({ text: `${one?.secret.slice(0, 6)}\u200b${one?.secret.slice(6)}` }))).toThrow()
  expect(secrets.length).toBeGreaterThan(3 * FORMS.length * DISGUISES.length - 1)
  expect(JSON.parse((await home.runHere('status', '--json')).stdout)).toMatchObject({ agents: { sessions: 1.5 * FORMS.length } })
  const found = await output('search', 'beacon', '--limit', '200', '--json')
  expect(found.match(/\[REDACTED:/g)?.length).toBeGreaterThan(50)
})

it('none is in a list, a session, a search or a report', async () => {
  for (const argv of [
    ['sessions', '--limit', '500', '--json'],
    ['sessions', '--limit', '500'],
    ['search', 'beacon', '--limit', '200', '--json'],
    ['search', 'beacon', '--limit', '50'],
    ['search', 'password', '--source', 'memory', '--limit', '200', '--json'],
    ['status', '--json'],
    ['sources', '--json'],
    ['health', '--json'],
    ['chunk', '--all', '--json'],
    ['index', '--all', '--json'],
  ])
    expectNoSecret(await output(...argv))
  for (let form = 0; form < FORMS.length; form++) {
    const id = `claude-code:aaaaaaaa-0000-4000-8000-${String(form).padStart(12, '0')}`
    expectNoSecret(await output('show', id, '--json'))
    if (form % 4 === 0) expectNoSecret(`${await output('show', id)}${await output('show', id, '--tree', '--json')}`)
  }
})

it('none is in what is said of tool work, or done with a hit', async () => {
  for (const argv of [
    ['topics', '--limit', '10000', '--json'],
    ['files', '--limit', '10000', '--json'],
    ['files', '--limit', '10000'],
    ['files', '*kettle*'],
    ['search', 'kettle', '--errors', '--limit', '200', '--json'],
    ['search', '"exit status 128"', '--limit', '200'],
    ['search', 'password', '--tool', 'Bash', '--limit', '200', '--json'],
    ['search', 'login token password', '--command', 'git', '--limit', '200', '--json'],
    ['search', 'machine', '--file', '*.ts', '--limit', '50', '--explain', '--json'],
    ['search', 'beacn', '--also', 'kettle', '--also', 'password', '--limit', '50', '--for-agent'],
    ['search', 'beacon', '-l', '--limit', '50'],
    ['search', 'beacon', '--short', '--limit', '50'],
    ['search', 'kettle', '--flat', '--context', '3', '--limit', '50'],
    ['search', 'kettle', '--tool', 'NoSuchTool'],
    ['search', 'kettle', '--project', 'no-such-project'],
    ['sessions', 'ada', '--limit', '500', '--json'],
    ['sessions', '--limit', '500', '--for-agent'],
    ['show', '1'],
    ['show', '2', '--for-agent'],
    ['resume', '1'],
  ])
    expectNoSecret(await output(...argv))
  for (let form = 0; form < FORMS.length; form += 3) {
    const id = `claude-code:aaaaaaaa-0000-4000-8000-${String(form).padStart(12, '0')}`
    for (const argv of [
      ['show', id, '--outline'],
      ['show', id, '--last', '2'],
      ['show', id, '--for-agent'],
      ['resume', id, '--json'],
      ['export', id, '--format', 'markdown'],
      ['export', id, '--format', 'html'],
      ['rename', id, hidden(form, 0, 'an own title'), '--json'],
    ])
      expectNoSecret(await output(...argv))
  }
  expectNoSecret(await output('sessions', '--limit', '500', '--json'))
  expectNoSecret(filesBelow(join(home.root, 'home', 'answers')))
})

it('none is in what was understood of it', async () => {
  expectNoSecret(await output('analyze', '--json'))
  for (const argv of [
    ['analyze', '--dry-run', '--json'],
    ['episodes', '--limit', '1000', '--json'],
    ['episodes', '--limit', '1000'],
    ['timeline', '--day', '2026-02-05', '--json'],
    ['timeline', '--day', '2026-02-05'],
    ['events', '--all', '--limit', '10000', '--json'],
    ['events', '--all', '--limit', '1000'],
    ['entities', 'list', '--limit', '10000', '--json'],
    ['entities', 'list', '--type', 'document', '--limit', '10000'],
    ['entities', 'review', '--list', '--json'],
    ['decisions', '--all', '--limit', '10000', '--json'],
    ['decisions', '--preferences', '--all', '--for-agent'],
    ['topics', '--limit', '10000', '--for-agent'],
    ['dossier', '--topic', 'kettle', '--json'],
    ['dossier', '--list', '--json'],
  ])
    expectNoSecret(await output(...argv))
  const { entities } = JSON.parse((await home.runHere('entities', 'list', '--limit', '10000', '--json')).stdout) as {
    entities: { id: string }[]
  }
  expect(entities.length).toBeGreaterThan(3)
  entityIds.push(...entities.map(({ id }) => id))
  for (const id of entityIds.slice(0, MOST)) {
    expectNoSecret(await output('entities', 'show', id, '--json'))
    expectNoSecret(await output('dossier', id, '--json'))
  }
  const { episodes } = JSON.parse((await home.runHere('episodes', '--limit', '1000', '--json')).stdout) as {
    episodes: { episode_id: string }[]
  }
  expect(episodes.length).toBeGreaterThan(10)
  for (const { episode_id } of episodes.slice(0, MOST)) {
    expectNoSecret(await output('episodes', episode_id, '--json'))
    expectNoSecret(await output('related', episode_id, '--json'))
  }
})

it('none is in any table that SQL can see, nor in what it computes', async () => {
  const tables = JSON.parse((await home.runHere('sql', 'select name from sqlite_master', '--limit', '1000', '--json')).stdout) as {
    rows: string[][]
  }
  expect(tables.rows.length).toBeGreaterThan(30)
  for (const [table] of tables.rows) expectNoSecret(await output('sql', `select * from ${table}`, '--limit', '10000', '--json'))
  for (const [table, columns] of Object.entries({
    agent_messages: 'content metadata_json context_json',
    agent_tool_calls: 'params_json result_json',
    agent_sessions: 'title own_title source_title project project_name repository repository_seen workspace_path raw_json context_json',
    work_names: 'name',
    work_vocab: 'term',
    chunks: 'said_user said_assistant extra_terms context topic_tags',
    sync_state: 'carry_json',
    events: 'content metadata_json',
  })) {
    const cells = columns.split(' ').map((column) => `hex(${column})`)
    const { stdout } = await home.runHere('sql', `select ${cells.join(', ')} from ${table}`, '--limit', '10000', '--json')
    expectNoSecret([...stdout.matchAll(/[0-9A-F]{24,}/g)].map(([hex]) => Buffer.from(hex, 'hex').toString('utf8')).join('\n'))
  }
})

it('none is in an export, a QMD file or a published artifact', async () => {
  const to = join(home.root, 'out')
  for (const argv of [
    ['export', '--dir', join(to, 'all'), '--json'],
    ['export', '--file', join(to, 'messages.jsonl'), '--json'],
    ['export', 'qmd', '--dir', join(to, 'qmd'), '--json'],
    ['memory', 'publish', '--json'],
  ]) {
    mkdirSync(to, { recursive: true })
    expectNoSecret(await output(...argv))
  }
  expect(readdirSync(join(to, 'qmd')).length).toBeGreaterThan(0)
  expectNoSecret(filesBelow(to))
  expect(readdirSync(join(workspace, 'memory')).length).toBeGreaterThan(0)
  expectNoSecret(filesBelow(join(workspace, 'memory')))
  expectNoSecret(readFileSync(join(workspace, 'MEMORY.md'), 'utf8'))
})

it('none is in what an agent gets', async () => {
  const call = async (name: string, args: Record<string, unknown>) => JSON.stringify(await client.callTool({ name, arguments: args }))
  for (const query of ['beacon', 'password', 'please', 'docker login'])
    for (const tool of ['memory_search', 'session_search']) expectNoSecret(await call(tool, { query, limit: 50 }))
  const { rows } = JSON.parse((await home.runHere('sql', 'select id from agent_turns', '--limit', '10000', '--json')).stdout) as {
    rows: string[][]
  }
  expect(rows.length).toBeGreaterThan(100)
  for (const [id] of rows) expectNoSecret(await call('memory_get', { id }))
  expectNoSecret(await call('memory_get', { path: 'workspaces/p/note.md' }))
  for (const budget of [20, 600, 15_000]) expectNoSecret(await call('memory_get', { id: rows[0]?.[0], budget, around: 3 }))
  expectNoSecret(await call('session_list', { limit: 200 }))
  expectNoSecret(await call('memory_get', { id: '1', budget: 15_000 }))
  for (const filters of [{ tool: 'Bash' }, { errors: true }, { file: '*.ts' }, { command: 'git' }])
    expectNoSecret(await call('session_search', { query: 'kettle', queries: ['password', 'machine login'], filters, limit: 50 }))
  expectNoSecret(await call('memory_status', {}))
  for (const [tool, args] of [
    ['decisions', { limit: 100 }],
    ['decisions', { subject: 'password', limit: 100 }],
    ['decisions', { preferences: true }],
    ['timeline', { day: '2026-02-05' }],
    ['timeline', { day: '2026-02-05', project: 'no-such-project' }],
    ['forget', { match: 'kettle' }],
    ['forget', { match: 'password' }],
    ['forget', { before: '2027-01-01' }],
    ['forget', { turn: rows[0]?.[0] }],
  ] as const)
    expectNoSecret(await call(tool, args))
  for (const name of entityIds.slice(0, MOST)) expectNoSecret(await call('entity_get', { name }))
})

it('none is in what a person attaches or picks', async () => {
  const { resources } = await client.listResources()
  expect(resources.length).toBeGreaterThan(FORMS.length)
  expectNoSecret(JSON.stringify(resources))
  for (const { uri } of resources) expectNoSecret(JSON.stringify(await client.readResource({ uri })))
  expectNoSecret(JSON.stringify(await client.getPrompt({ name: 'recall', arguments: { question: 'which password' } })))
  const session =
    resources
      .find(({ uri }) => uri.includes('/session/'))
      ?.uri.split('/')
      .at(-1) ?? ''
  expectNoSecret(JSON.stringify(await client.getPrompt({ name: 'handoff', arguments: { session } })))
})

it('none is in what a model gets to embed, nor in the index as it stands on the disk', async () => {
  const server = await embeddingServer()
  const config = join(home.root, 'home', 'config.yaml')
  writeFileSync(
    config,
    `embedding:\n  provider: openai-compatible\n  model: test-model\n  base_url: ${server.url}\n  dimensions: 8\n  batch_size: 64\n`,
    { mode: 0o600 },
  )
  const { embedded, entities, waiting } = JSON.parse(await output('embed', '--json')) as Record<string, number>
  expect({ embedded, entities, waiting }).toEqual({ embedded: expect.any(Number), entities: expect.any(Number), waiting: 0 })
  expect(embedded).toBeGreaterThan(100)
  expect(entities).toBeGreaterThan(0)
  const chunks = server.calls.length
  // Of what is asked the answer repeats the words to who asked; nobody else gets them.
  await output('search', `beacon ${hidden(0, 1, 'a question')}`, '--also', hidden(6, 9, 'a phrasing'), '--json')
  expect(server.calls.length).toBeGreaterThan(chunks)
  const sent = server.calls.map(({ body }) => JSON.stringify(body)).join('\n')
  expect(sent.match(/\[REDACTED:/g)?.length).toBeGreaterThan(100)
  expectNoSecret(sent)
  // SQL redacts what it shows: this is what stands there.
  const file = new Database(join(home.root, 'home', 'mnemonic.db'), { readonly: true })
  try {
    const rows = (sql: string) => JSON.stringify(file.prepare(sql).all())
    const texts = rows('select said_user, said_assistant, extra_terms, context from chunks')
    expect(texts.match(/\[REDACTED:/g)?.length).toBeGreaterThan(100)
    expectNoSecret(`${texts}${rows('select name from work_names')}`)
    const terms = `${rows('select term from chunks_vocab')}${rows('select term from work_vocab')}`
    expect(terms).toContain('beacon')
    expect(secrets.filter(({ secret }) => terms.includes(secret.toLowerCase()))).toEqual([])
  } finally {
    file.close()
  }
})
