/** Who may write what, held by reading the source: ledger tables are written by src/ledgers alone. */
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
      kysely.test(text) || hot.test(text) || (path !== 'store/sqlite/agent-rows.ts' && sql.test(text.replace(/\/\*\*?[\s\S]*?\*\//g, ''))),
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

it('only src/store knows the engine', () => {
  const offenders = sources().filter(({ path, text }) => !path.startsWith('store/') && /from '(better-sqlite3|sqlite-vec)'/.test(text))
  expect(offenders.map(({ path }) => path)).toEqual([])
})

it('this test can fail: the ledger itself matches', () => {
  const ledger = sources().filter(({ path }) => path.startsWith('ledgers/'))
  expect(ledger.some(({ text }) => /\.agents\.addMessages\(/.test(text))).toBe(true)
})
