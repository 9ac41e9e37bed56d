/** What a harness will delete, what of it is not imported, and whether a sync runs by itself: `sources`, `doctor`, `init`. */
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { claudeLog } from '../helpers/claude-log.ts'
import { cli } from '../helpers/cli.ts'
import { type TestHome, testHome } from '../helpers/home.ts'

const DAY = 86_400_000

/** A machine with Claude Code, Codex and Gemini CLI, and nothing else: no timer can be installed there. */
function machine(home: TestHome, cleanupPeriodDays?: number): NodeJS.ProcessEnv {
  const claude = join(home.root, '.claude')
  mkdirSync(join(claude, 'projects'), { recursive: true })
  if (cleanupPeriodDays !== undefined) writeFileSync(join(claude, 'settings.json'), JSON.stringify({ cleanupPeriodDays }))
  mkdirSync(join(home.root, '.codex', 'sessions'), { recursive: true })
  mkdirSync(join(home.root, '.gemini', 'tmp'), { recursive: true })
  writeFileSync(join(home.root, '.gemini', 'settings.json'), '{ "general": { "sessionRetention": { "maxAge": "2w" } } } // mine')
  const own = { HOME: home.root, MNEMONIC_HOME: join(home.root, 'home'), MNEMONIC_WORKSPACE: join(home.root, 'workspace') }
  return { ...own, PATH: join(home.root, 'bin'), CLAUDE_CONFIG_DIR: '', CODEX_HOME: '', GEMINI_CLI_HOME: '' }
}

function logOf(home: TestHome, session: string, days: number): void {
  const log = claudeLog(join(home.root, '.claude', 'projects'), session)
  log.turn('Which port does the harbor use?', 'Port 7443.')
  const at = new Date(Date.now() - days * DAY)
  utimesSync(log.path, at, at)
}

interface Source {
  readonly name: string
  readonly waiting: number
  readonly oldest_waiting: string | null
  readonly retention: { readonly days: number | null; readonly setting: string | null; readonly path: string | null } | null
}

async function sources(env: NodeJS.ProcessEnv): Promise<Map<string, Source>> {
  const { stdout } = await cli(['sources', '--json'], { env })
  return new Map((JSON.parse(stdout) as { sources: Source[] }).sources.map((source) => [source.name, source]))
}

it('says what Claude Code deletes by its default, what of that is not imported, and how long it is still there', async () => {
  const home = testHome()
  const env = machine(home)
  logOf(home, 'a1b2c3d4-0000-4000-8000-000000000001', 27)
  logOf(home, 'b1b2c3d4-0000-4000-8000-000000000002', 2)
  const found = await sources(env)
  expect(found.get('claude-code')).toMatchObject({ waiting: 2, retention: { days: 30, setting: 'cleanupPeriodDays', path: null } })
  expect(Date.now() - Date.parse(found.get('claude-code')?.oldest_waiting ?? '')).toBeGreaterThan(26 * DAY)
  expect(found.get('codex')).toMatchObject({ oldest_waiting: null, retention: { days: null, setting: null } })
  expect(found.get('gemini-cli')?.retention).toMatchObject({ days: 14, path: join(home.root, '.gemini', 'settings.json') })
  for (const command of ['sources', 'doctor', 'init']) {
    const { stdout } = await cli([command], { env })
    const said = stdout.replace(/\s+/g, ' ')
    expect([command, said]).toEqual([command, expect.stringContaining('it deletes logs after 30 days (cleanupPeriodDays, its default)')])
    expect([command, said]).toEqual([
      command,
      expect.stringContaining('2 files not imported, the oldest 27 days old; it is deleted in 3 days'),
    ])
  }
  await cli(['sync', '--no-embed'], { env })
  expect((await sources(env)).get('claude-code')).toMatchObject({ waiting: 0, oldest_waiting: null })
  expect((await cli(['sources'], { env })).stdout).not.toContain('not imported')
}, 60_000)

it('a setting of the person counts, and what is older than it goes at the next start', async () => {
  const home = testHome()
  const env = machine(home, 7)
  logOf(home, 'a1b2c3d4-0000-4000-8000-000000000001', 9)
  const settings = join(home.root, '.claude', 'settings.json')
  expect((await sources(env)).get('claude-code')?.retention).toEqual({ days: 7, setting: 'cleanupPeriodDays', path: settings })
  expect((await cli(['sources'], { env })).stdout).toContain('1 file not imported, 9 days old: it is deleted at the next start')
  // Settings that nobody can read are those of nobody.
  writeFileSync(settings, '{ "cleanupPeriodDays": "soon"')
  expect((await sources(env)).get('claude-code')?.retention).toMatchObject({ days: 30, path: null })
})

it('doctor, init and sources say whether the timer runs, and a timer that is installed and stopped is a fault', async () => {
  const home = testHome()
  const env = machine(home)
  const timerIn = async () => {
    const { stdout } = await cli(['doctor', '--json'], { env })
    return (JSON.parse(stdout) as { checks: { name: string; ok: boolean; found: string; hint?: string }[] }).checks.find(
      ({ name }) => name === 'timer',
    )
  }
  expect(await timerIn()).toMatchObject({ ok: true, hint: expect.stringContaining('mnemonic install timer') })
  const plan = async () =>
    (JSON.parse((await cli(['init', '--json'], { env })).stdout) as { plan: { timer: { installed: boolean; running: boolean | null } } })
      .plan.timer
  const listed = async () => (await cli(['sources'], { env })).stdout
  expect(await plan()).toEqual({ installed: false, running: null, last_sync: null })
  expect(await listed()).toContain('Sync every hour: off; mnemonic install timer')
  if (process.platform !== 'linux') return
  const bin = join(home.root, 'bin')
  mkdirSync(bin, { recursive: true })
  const systemctl = (active: number) =>
    writeFileSync(join(bin, 'systemctl'), `#!/bin/sh\ncase "$*" in *is-active*) exit ${active};; esac\nexit 0\n`, { mode: 0o755 })
  systemctl(0)
  expect((await cli(['install', 'timer'], { env: { ...env, XDG_CONFIG_HOME: '' } })).code).toBe(0)
  expect(await timerIn()).toMatchObject({ ok: true, found: expect.stringContaining('every hour') })
  expect(await plan()).toMatchObject({ installed: true, running: true })
  expect(await listed()).toContain('Sync every hour: on')
  systemctl(3)
  expect(await timerIn()).toMatchObject({ ok: false, found: expect.stringContaining('not running') })
  expect(await listed()).toContain('Sync every hour: installed, and not running')
}, 60_000)
