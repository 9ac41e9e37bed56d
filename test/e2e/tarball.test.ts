/** What people install is the packed tarball, in a folder that has none of our settings. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'

const project = fileURLToPath(new URL('../../', import.meta.url))
const root = mkdtempSync(join(tmpdir(), 'mnemonic-tarball-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const run = (command: string, args: string[], cwd: string, input = '') =>
  execFileSync(command, args, {
    cwd,
    input,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'pipe'],
    // No script of a package runs: the native module was compiled for the project already, and compiling it again takes longer than all the rest.
    env: {
      ...process.env,
      MNEMONIC_HOME: join(root, 'home'),
      MNEMONIC_WORKSPACE: join(root, 'workspace'),
      npm_config_ignore_scripts: 'true',
      npm_config_prefer_offline: 'true',
    },
  })

it('npm pack, npm install elsewhere, then --version, a sync, a search and a hook', { timeout: 300_000 }, () => {
  // dist/ was built before the tests; packing it again would race with tests that run from it.
  run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', root], project)
  const tarball = readdirSync(root).find((name) => name.endsWith('.tgz')) as string
  const listed = execFileSync('tar', ['-tzf', join(root, tarball)], { encoding: 'utf8' })
  expect(listed).toContain('package/dist/store/sqlite/migrations/001_ledgers.sql')
  expect(listed).toContain('package/dist/bundle/answer-hook.cjs')
  expect(listed).not.toMatch(/\.test\.|package\/src\/|package\/test\//)

  const folder = join(root, 'app')
  execFileSync('mkdir', ['-p', join(folder, 'logs')])
  writeFileSync(join(folder, 'package.json'), '{ "name": "app", "private": true }')
  run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', join(root, tarball)], folder)
  const compiled = join('node_modules', 'better-sqlite3', 'build')
  cpSync(join(project, compiled), join(folder, compiled), { recursive: true })
  const bin = join(folder, 'node_modules', '.bin', 'mnemonic')
  const { version } = JSON.parse(run('node', ['-p', 'JSON.stringify(require("agent-mnemonic/package.json"))'], folder)) as {
    version: string
  }
  expect(run(bin, ['--version'], folder).trim()).toBe(version)
  writeFileSync(join(folder, 'logs', 'chat.jsonl'), '{"role":"user","content":"an ocelot question","timestamp":"2026-02-05T10:30:00Z"}\n')
  const report = JSON.parse(run(bin, ['sync', '--path', join(folder, 'logs'), '--json'], folder)) as { totals: { imported: number } }
  expect(report.totals.imported).toBe(1)
  expect(run(bin, ['search', 'ocelot', '--json'], folder)).toContain('an ocelot question')

  // Nothing that only the project needs is there: what answers hooks was put together before.
  expect(readdirSync(join(folder, 'node_modules'))).not.toContain('rolldown')
  const patient = 'agents:\n  defaults:\n    memory:\n      read:\n        budget_ms: 30000\n'
  writeFileSync(join(root, 'home', 'config.yaml'), patient, { mode: 0o600 })
  const payload = JSON.stringify({ session_id: 's1', cwd: folder, prompt: 'what was the ocelot question?' })
  expect(run(bin, ['hook', 'claude-code', 'UserPromptSubmit'], folder, payload)).toContain('an ocelot question')
})

it.each(['global', 'dependency'])(
  'where npm dropped onnxruntime-node of a %s install, doctor prints a command that brings it',
  { timeout: 300_000 },
  (how) => {
    const folder = join(root, how === 'global' ? 'prefix' : 'app')
    if (how === 'global') {
      mkdirSync(folder)
      const tarball = readdirSync(root).find((name) => name.endsWith('.tgz')) as string
      run('npm', ['install', '-g', '--prefix', folder, join(root, tarball)], root)
    }
    const modules = how === 'global' ? join(folder, 'lib', 'node_modules', 'agent-mnemonic', 'node_modules') : join(folder, 'node_modules')
    const compile = () =>
      cpSync(join(project, 'node_modules', 'better-sqlite3', 'build'), join(modules, 'better-sqlite3', 'build'), { recursive: true })
    compile()
    rmSync(join(modules, 'onnxruntime-node'), { recursive: true })
    const bin = how === 'global' ? join(folder, 'bin', 'mnemonic') : join(modules, '.bin', 'mnemonic')
    const embedding = () => {
      const { checks } = JSON.parse(run(bin, ['doctor', '--json'], folder)) as {
        checks: { name: string; found: string; hint?: string }[]
      }
      return checks.find(({ name }) => name === 'embedding')
    }
    const slow = embedding()
    expect(slow?.found).toContain('on WASM')
    const [command = ''] = /ONNXRUNTIME_NODE_INSTALL=skip npm install .*onnxruntime-node@[\d.]+\d/.exec(slow?.hint ?? '') ?? []
    run('sh', ['-c', command], root)
    expect(existsSync(join(modules, 'onnxruntime-node'))).toBe(true)
    expect(existsSync(join(modules, 'vitest'))).toBe(false)
    compile()
    expect(embedding()).toMatchObject({ found: expect.stringContaining('on onnxruntime-node') })
    expect(embedding()?.hint).toBeUndefined()
  },
)
