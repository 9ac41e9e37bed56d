import { execFile } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BINARY, binaryHome } from '../../../test/helpers/run-binary.ts'
import { tempFolder, tempStore } from '../../../test/helpers/store.ts'
import { QUERIES } from '../../store/example-queries.ts'
import { schemaMd } from './schema-md.ts'
import { quoted, ROLES, searchScript, skillHead, writeScript } from './skill-texts.ts'
import { INNER_NOTES, TABLE_NOTES } from './table-notes.ts'
import { writeSkills } from './write-skills.ts'

const PLACE = {
  database: '/home/ada/it\'s "here"/mnemonic.db',
  home: "/home/ada/it's",
  workspace: '/w',
  agent: 'main',
  program: ['/bin/node', '/m.js'],
}
const OURS = ['.mnemonic-skill.json', 'DB_PATH', 'QUERIES.md', 'SCHEMA.md', 'SKILL.md', 'cortex-search.sh']

async function written(role: string | undefined, dir = tempFolder()) {
  const store = await tempStore()
  const write = (more: { role?: string; dryRun?: boolean } = {}) => writeSkills(store, PLACE, { dir, role, ...more })
  return { dir, write, report: await write() }
}
const text = (dir: string, name: string) => readFileSync(join(dir, 'skills/cortex', name), 'utf8')

