/**
 * Every feature that writes anywhere writes a word that stands nowhere else. After forgetting, no file under home and workspace holds a byte of one in any
 * encoding, unless the receipt names it. The reader of the files (`held-anywhere.ts`) knows nothing of the scan that it checks.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ForgetReport } from '../../src/library/index.ts'
import { heldAnywhere, heldInGit } from '../helpers/held-anywhere.ts'
import { type LlmServer, startLlmServer } from '../helpers/llm-server.ts'
import { pngWith, quotedPrintable, tarOf, zipOf } from '../helpers/packed-files.ts'
import { rowsThatHold } from '../helpers/rows-that-hold.ts'
import { BINARY, type BinaryHome, binaryHome, type Ended, ended } from '../helpers/run-binary.ts'
import { SAMPLE_SOURCES } from '../helpers/sources/all.ts'
import { MARKS, markingModel, NEST, OWNER, PLACES, plantUnderstood } from '../helpers/understood-home.ts'
import { workersGone } from '../helpers/workers-gone.ts'

const LONG = process.env.MNEMONIC_CRASH === 'long'

const word = (place: string) => `${NEST}${place}vx`
const HARNESSES = SAMPLE_SOURCES.map((_, n) => `harness${String.fromCharCode(97 + n)}`)
const OTHERS = [
  ...['remembered', 'proposed', 'titled', 'aliased', 'documented', 'quarantined', 'drifted', 'queued', 'traced'],
  ...['folder', 'branch', 'searched', 'prompted', 'packed'],
]
const ALL = [...PLACES, ...HARNESSES, ...OTHERS]
/** Of these only a query is made, which nothing keeps, and of the last only files of the person. */
const NOT_STORED = ['searched', 'prompted', 'packed']

let home: BinaryHome
let server: LlmServer
const at = (...names: readonly string[]) => join(home.root, ...names)
const roots = () => ['home', 'workspace', 'copies', 'claude', 'user'].map((name) => at(name)).filter((path) => existsSync(path))

beforeAll(async () => {
  home = binaryHome()
  server = await startLlmServer(markingModel)
})
afterAll(async () => {
  await workersGone(home.root)
  home.remove()
  await server.close()
})

async function run(...argv: string[]): Promise<Ended> {
  const end = await home.runHere(...argv)
  expect([0, 3], `${argv.join(' ')}: ${end.stderr}`).toContain(end.code)
  return end
}

const json = async (...argv: string[]) => JSON.parse((await run(...argv, '--json')).stdout)

const idOf = async (text: string) =>
  String((await json('sql', `select session_id from agent_messages where content like '%${text}%' limit 1`)).rows[0]?.[0])

function configure(): void {
  mkdirSync(at('home'), { recursive: true })
  const analyze = `analyze:\n  provider: openai-compatible\n  model: m\n  base_url: ${server.url}\n  daily_calls: 5000\n`
  writeFileSync(at('home', 'config.yaml'), `owner:\n  emails: [${OWNER}]\n${analyze}embedding:\n  sync_seconds: 0\n`, { mode: 0o600 })
}

