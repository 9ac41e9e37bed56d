/** Forgetting with the real binary: asked for, killed in the middle, resumed; and never a word of the text in what it prints. */
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ForgetReport } from '../../src/forget/forget.ts'
import { leftOver } from '../helpers/canaries.ts'
import { type BinaryHome, binaryHome, type Ended, ended } from '../helpers/run-binary.ts'
import { claudeCodeSource } from '../helpers/sources/claude-code.ts'

const SECRET = 'Heliotrope-4711'
const PROCESS = fileURLToPath(new URL('../helpers/forget-process.mjs', import.meta.url))
const homes: BinaryHome[] = []

afterAll(() => {
  for (const home of homes) home.remove()
})

type World = BinaryHome & { roots: string[] }

/** Three sessions, imported and published; made once, and copied for every test. */
async function template(): Promise<BinaryHome> {
  const home = binaryHome()
  const projects = join(home.root, 'claude', 'projects')
  mkdirSync(projects, { recursive: true })
  const at = Date.UTC(2026, 2, 1, 9)
  for (const name of ['one', 'two', 'three']) {
    claudeCodeSource.write(projects, name, [
      { prompt: `How is the ${name} boat built?`, answer: `The ${name} boat is built of oak.`, at },
      { prompt: `And ${SECRET} of ${name}?`, answer: `Nobody speaks of ${SECRET.toUpperCase()} here.`, at: at + 60_000 },
    ])
  }
  await expectCode(home.runHere('sync', '--no-embed'), 0)
  await expectCode(home.runHere('memory', 'publish', '--ended'), 0)
  return home
}

let made: BinaryHome

beforeAll(async () => {
  made = await template()
  homes.push(made)
})

function world(): World {
  const home = binaryHome()
  homes.push(home)
  cpSync(made.root, home.root, { recursive: true })
  return { ...home, roots: [join(home.root, 'home'), join(home.root, 'workspace')] }
}

async function expectCode(run: Promise<Ended>, code: number): Promise<Ended> {
  const end = await run
  expect(end.code, end.stderr).toBe(code)
  expect((end.stdout + end.stderr).toLowerCase()).not.toContain(SECRET.toLowerCase())
  return end
}

async function expectGone(home: World): Promise<void> {
  expect(leftOver(home.roots, [SECRET, SECRET.toUpperCase()])).toEqual([])
  const { stdout } = await home.runHere(
    'sql',
    "select count(*) from chunks where source = 'sessions' and said_assistant like '%built of oak%'",
    '--json',
  )
  expect(JSON.parse(stdout)).toMatchObject({ rows: [[3]] })
}

describe('mnemonic forget', () => {
  let home: World
  beforeAll(() => {
    home = world()
  })

  it('without a terminal and without --yes is a usage error, and so are two selectors', async () => {
    await expectCode(home.runHere('forget', '--match', SECRET), 2)
    await expectCode(home.runHere('forget', '--match', SECRET, '--session', 'x', '--yes'), 2)
    await expectCode(home.runHere('forget', '--yes'), 2)
    expect(leftOver(home.roots, [SECRET])).not.toEqual([])
  })

  it('says what would go, then does it and leaves a receipt', async () => {
    // The plan alone shows what goes, words included; everything from here on is silent about them.
    const plan = await home.runHere('forget', '--match', SECRET, '--dry-run', '--json')
    expect(JSON.parse(plan.stdout)).toMatchObject({ dry_run: true, would_remove: { message: 6 } })
    const shown = await home.runHere('forget', '--match', SECRET, '--dry-run')
    expect([plan.code, shown.code]).toEqual([0, 0])
    expect(shown.stdout).toMatch(/2026.* · message · in “How is the one boat built\?”\n {4}And .* of one\?/)
    const done = await expectCode(home.run('forget', '--match', SECRET, '--yes', '--json'), 0)
    const report = JSON.parse(done.stdout) as ForgetReport
    expect(report).toMatchObject({ status: 'gone', removed: { message: 6 }, still_held: [] })
    expect(report.removed_paths.length).toBeGreaterThan(0)
    expect(JSON.parse(readFileSync(report.receipt_path, 'utf8'))).toMatchObject({ id: report.id, status: 'gone' })
    await expectGone(home)
    const published = readdirSync(join(home.root, 'workspace', 'memory')).filter((name) => name.endsWith('--transcript.md'))
    expect(published).toHaveLength(3)
    await expectCode(home.runHere('sync', '--no-embed'), 0)
    await expectCode(home.runHere('memory', 'verify'), 0)
    await expectGone(home)
  })
})

describe('kill -9', () => {
  it.each([
    ['removal', ['sync', '--no-embed']],
    ['artifacts', ['forget', '--resume']],
    ['erase', ['search', 'oak']],
  ])('before the step %s, then %j: nothing is left, and a second forgetting proves it', async (step, next) => {
    const home = world()
    const killed = await ended(spawn(process.execPath, [PROCESS, SECRET, step], { env: home.env }))
    expect(killed.signal, killed.stderr).toBe('SIGKILL')
    const health = await home.runHere('health', '--json')
    expect(JSON.parse(health.stdout)).toMatchObject({
      checks: expect.arrayContaining([expect.objectContaining({ name: 'forgetting', status: 'DEGRADED' })]),
    })
    await expectCode(home.runHere(...next), 0)
    await expectGone(home)
    const proof = await expectCode(home.runHere('forget', '--match', SECRET, '--yes', '--json'), 0)
    expect(JSON.parse(proof.stdout)).toMatchObject({ status: 'gone', removed: {} })
  })

  it('before anything is removed, and the database lost on top of it: the tombstones of the workspace keep the promise', async () => {
    const home = world()
    const killed = await ended(spawn(process.execPath, [PROCESS, SECRET, 'removal'], { env: home.env }))
    expect(killed.signal, killed.stderr).toBe('SIGKILL')
    rmSync(join(home.root, 'home'), { recursive: true })
    expect(leftOver(home.roots, [SECRET])).not.toEqual([])
    await expectCode(home.runHere('sync', '--no-embed'), 0)
    await expectGone(home)
  })

  it('at any moment: what was begun is ended by the next sync', async () => {
    for (const delay of [250, 450]) {
      const home = world()
      const child = home.start('forget', '--match', SECRET, '--yes')
      const end = ended(child)
      await sleep(delay)
      child.kill('SIGKILL')
      await end
      const begun = existsSync(join(home.root, 'workspace', 'memory', 'tombstones.jsonl'))
      await expectCode(home.runHere('sync', '--no-embed'), 0)
      if (!begun) continue // it was killed before it said anything to anybody
      await expectGone(home)
    }
  })
})
