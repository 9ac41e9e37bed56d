/** Real processes, really killed: whatever the moment, the next run completes, and nothing is lost or there twice. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canonicalDump } from '../helpers/canonical-dump.ts'
import { cli, cliJson } from '../helpers/cli.ts'
import { generateClaude, random } from '../helpers/generate-claude.ts'

const LONG = process.env.MNEMONIC_CRASH === 'long'
const KILLS = LONG ? 50 : 5
const SEED = Number(process.env.MNEMONIC_CRASH_SEED ?? 7)

const root = mkdtempSync(join(tmpdir(), 'mnemonic-crash-'))
const logs = join(root, 'claude', 'projects')
const env = (home: string) => ({
  MNEMONIC_HOME: join(root, home),
  MNEMONIC_WORKSPACE: join(root, `${home}-ws`),
  CLAUDE_CONFIG_DIR: join(root, 'claude'),
})

let undisturbed: ReturnType<typeof canonicalDump>
let duration = 0

beforeAll(async () => {
  await generateClaude({ folder: logs, bytes: LONG ? 24e6 : 8e6, seed: 3, sessionBytes: 600_000 })
  const started = performance.now()
  await cliJson(['sync', '--no-embed'], { env: env('calm') })
  duration = performance.now() - started
  undisturbed = canonicalDump(join(root, 'calm', 'mnemonic.db'))
}, 120_000)

afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Starts a sync and kills it after `delay`; true when the kill came before the end. */
async function killedSync(home: string, delay: number): Promise<boolean> {
  const run = await cli(['sync', '--no-embed', '--json'], {
    env: env(home),
    started: async (child) => {
      await sleep(delay)
      child.kill('SIGKILL')
    },
  })
  if (run.signal === null) expect(run.code, run.stderr).toBe(0)
  return run.signal === 'SIGKILL'
}

describe('kill -9', () => {
  it(`${KILLS} times during sync, then a run to the end: the memory of an undisturbed run`, { timeout: 1_800_000 }, async () => {
    expect(undisturbed.agent_messages?.rows).toBeGreaterThan(1000)
    expect(undisturbed.chunks?.rows).toBeGreaterThan(300)
    const rand = random(SEED)
    const homes = ['storm-0']
    for (let kills = 0; kills < KILLS; ) {
      const home = homes.at(-1) as string
      if (await killedSync(home, 80 + rand() * duration)) kills += 1
      else homes.push(`storm-${homes.length}`) // this one is through: the next kills hit a fresh home
    }
    for (const home of homes) {
      const last = await cli(['sync', '--no-embed', '--json'], { env: env(home) })
      expect(last.code, last.stderr).toBe(0)
      expect(canonicalDump(join(root, home, 'mnemonic.db')), home).toEqual(undisturbed)
      expect((await cli(['health', '--json'], { env: env(home) })).code).toBe(0)
    }
  })
})

describe('many at once', () => {
  it('two syncs and ten searches: every one succeeds, and the memory is that of one sync', { timeout: 120_000 }, async () => {
    const shared = { env: env('crowd') }
    const runs = [cli(['sync', '--no-embed', '--json'], shared), cli(['sync', '--no-embed', '--json'], shared)]
    for (let i = 0; i < 10; i += 1) {
      await sleep(duration / 20)
      runs.push(cli(['search', 'parser cache migration', '--json'], shared))
    }
    for (const run of await Promise.all(runs)) {
      expect(run.code, run.stderr).toBe(0)
      expect(run.stderr).not.toMatch(/BUSY|locked/i)
    }
    expect(canonicalDump(join(root, 'crowd', 'mnemonic.db'))).toEqual(undisturbed)
  })
})