describe('the folders', () => {
  it('are one a role; the reader has no script to write with', async () => {
    const { dir, report } = await written(undefined)
    expect(report.skills.map(({ role }) => role)).toEqual([...ROLES])
    expect(readdirSync(join(dir, 'memory-reader/skills/cortex')).sort()).toEqual(OURS)
    expect(readdirSync(join(dir, 'memory-writer/skills/cortex')).sort()).toEqual([...OURS, 'cortex-write.sh'].sort())
    const reader = readFileSync(join(dir, 'memory-reader/skills/cortex/SKILL.md'), 'utf8')
    expect(reader).not.toContain('cortex-write')
    expect(reader.startsWith(skillHead('memory-reader'))).toBe(true)
    expect(readFileSync(join(dir, 'memory-reader/skills/cortex/DB_PATH'), 'utf8')).toBe(`${PLACE.database}\n`)
    expect(reader).toContain('unredacted')
  })

  it('written again change nothing; a dry run writes nothing', async () => {
    const { write, dir } = await written('memory-writer')
    const again = await write()
    expect(again.skills[0]?.files.map(({ status }) => status)).toEqual(Array(6).fill('unchanged'))
    const empty = join(dir, 'empty')
    const store = await tempStore()
    const dry = await writeSkills(store, PLACE, { dir: empty, dryRun: true })
    expect(dry.skills.flatMap(({ files }) => files.map(({ status }) => status))).toEqual(Array(11).fill('written'))
    expect(existsSync(empty)).toBe(false)
    await expect(write({ role: 'writer' })).rejects.toMatchObject({ code: 'USAGE' })
  })

  it('keep what an agent added around our part, and beside it', async () => {
    const { dir, write } = await written('memory-writer')
    const skill = join(dir, 'skills/cortex/SKILL.md')
    writeFileSync(skill, readFileSync(skill, 'utf8').replace('name: cortex', 'name: cortex-of-ada'))
    appendFileSync(skill, '\n## What I learned\n\nAsk for the port first.\n')
    writeFileSync(join(dir, 'skills/cortex/MY_NOTES.md'), 'mine')
    const before = readFileSync(skill, 'utf8')
    expect((await write()).skills[0]?.files.every(({ kept_as }) => kept_as === null)).toBe(true)
    expect(readFileSync(skill, 'utf8')).toBe(before)
    expect(text(dir, 'MY_NOTES.md')).toBe('mine')
  })

  it('keep our part beside where it was edited, each time under another name', async () => {
    const { dir, write } = await written('memory-writer')
    const edit = (name: string, from: string, to: string) =>
      writeFileSync(join(dir, 'skills/cortex', name), text(dir, name).replace(from, to))
    edit('QUERIES.md', '# Queries', '# Queries, mended')
    edit('cortex-search.sh', 'set -eu', 'set -eux')
    const first = text(dir, 'QUERIES.md')
    const { skills } = await write()
    expect(skills[0]?.files.filter(({ status }) => status === 'kept').map(({ kept_as }) => kept_as)).toEqual([
      'QUERIES.kept.md',
      'cortex-search.kept.sh',
    ])
    expect(text(dir, 'QUERIES.kept.md')).toBe(first)
    expect(text(dir, 'QUERIES.md')).not.toContain('mended')
    expect(text(dir, 'cortex-search.sh')).toBe(searchScript(PLACE))
    edit('QUERIES.md', '# Queries', '# Queries, mended again')
    await write()
    expect(text(dir, 'QUERIES.kept-2.md')).toContain('mended again')
    expect(text(dir, 'QUERIES.kept.md')).toBe(first)
  })

  it('of another role lose the script of the writer, and what is not ours is never taken', async () => {
    const { dir, write } = await written('memory-writer')
    expect((await write({ role: 'memory-reader' })).skills[0]?.files.at(-1)).toMatchObject({ status: 'removed', kept_as: null })
    expect(existsSync(join(dir, 'skills/cortex/cortex-write.sh'))).toBe(false)
    const other = tempFolder()
    mkdirSync(join(other, 'skills/cortex'), { recursive: true })
    writeFileSync(join(other, 'skills/cortex/cortex-write.sh'), 'echo mine\n')
    writeFileSync(join(other, 'skills/cortex/SCHEMA.md'), '# Mine\n')
    const { report } = await written('memory-reader', other)
    expect(text(other, 'cortex-write.sh')).toBe('echo mine\n')
    expect(text(other, 'SCHEMA.kept.md')).toBe('# Mine\n')
    expect(report.skills[0]?.files.find(({ path }) => path.endsWith('SCHEMA.md'))).toMatchObject({ status: 'kept' })
    rmSync(join(other, 'skills/cortex/DB_PATH'))
    symlinkSync(join(dir, 'elsewhere'), join(other, 'skills/cortex/DB_PATH'))
    await expect(written('memory-reader', other)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })
})

describe('the schema', () => {
  it('describes every table and view that the database shows, and no other', async () => {
    const store = await tempStore()
    const made = await schemaMd(store)
    expect(made).not.toContain('Not described yet')
    const shown = (await store.tables()).map(({ name }) => name)
    expect(Object.keys({ ...TABLE_NOTES, ...INNER_NOTES }).filter((name) => !shown.includes(name))).toEqual([])
    expect(made).toMatch(/## relationships\n[\s\S]*?- `trust` text/)
    expect(made).toMatch(/- `timestamp` integer/)
  })
})

const run = promisify(execFile)

describe('over a memory', () => {
  const home = binaryHome()
  const root = mkdtempSync(join(tmpdir(), 'mnemonic it\'s "a" $HOME-'))
  const json = async (...argv: string[]) => JSON.parse((await home.runHere(...argv, '--json')).stdout)
  beforeAll(async () => {
    await home.runHere('remember', 'orders-db listens on port 5433', '--about', 'orders-db', '--yes')
    // The built program: the scripts call it.
    expect((await home.run('skills', 'write', root)).code).toBe(0)
  })
  afterAll(() => {
    home.remove()
    rmSync(root, { recursive: true, force: true })
  })

  it.each(QUERIES.flatMap(({ queries }) => queries.map(({ asks, sql }) => [asks, sql])))('%s', async (_, sql) => {
    expect(readFileSync(join(root, 'memory-reader/skills/cortex/QUERIES.md'), 'utf8')).toContain(sql)
    const { code, stderr } = await home.runHere('sql', sql)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  it.each([['sh'], ['dash'], ['busybox sh']])('the scripts work in %s, whatever is in names and texts', async (shell) => {
    const [program = 'sh', ...args] = shell.split(' ')
    const isThere = await run(program, [...args, '-c', 'exit 0']).then(
      () => true,
      () => false,
    )
    if (!isThere) {
      process.stdout.write(`skills: ${shell} is not installed here; its part is not tested\n`)
      return
    }
    const script = (name: string, ...rest: string[]) =>
      run(program, [...args, join(root, 'memory-writer/skills/cortex', name), ...rest], {
        env: { PATH: process.env.PATH, HOME: home.env.HOME, TZ: 'UTC' },
      })
    expect((await script('cortex-search.sh', `"port" 'of' $(id) orders-db`, '-n', '3')).stdout).toContain('5433')
    const odd = `-it's "$(id)" \`x\` ${shell}`
    await script('cortex-write.sh', 'observation', odd, `--yes '${odd}'`)
    await script('cortex-write.sh', 'alias', odd, 'email', 'SARAH@Example.COM')
    const { remembered } = await json('remember', '--list', '--proposed')
    expect(remembered.slice(0, 2)).toMatchObject([
      { about: { name: odd }, alias: { type: 'email', value: 'sarah@example.com' }, trust: 'agent', status: 'proposed' },
      { about: { name: odd }, text: `--yes '${odd}'`, trust: 'agent', status: 'proposed' },
    ])
    await script('cortex-write.sh', 'undo', remembered[0].id)
    expect((await json('remember', '--list', '--proposed')).remembered[0].id).toBe(remembered[1].id)
    await expect(script('cortex-write.sh', 'delete', 'x')).rejects.toMatchObject({ code: 2 })
    await expect(script('cortex-search.sh')).rejects.toMatchObject({ code: 2 })
  })

  it('call the installed program by its whole path where it is not on the PATH', () => {
    expect(readFileSync(join(root, 'memory-reader/skills/cortex/cortex-search.sh'), 'utf8')).toContain(quoted(process.execPath))
    expect(writeScript({ ...PLACE, program: [BINARY] })).toContain(`exec ${quoted(BINARY)} --home '/home/ada/it'\\''s'`)
  })
})
