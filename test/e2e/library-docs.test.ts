/** The examples of docs/library.md and README.md: each compiles against the published types, and runs over a home with sample sessions. */
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ended, SAMPLES } from '../helpers/run-binary.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** What each example prints, in the order of the page. */
const PRINTED: readonly RegExp[] = [
  /mnemonic\.db$/m,
  /^[1-9]\d* files read, 0 not understood$/m,
  /^20\d\d-.* sessions\/.*(?:lexical|words)/s,
  /^f3ce9c3b:\d+ Job queue: SQLite instead of Redis \+\d+ more$/m,
  /^[0-9a-f]{8}:\d+ Bash: .*^\S+\.md was written in [0-9a-f]{8}:\d+, last at 20.*^\d+ of \d+$/ms,
  /^3 hits.*<mnemonic-memory v="1">\n1\. f3ce9c3b:\d+.*^More of one: read f3ce9c3b:.*^f3ce9c3b:\d+ 20/ms,
  /turns\n.*claude-code/s,
  /^[1-5] of [1-9]\d*\nWhere jobs are stored owner\na page of [1-9]\d* turns\n.*claude --resume [0-9a-f]{8}-/m,
  /^\d analyses have something to do\n[1-9]\d* runs .*\(\d+ before it\)\n.*^dossiers\/topic-\S+\.md$/ms,
  /message: \d+/,
  /^\d+ chunks embedded by sha256$/m,
  /^1 imported\n.*The heron sleeps at the mill\./s,
  /no-such-session/,
]

function examples(page: string): string[] {
  const text = readFileSync(join(ROOT, page), 'utf8')
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)
}

const dir = mkdtempSync(join(tmpdir(), 'mnemonic-library-docs-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const all = [
  ...examples('docs/library.md').map((code, i) => ({ name: `library-${i + 1}`, code })),
  ...examples('README.md').map((code, i) => ({ name: `readme-${i + 1}`, code })),
] // prettier-ignore

beforeAll(() => {
  mkdirSync(join(dir, 'node_modules'))
  symlinkSync(ROOT, join(dir, 'node_modules', 'agent-mnemonic'))
  symlinkSync(join(ROOT, 'node_modules', '@types'), join(dir, 'node_modules', '@types'))
  writeFileSync(join(dir, 'package.json'), '{ "type": "module" }')
  for (const { name, code } of all) writeFileSync(join(dir, `${name}.ts`), code)
  const compilerOptions = {
    ...{ target: 'es2023', module: 'nodenext', strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
    ...{ lib: ['es2023', 'esnext.disposable'], types: ['node'], skipLibCheck: true },
  }
  writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  mkdirSync(join(dir, '.claude'))
  cpSync(join(SAMPLES, 'claude-code'), join(dir, '.claude', 'projects'), { recursive: true })
  cpSync(join(SAMPLES, 'jsonl'), join(dir, '.agents', 'sessions'), { recursive: true })
  mkdirSync(join(dir, 'chats'))
  const line = (from: string, text: string, at: number) => `${JSON.stringify({ from, text, at })}\n`
  const at = Date.UTC(2026, 2, 1)
  writeFileSync(
    join(dir, 'chats', 'one.chat'),
    line('me', 'Where does the heron sleep?', at) + line('bot', 'The heron sleeps at the mill.', at + 1000),
  )
  try {
    execFileSync(join(ROOT, 'node_modules', '.bin', 'tsc'), ['-p', dir], { stdio: 'pipe' })
  } catch (error) {
    throw new Error(String((error as { stdout: Buffer }).stdout))
  }
})

describe('the examples', () => {
  it('are as many as are checked here', () => {
    expect(examples('docs/library.md')).toHaveLength(PRINTED.length)
    expect(examples('README.md').length).toBeGreaterThan(0)
  })

  it.each(all)('$name', async ({ name }) => {
    const env = { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, HOME: dir, TZ: 'UTC' }
    const { code, stdout, stderr } = await ended(spawn(process.execPath, [join(dir, `${name}.js`)], { cwd: dir, env }))
    expect(code, stderr).toBe(0)
    const [kind, number] = name.split('-')
    expect(stdout).toMatch(kind === 'library' ? (PRINTED[Number(number) - 1] as RegExp) : /./)
  })
})
