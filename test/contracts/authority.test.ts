/** Who may write what, and who knows the engine, held by reading the source. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const LEDGER = ['agent_\\w+', 'events', 'threads']
const HOT =
  'addRecords addMessages mergeMessage addTurns deleteTurn updateTurn markParents renameTurn addToolCalls setToolResults supersede'.split(
    ' ',
  )

function sources(): { path: string; text: string }[] {
  return readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => ({ path, text: readFileSync(join('src', path), 'utf8') }))
}

it('only src/ledgers writes a ledger table', () => {
  const kysely = new RegExp(`(insertInto|updateTable|deleteFrom|replaceInto)\\('(${LEDGER.join('|')})'\\)`)
  const hot = new RegExp(`\\.agents\\.(${HOT.join('|')})\\(`)
  const sql = new RegExp(`(insert into|insert or ignore into|update|delete from) (${LEDGER.join('|')})\\b`, 'i')
  const outside = sources().filter(({ path }) => !path.startsWith('ledgers/'))
  const offenders = outside.filter(
    ({ path, text }) =>
      kysely.test(text) ||
      hot.test(text) ||
      (path !== 'store/sqlite/rows/agent-rows.ts' && sql.test(text.replace(/\/\*\*?[\s\S]*?\*\//g, ''))),
  )
  expect(offenders.map(({ path }) => path)).toEqual([])
})

const WRITES =
  /\b(writeFile|appendFile|writeAtomic|rename|copyFile|link|unlink|rm|cp|mkdir|createWriteStream)(Sync)?\([^\n]*(paths\.memory|\bmemory['"/])/

it('only src/artifacts writes below the memory folder of the workspace', () => {
  const offenders = sources().filter(({ path, text }) => !path.startsWith('artifacts/') && WRITES.test(text))
  expect(offenders.map(({ path }) => path)).toEqual([])
  expect(WRITES.test("writeFileSync(join(workspace, 'memory', name), text)")).toBe(true)
})

it('only src/store imports the engine', () => {
  const offenders = sources().filter(({ path, text }) => !path.startsWith('store/') && /from '(better-sqlite3|sqlite-vec)'/.test(text))
  expect(offenders.map(({ path }) => path)).toEqual([])
})

/** Where the text of a query may stand outside the store: `mnemonic sql` takes one, and its help and hints show some. */
const SHOWS_SQL = ['cli/commands/inspect.ts', 'operations/health-checks.ts', 'operations/import-health.ts']
/** Recognises secrets in the statements of others (`PRAGMA key = …`) and runs none. */
const RECOGNISES_SQL = ['core/redact-statements.ts']
/** Adapters read other people's SQLite files, through the SourceDatabase port. */
const READS_OTHERS = ['ingest/capture/', 'ingest/events/imessage/']

const DIALECT: Readonly<Record<string, RegExp>> = {
  'a query as text':
    /['"`]\s*(select\s[^'"`]*\sfrom|insert (or \w+ )?into|update \w+ set|delete from|with recursive|create (temp )?(table|view|index|virtual))\b/i,
  'raw sql of the query builder': /\bsql(<[^>]*>)?`|\bsql\.(raw|lit|ref|id|table|val)\b|import [^;\n]*\bsql\b[^;\n]* from 'kysely'/,
  'functions and tables of SQLite':
    /\b(json_(extract|each|tree|valid|group_array|object|array)|group_concat|sqlite_\w+|pragma|rowid|zeroblob)\b/i,
  'the full-text tables': /\w_fts\w*|\bchunks_vocab\b|\bfts5\b/i,
  'statements that only some engines have': /\b(orIgnore|orReplace|replaceInto)\(/,
}

it('only src/store speaks a dialect of SQL', () => {
  const outside = sources().filter(
    ({ path }) =>
      !path.startsWith('store/') &&
      !READS_OTHERS.some((folder) => path.startsWith(folder)) &&
      ![...SHOWS_SQL, ...RECOGNISES_SQL].includes(path),
  )
  const offenders = outside.flatMap(({ path, text }) => {
    const code = text.replace(/\/\*\*?[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
    return Object.entries(DIALECT).flatMap(([what, pattern]) => (pattern.test(code) ? [`${path}: ${what}`] : []))
  })
  expect(offenders, 'build it with Kysely from what every engine has, or give the store port a method for it').toEqual([])
})

it('only store/meta.ts reads and writes the table meta', () => {
  const query = /(selectFrom|insertInto|updateTable|deleteFrom)\('meta'\)/
  expect(
    sources()
      .filter(({ path, text }) => path !== 'store/meta.ts' && query.test(text))
      .map(({ path }) => path),
  ).toEqual([])
})

it('this test can fail: the engine itself speaks it', () => {
  const engine = sources().filter(({ path }) => path.startsWith('store/sqlite/'))
  for (const what of ['a query as text', 'functions and tables of SQLite', 'the full-text tables']) {
    expect(
      engine.some(({ text }) => DIALECT[what]?.test(text)),
      what,
    ).toBe(true)
  }
  expect(DIALECT['raw sql of the query builder']?.test('await sql<Row>`select 1`.execute(db)')).toBe(true)
})

it('this test can fail: the ledger itself matches', () => {
  const ledger = sources().filter(({ path }) => path.startsWith('ledgers/'))
  expect(ledger.some(({ text }) => /\.agents\.addMessages\(/.test(text))).toBe(true)
})
