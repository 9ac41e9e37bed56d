/** What people install is the packed tarball, in a folder that has none of our settings. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'

const project = fileURLToPath(new URL('../../', import.meta.url))
const root = mkdtempSync(join(tmpdir(), 'mnemonic-tarball-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

it('npm pack, npm install elsewhere, then --version, a sync, a search and a hook', { timeout: 300_000 }, () => {
  const run = (command: string, args: string[], cwd: string, input = '') =>
    execFileSync(command, args, {
      cwd,
      input,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, MNEMONIC_HOME: join(root, 'home'), MNEMONIC_WORKSPACE: join(root, 'workspace') },
    })
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
  // The native module was compiled for the project already: compiling it again takes longer than all the rest.
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
