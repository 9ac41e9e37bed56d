/** The head of MEMORY.md through the whole pipeline: logs of a repository, of a clone and of a namesake, sync, publish, forget. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { claudeLog } from '../helpers/claude-log.ts'
import { type BinaryHome, binaryHome } from '../helpers/run-binary.ts'

let home: BinaryHome
const DAY = 86_400_000
const FILES = ['src/tiles/draw.ts', 'src/tiles/cache.ts', 'src/tiles/fetch.ts', 'src/map/zoom.ts']
const WARNING = 'The sqlite driver has a bug where closed handles stay locked on slow disks.'

async function ran(...argv: string[]): Promise<string> {
  const { code, stdout, stderr } = await home.runHere(...argv)
  expect(code, stderr).toBe(0)
  return stdout
}

const memory = () => readFileSync(join(home.root, 'workspace', 'MEMORY.md'), 'utf8')
const head = () => memory().split('## Session Ledger')[0] as string
/** The block of a project, from its heading to the next. */
const block = (name: string) => head().match(new RegExp(`^### Project ${name}[^\\n]*\\n(?:(?!#)[^\\n]*\\n)*`, 'm'))?.[0] ?? ''

let count = 0
function log(folder: string, daysAgo: number) {
  const session = `${String(++count).padStart(8, '0')}-0000-4000-8000-000000000000`
  return claudeLog(join(home.root, 'claude', 'projects'), session, { from: Date.now() - daysAgo * DAY, cwd: folder })
}

function edited(session: ReturnType<typeof claudeLog>, folder: string, files = FILES) {
  for (const file of files) session.call('Edit', { file_path: `${folder}/${file}`, old_string: 'a', new_string: 'b' }, 'updated')
}

beforeAll(async () => {
  home = binaryHome()
  const [atlas, clone, namesake] = ['/home/dev/atlas', '/srv/copies/atlas', '/opt/other/atlas']
  for (const daysAgo of [9, 8]) {
    const session = log(atlas, daysAgo)
    session.turn('Draw the tiles of the map faster.', 'I will run the tests first.')
    session.call(
      'Bash',
      { command: 'git remote -v' },
      'origin\tgit@github.com:dev/atlas.git (fetch)\norigin\tgit@github.com:dev/atlas.git (push)',
    )
    session.call('Bash', { command: 'npm test' }, '12 passing')
    session.call('Bash', { command: 'npm run lint' }, 'no problems')
    session.call('Read', { file_path: `${atlas}/docs/store.md` }, `${WARNING}\n\nNever use sqlite3 for new tables in this repository.`)
    edited(session, atlas)
    session.turn("let's use SQLite for the tile cache", 'The tile cache is in SQLite now.')
    session.turn('I always prefer small commits over large ones.', 'Noted.')
  }
  const copied = log(clone, 5)
  copied.turn('Zoom the map of the copy.', 'I will look at the zoom.')
  edited(copied, clone)
  copied.turn("we'll go with integer zoom levels for the tiles", 'The zoom levels are integers.')
  const other = log(namesake, 4)
  other.turn('Fix the atlas of anatomy.', 'I will look at the bones.')
  edited(other, namesake, ['src/bones/arm.ts', 'src/bones/leg.ts', 'src/bones/skull.ts', 'src/bones/hand.ts'])
  other.turn('Fine.', 'The bones are in their order now.')
  await ran('sync', '--no-embed', '--adapter', 'claude-code')
  await ran('memory', 'publish')
}, 120_000)

afterAll(() => home.remove())

it('a project has its card, what holds, and what its files warn of; never an order of a file', async () => {
  const atlas = block('(?:dev/)?atlas, with')
  expect(atlas).toMatch(/^### Project \S*atlas, with its clone \S*atlas \(3 sessions, \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d\)\n/)
  expect(atlas).toContain('- Commands that passed: test `npm test`; lint `npm run lint`\n')
  expect(atlas).toContain('- Most changed below `src/`: ')
  expect(atlas).toMatch(/- Last done [\d-]{10}: .* \(00000003\)\n/)
  expect(atlas).toMatch(/- Decisions that hold:\n(?: {2}- .*\n)* {2}- [\d-]{10} “let's use SQLite for the tile cache” \(00000002\)\n/)
  expect(atlas).toContain(`- Pitfalls:\n  - “${WARNING}” (00000002)\n`)
  expect(await ran('project', '/home/dev/atlas')).toContain('Never use sqlite3')
  expect(memory()).not.toContain('Never use sqlite3')
})

it('a clone without a remote is the project of its repository, a folder of the same name with other files is not', () => {
  expect(block('(?:dev/)?atlas, with')).toContain('integer zoom levels')
  expect(head().match(/^### Project /gm)).toHaveLength(2)
  expect(head()).toMatch(/^### Project \S*atlas \(1 session, /m)
})

it("the owner's rules stand first, once, cited by session; what is cited has its row", () => {
  expect(head()).toMatch(
    /## Rules of the owner\n- [\d-]{10} “I always prefer small commits over large ones\.” \(said 2 times since [\d-]{10}\) \(00000002\)\n\n## Projects\n/,
  )
  for (const [, cite] of head().matchAll(/\((0{7}\d)\)/g)) expect(memory()).toMatch(new RegExp(`\\| session=claude-code:${cite}`))
})

it('rendered again it is the same file', async () => {
  const before = memory()
  await ran('memory', 'render')
  expect(memory()).toBe(before)
})

it('what is forgotten leaves the card too', async () => {
  await ran('forget', '--match', 'closed handles stay locked', '--yes')
  expect(memory()).not.toContain('closed handles')
  await ran('forget', '--session', '00000002', '--yes')
  expect(memory()).not.toContain('00000002')
  // What passed once is no command of a card.
  expect(memory()).not.toContain('`npm test`')
}, 60_000)
