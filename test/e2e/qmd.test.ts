/** `export qmd` of the real binary: its JSON, its exit codes, and that a sync can do it too. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { binaryHome, SAMPLES } from '../helpers/run-binary.ts'

const home = binaryHome()
beforeAll(async () => void (await home.runHere('sync', '--path', SAMPLES, '--no-embed')))
afterAll(() => home.remove())

const documents = (dir: string) => readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))

it('writes one file a document, and nothing the second time', async () => {
  const dir = join(home.root, 'exported')
  const first = await home.runHere('export', 'qmd', '--dir', dir, '--json')
  expect(first.code).toBe(0)
  const report = JSON.parse(first.stdout) as Record<string, unknown>
  expect(Object.keys(report).sort()).toEqual(['dir', 'duration_ms', 'removed', 'unchanged', 'warnings', 'written'])
  const indexed = await home.runHere('sql', "select count(*) from files where source = 'sessions'", '--json')
  expect([[report.written]]).toEqual((JSON.parse(indexed.stdout) as { rows: unknown[][] }).rows)
  expect(documents(dir)).toHaveLength(Number(report.written))
  const second = await home.runHere('export', 'qmd', '--dir', dir)
  expect(second.stdout).toMatch(/^0 files written, \d+ unchanged, 0 removed/)
})

it('a sync exports where the configuration says so', async () => {
  mkdirSync(join(home.root, 'home'), { recursive: true })
  writeFileSync(join(home.root, 'home', 'config.yaml'), 'qmd:\n  enabled: true\n', { mode: 0o600 })
  expect((await home.runHere('sync', '--no-embed')).code).toBe(0)
  expect(documents(join(home.root, 'home', 'qmd')).length).toBeGreaterThan(0)
})

it('a folder that cannot be made is an error that says so', async () => {
  const file = join(home.root, 'a-file')
  writeFileSync(file, '')
  const { code, stderr } = await home.runHere('export', 'qmd', '--dir', join(file, 'below'), '--json')
  expect(code).toBe(1)
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'STORAGE_ERROR', hint: expect.stringContaining('--dir') } })
})
