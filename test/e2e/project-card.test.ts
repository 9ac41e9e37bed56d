/** A project's card through the whole pipeline: logs of several projects, sync, card, dossier, brief, forget, rebuild. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openMnemonic, type ProjectCardAnswer } from '../../src/library/index.ts'
import { claudeLog } from '../helpers/claude-log.ts'
import { mcpClient } from '../helpers/mcp-client.ts'
import { type BinaryHome, binaryHome } from '../helpers/run-binary.ts'

let home: BinaryHome
const projects = () => join(home.root, 'claude', 'projects')
const DAY = 86_400_000
const START = Date.parse('2026-03-01T10:00:00Z')

async function ran(...argv: string[]): Promise<string> {
  const { code, stdout, stderr } = await home.runHere(...argv)
  expect(code, stderr).toBe(0)
  return stdout
}

async function card(name = 'atlas'): Promise<ProjectCardAnswer> {
  return JSON.parse(await ran('project', name, '--json')) as ProjectCardAnswer
}

const linesOf = ({ sections }: ProjectCardAnswer) => sections.flatMap(({ lines }) => lines.map(({ label, text }) => `${label}: ${text}`))

beforeAll(async () => {
  home = binaryHome()
  const read = (session: ReturnType<typeof claudeLog>, path: string, text: string) =>
    session.call(
      'Read',
      { file_path: `/home/dev/atlas/${path}` },
      text
        .split('\n')
        .map((line, i) => `${String(i + 1).padStart(6)}→${line}`)
        .join('\n'),
    )
  for (let day = 0; day < 2; day += 1) {
    const log = claudeLog(projects(), `5eed000${day}-0000-4000-8000-000000000000`, { from: START + day * DAY })
    log.turn('Please look at the map tiles.', 'I will run the tests first.')
    log.call('Bash', { command: 'npm test' }, '12 passing')
    log.call('Bash', { command: 'npm run test:integration' }, '4 passing')
    log.call('Bash', { command: 'npm run lint' }, 'no problems')
    log.call('Edit', { file_path: '/home/dev/atlas/src/tiles/draw.ts', old_string: 'a', new_string: 'b' }, 'updated')
    log.turn('Good. Next one.', 'Done.')
  }
  const first = claudeLog(projects(), '5eed0002-0000-4000-8000-000000000000', { from: START + 2 * DAY })
  first.turn('What is it made of?', 'I will read it.')
  read(
    first,
    'package.json',
    JSON.stringify(
      { name: 'atlas', description: 'Draws maps in the terminal', scripts: { docs: 'typedoc' }, dependencies: { chalk: '^5.3.0' } },
      null,
      2,
    ),
  )
  read(first, 'docs/words.md', 'A map tile is a square picture of one part of the world.')
  read(first, 'CLAUDE.md', 'A ghost tile is a square picture that nobody ever sees.')
  first.turn('We use vitest. And who wrote it?', 'I will ask git.')
  first.call(
    'Bash',
    { command: 'git log -1' },
    'commit 1a2b3c4d5e6f7a8b9c0d1a2b3c4d5e6f7a8b9c0d\nAuthor: Grace Hopper <grace@atlas.example>\nDate:   Mon Mar 2 10:00:00 2026 +0000\n\n    Draw the poles\n',
  )
  first.turn('Thanks.', 'You are welcome.')
  const other = claudeLog(projects(), '5eed0003-0000-4000-8000-000000000000', { cwd: '/home/dev/other', from: START + 3 * DAY })
  other.turn('Build it.', 'Building.')
  other.call('Bash', { command: 'cargo build' }, 'Finished')
  other.turn('Fine.', 'Yes.')
  await ran('sync', '--no-embed')
})
afterAll(() => home.remove())

describe('the card', () => {
  it('says how the project is worked on, what it is made of and who wrote it, each with a turn', async () => {
    const answer = await card()
    expect(answer.project).toMatchObject({ name: 'atlas', sessions: 3 })
    expect(linesOf(answer)).toEqual(
      expect.arrayContaining([
        'about: Draws maps in the terminal',
        'test: `npm test` (passed 2×, last 2026-03-02)',
        'integration test: `npm run test:integration` (passed 2×, last 2026-03-02)',
        'lint: `npm run lint` (passed 2×, last 2026-03-02)',
        'depends on: chalk ^5.3.0',
        'authors: Grace Hopper',
        'folders: src/tiles/ (2)',
        'map tile: A map tile is a square picture of one part of the world.',
        'task: npm run docs: typedoc',
      ]),
    )
    expect(JSON.stringify(answer)).not.toMatch(/ghost|cargo/)
    for (const { lines } of answer.sections) for (const { id, at } of lines) expect(id ?? at).toMatch(/^5eed000\d:\d+$|^20/)
  })

  it('fits on one screen, and says of an unknown project that there is none', async () => {
    const text = await ran('project', 'atlas')
    expect(text.split('\n').length).toBeLessThan(45)
    expect(text).toContain('`npm run test:integration` (passed 2×, last 2026-03-02)  [5eed0001:1]')
    expect((await home.runHere('project', 'nothing-called-so')).code).toBe(2)
  })

  it('is named beside what the graph knows of the project, and given to an agent that asks for its name alone', async () => {
    expect(await ran('entities', 'show', '/home/dev/atlas')).toContain('mnemonic project /home/dev/atlas')
    const mnemonic = await openMnemonic({ home: join(home.root, 'home'), agent: 'main' })
    const { call } = await mcpClient(mnemonic)
    expect((await call('entity_get', { name: 'other' })).text).toContain('built with: cargo')
    await mnemonic.close()
  })

  it('the reader answers with it, and the brief begins with it', async () => {
    const folder = join(home.root, 'none')
    expect(existsSync(folder)).toBe(false)
    const told = await ran('read', 'how are the integration tests run?', '--folder', '/home/dev/atlas')
    expect(told).toContain('npm run test:integration')
    const elsewhere = await ran('read', 'how are the integration tests run in atlas?', '--folder', '/home/dev/other')
    expect(elsewhere).toContain('npm run test:integration')
    expect(elsewhere).not.toContain('cargo')
    const brief = await ran('read', '--brief', '--folder', '/home/dev/atlas')
    expect(brief).toContain('test: `npm test` (passed 2×)')
    expect(brief).not.toContain('cargo')
  })

  it('stands in the dossier of the project, each sentence with its call', async () => {
    await ran('dossier', '--project', 'atlas')
    const [name = ''] = readdirSync(join(home.root, 'workspace', 'dossiers'))
    expect(readFileSync(join(home.root, 'workspace', 'dossiers', name), 'utf8')).toMatch(/authors: Grace Hopper.*#call:/)
  })

  it('a how-to is written, cited, the same again, and never over one that a person edited', async () => {
    await ran('howto', 'atlas')
    const file = join(home.root, 'workspace', 'howto', 'atlas.md')
    const text = readFileSync(file, 'utf8')
    expect(text).toMatch(/test: .*npm test.*passed 2×.*#call:/)
    expect(text).toMatch(/npm run docs: typedoc.*#call:/)
    await ran('howto', 'atlas')
    expect(readFileSync(file, 'utf8')).toBe(text)
    writeFileSync(file, `${text}\nAnd mind the gap.\n`)
    await ran('howto', 'atlas')
    expect(readFileSync(file, 'utf8')).toContain('mind the gap')
    expect(readFileSync(file.replace('.md', '.new.md'), 'utf8')).toBe(text)
    rmSync(file.replace('.md', '.new.md'))
    writeFileSync(file, text)
  })

  it('is the same after a rebuild', async () => {
    const before = await card()
    await ran('rebuild', '--yes')
    expect(await card()).toEqual(before)
  })

  it('loses what a forgotten text said, in dossiers too', async () => {
    await ran('forget', '--match', 'Grace Hopper', '--yes')
    expect(JSON.stringify(await card())).not.toContain('Grace')
    const folder = join(home.root, 'workspace', 'dossiers')
    for (const name of readdirSync(folder)) expect(readFileSync(join(folder, name), 'utf8')).not.toContain('Grace')
    expect(linesOf(await card())).toContain('depends on: chalk ^5.3.0')
    await ran('forget', '--session', '5eed0002', '--yes')
    const left = linesOf(await card())
    expect(left).toContain('test: `npm test` (passed 2×, last 2026-03-02)')
    expect(left.filter((line) => /chalk|map tile|typedoc/.test(line))).toEqual([])
    const howTo = readFileSync(join(home.root, 'workspace', 'howto', 'atlas.md'), 'utf8')
    expect(howTo).not.toContain('typedoc')
    expect(howTo).toContain('- test: `npm test` (passed 2×')
  })
})