/** The harnesses hold their words in turn in a prompt, an answer, a parameter and a result. */
function plant(): void {
  mkdirSync(at('sources'))
  plantUnderstood(at('sources'))
  for (const [n, source] of SAMPLE_SOURCES.entries()) {
    const [where, text] = [source.noTools ? n % 2 : n % 4, word(HARNESSES[n] as string)]
    const tool = {
      name: 'Read',
      params: { file_path: `/srv/${where === 2 ? text : 'a'}.md` },
      result: `one\n${where === 3 ? text : 'two'}`,
    }
    const from = Date.UTC(2026, 2, 1 + n, 9)
    source.write(at('sources', `harness-${n}`), `s${n}`, [
      {
        prompt: `What of the ${where === 0 ? text : 'buoy'} at pier ${n}?`,
        answer: `The ${where === 1 ? text : 'buoy'} is there.`,
        at: from,
      },
      { prompt: `Read the notes of pier ${n}`, answer: 'They are read.', at: from + 60_000, tool },
    ])
  }
  const odd = at('sources', 'odd')
  mkdirSync(odd)
  const common = {
    ...{ sessionId: '8f14e45f-0010-4e6a-8ffd-902d7a9e3981', version: '2.1.7', parentUuid: null, isSidechain: false, userType: 'external' },
    ...{ cwd: `/srv/${word('folder')}`, gitBranch: word('branch'), timestamp: '2026-03-20T09:00:00.000Z' },
  }
  const lines = [
    { ...common, type: 'user', uuid: 'u1', message: { role: 'user', content: 'Which port does the quay use?' } },
    { ...common, type: word('drifted'), uuid: 'u2', payload: 1 },
  ]
  writeFileSync(join(odd, `${common.sessionId}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const broken = at('sources', 'broken')
  mkdirSync(broken)
  writeFileSync(join(broken, `${word('quarantined')}.jsonl`), `neither ${word('quarantined')}\njson\n`)
}

async function sync(...more: string[]): Promise<void> {
  const from = (folder: string, ...adapters: string[]) =>
    run('sync', '--path', at('sources', folder), ...adapters.flatMap((name) => ['--adapter', name]), '--no-embed', ...more)
  await from('people', 'contacts', 'imessage', 'gmail', 'calendar')
  await from('code', 'claude-code')
  for (const [n, { name }] of SAMPLE_SOURCES.entries()) await from(`harness-${n}`, name)
  await from('odd', 'claude-code')
  await from('broken', 'jsonl')
  await run('sync', '--adapter', 'aix-events', '--no-embed')
}

async function hook(event: string, name: string, undo?: () => void): Promise<void> {
  const child = spawn(process.execPath, [BINARY, 'hook', 'claude-code', event], { env: home.env })
  child.stdin.on('error', () => undefined) // one that needs no input may be gone before it is written
  child.stdin.write(
    JSON.stringify({ session_id: `s-${name}`, transcript_path: `/srv/${word(name)}.jsonl`, cwd: `/srv/${word(name)}`, prompt: word(name) }),
  )
  await ended(child)
  undo?.()
  await workersGone(home.root)
}

/** Another process keeps the database for itself: a hook leaves a trace instead. */
function locked(): () => void {
  const other = new Database(at('home', 'mnemonic.db'))
  other.pragma('journal_mode = delete')
  other.exec('begin exclusive')
  return () => {
    other.exec('rollback')
    other.pragma('journal_mode = wal')
    other.close()
  }
}

/** Of a worker that goes on: no other one empties the queue. */
const WORKS_ALREADY = () => ['write', 'a test', process.pid, hostname(), Date.now(), Date.now() + 3_600_000]

function inDatabase(change: (db: Database.Database) => void): void {
  const db = new Database(at('home', 'mnemonic.db'))
  change(db)
  db.close()
}

/** Everything that writes. */
async function write(): Promise<void> {
  await sync()
  await run('remember', `Always keep the ${word('remembered')} dry`, '--yes')
  await run('remember', '--proposed', `Prefer the ${word('proposed')} for ropes`)
  mkdirSync(at('workspace', 'memory'), { recursive: true })
  mkdirSync(at('workspace', 'notes'), { recursive: true })
  writeFileSync(at('workspace', 'notes', 'own.md'), `# Of mine\n\nThe ${word('documented')} is in the loft.\n`)
  await run('sync', '--no-embed', '--path', at('sources', 'code'), '--adapter', 'claude-code')
  await run('rename', await idOf('Which port does the quay'), `The ${word('titled')} plan`)
  await run('analyze')
  await run('index')
  await run('entities', 'alias', 'Tom Reed', word('aliased'))
  const full = await idOf(word('decided'))
  await run('memory', 'publish', '--ended')
  await run('memory', 'archive', '--before', '2026-12-01')
  for (const name of [word('said'), word('mailed')]) await run('dossier', name)
  await run('dossier', '--project', 'atlas')
  await run('howto', 'atlas')
  await run('entities', 'retype', word('aliased'), 'company')
  await run('skills', 'write')
  mkdirSync(at('copies'))
  mkdirSync(at('workspace', 'copies'))
  await run('export', '--dir', at('copies', 'all'))
  await run('export', '--file', at('copies', 'messages.jsonl'))
  await run('export', full, '--out', at('workspace', 'copies', 'talk.md'))
  await run('export', full, '--format', 'html', '--out', at('workspace', 'copies', 'talk.html'))
  await run('export', 'qmd')
  await run('backup', at('copies', 'backup.db'))
  await run('backup', at('workspace', 'copies', 'backup.db'))
  for (const harness of ['claude-code', 'codex', 'pi'])
    await run('fork', '--query', word('decided'), '--into', harness, '--folder', home.root)
  await run('fork', '--query', word('decided'), '--out', at('workspace', 'copies', 'fork.md'))
  await run('search', word('searched'))
  await run('search', word('decided'))
  await run(
    'read',
    `What was decided about ${word('decided')}, and ${word('prompted')}?`,
    '--session',
    's-read',
    '--harness',
    'claude-code',
  )
  inDatabase((db) =>
    db.prepare('insert into leases (name, owner, pid, host, acquired_at, expires_at) values (?, ?, ?, ?, ?, ?)').run(...WORKS_ALREADY()),
  )
  await hook('session-end', 'queued')
  inDatabase((db) => db.exec("delete from leases where name = 'write'"))
  keepOwnFiles()
  await hook('session-end', 'traced', locked())
}

const long = 'Lines of other people, which nobody asked to forget.\n'.repeat(3000)

function ownFiles(): Record<string, Buffer | string> {
  const plain = `Some words. ${word('packed')} And more of them, to the end.\n`
  const points = [...plain].map((one) => one.codePointAt(0) as number)
  const utf32 = (big: boolean) => {
    const bytes = Buffer.alloc(points.length * 4)
    for (const [i, point] of points.entries()) big ? bytes.writeUInt32BE(point, i * 4) : bytes.writeUInt32LE(point, i * 4)
    return bytes
  }
  const every = (escaped: (hex: string) => string) =>
    [...Buffer.from(plain)].map((byte) => escaped(byte.toString(16).padStart(2, '0'))).join('')
  const docx = zipOf({ '[Content_Types].xml': '<Types/>', 'word/document.xml': `<w:t>${plain}</w:t>` })
  const files: Record<string, Buffer | string> = {
    'utf8.txt': plain,
    'upper.txt': plain.toUpperCase(),
    'utf16le.txt': Buffer.from(plain, 'utf16le'),
    'utf16be.txt': Buffer.from(plain, 'utf16le').swap16(),
    'utf32le.txt': utf32(false),
    'utf32be.txt': utf32(true),
    'json.txt': JSON.stringify(JSON.stringify({ text: plain })),
    'json-escaped.txt': every((hex) => `\\u00${hex}`),
    'html.txt': every((hex) => `&#x${hex};`),
    'base64-0.txt': Buffer.from(plain).toString('base64'),
    'base64-1.txt': Buffer.from(`a${plain}`).toString('base64'),
    'base64-2.txt': Buffer.from(`ab${plain}`).toString('base64url'),
    'base64-lines.txt': Buffer.from(plain).toString('base64').replace(/.{24}/g, '$&\n'),
    'hex.txt': Buffer.from(plain).toString('hex'),
    'hex-lines.txt': Buffer.from(plain).toString('hex').toUpperCase().replace(/.{20}/g, '$&\n'),
    'quoted.eml': quotedPrintable(`${'x'.repeat(58)} ${plain}`),
    'percent.txt': encodeURIComponent(plain),
    'percent-all.txt': every((hex) => `%${hex}`),
    'percent-some.txt': encodeURIComponent(plain).replaceAll('g', '%67').replaceAll('v', '%76'),
    'percent-twice.txt': encodeURIComponent(every((hex) => `%${hex}`)),
    'percent-late.txt': long + every((hex) => `%${hex}`),
    'a.zip': zipOf({ 'one.txt': long, 'two.txt': plain }),
    'log.gz': gzipSync(long + plain),
    'letter.docx': docx,
    'picture.png': pngWith('zTXt', plain),
    'picture-i.png': pngWith('iTXt', plain),
    'object.zlib': deflateSync(long + plain),
    'raw.deflate': deflateRawSync(long + plain),
    'all.tar.gz': gzipSync(tarOf({ 'a.txt': Buffer.from(long), 'letter.docx': docx })),
    'percent.gz': gzipSync(every((hex) => `%${hex}`)),
  }
  if (spawnSync('bzip2', ['--version']).error === undefined) files['log.bz2'] = execFileSync('bzip2', ['-c'], { input: long + plain })
  return files
}

/** A workspace under git, with files of the person in every encoding. */
function keepOwnFiles(): void {
  mkdirSync(at('workspace', 'mine'))
  for (const [name, bytes] of Object.entries(ownFiles())) writeFileSync(at('workspace', 'mine', name), bytes)
  const git = (...args: string[]) => execFileSync('git', ['-C', at('workspace'), ...args], { stdio: 'pipe' })
  git('init', '-q')
  git('config', 'user.name', 't')
  git('config', 'user.email', 't@example.org')
  git('add', '-A', '--', 'memory', 'MEMORY.md', 'notes')
  git('commit', '-qm', 'One')
  git('gc', '-q')
}

const forget = async (...argv: string[]): Promise<ForgetReport> => json('forget', ...argv, '--yes')

/** What the receipt names holds what it names: a path is another form of one that leads through a link. */
const namedIn = (report: ForgetReport) => new Set([...report.still_held.map(({ path }) => path), ...report.scan.undecoded])

/** Files that hold one of the words and that no receipt names. */
function unnamed(words: readonly string[], ...reports: readonly ForgetReport[]): string[] {
  const named = new Set(reports.flatMap((report) => [...namedIn(report)]))
  return [...heldAnywhere(roots(), words)].filter(([path]) => !named.has(path)).map(([path, found]) => `${[...found].join(' ')} in ${path}`)
}

function rowsLeft(words: readonly string[]): string[] {
  return words.flatMap((one) => rowsThatHold(at('home', 'mnemonic.db'), one).map(({ column, value }) => `${one} in ${column}: ${value}`))
}

it(`${ALL.length} words, each written by another feature, are gone or named, and do not come back`, {
  timeout: LONG ? 1_800_000 : 300_000,
}, async () => {
  configure()
  plant()
  await write()
  const before = heldAnywhere(roots(), ALL.map(word))
  const written = new Set([...before.values()].flatMap((found) => [...found]))
  expect(ALL.filter((place) => !NOT_STORED.includes(place) && !written.has(word(place)))).toEqual([])
  expect(written.has(word('searched')) || written.has(word('prompted'))).toBe(false)
  expect(heldInGit(at('workspace'), ALL.map(word)).size).toBeGreaterThan(5)

  // By itself each file of the person is named, in whatever encoding.
  const packed = await forget('--match', word('packed'))
  const mine = Object.keys(ownFiles()).map((name) => at('workspace', 'mine', name))
  expect(packed.still_held.map(({ path }) => path).sort()).toEqual(mine.sort())
  expect(unnamed([word('packed')], packed)).toEqual([])
  for (const path of mine) rmSync(path)

  const reports: ForgetReport[] = []
  if (LONG) {
    for (const place of ALL) {
      const report = await forget('--match', word(place))
      expect(unnamed([word(place), `${MARKS}${word(place).slice(NEST.length)}`], report), place).toEqual([])
      reports.push(report)
    }
  }
  const report = await forget('--match', NEST)
  reports.push(report)
  expect(unnamed([NEST, MARKS], ...reports)).toEqual([])
  expect(rowsLeft([NEST, MARKS])).toEqual([])
  expect(report.git.map(({ path }) => path)).toEqual([at('workspace')])

  // What the receipt advises takes the rest away.
  for (const { path, owner } of report.still_held) if (owner !== 'git') rmSync(path)
  execFileSync('sh', ['-c', String(report.git[0]?.command)], { stdio: 'pipe' })
  expect([...heldInGit(at('workspace'), [NEST, MARKS])]).toEqual([])
  await run('memory', 'recover')
  expect(await forget('--match', NEST)).toMatchObject({ status: 'gone', still_held: [], git: [] })

  await sync('--reread')
  await run('analyze')
  await run('memory', 'publish', '--ended')
  await run('index', '--all')
  expect(unnamed([NEST, MARKS])).toEqual([])
  expect(rowsLeft([NEST, MARKS])).toEqual([])
  const kept = await json('search', 'pelicans')
  expect(JSON.stringify(kept)).toContain('pelicans')
})
