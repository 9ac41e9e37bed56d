/** A command lives for one call: what it loads is what it costs. Which modules, not how long. */
import { spawn } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { WORKER_LEASE } from '../../src/roles/writer/start-worker.ts'
import { withLease } from '../../src/store/lease.ts'
import { openSqlite } from '../../src/store/sqlite/open.ts'
import { BINARY, type BinaryHome, binaryHome, type Ended, ended, SAMPLES } from '../helpers/run-binary.ts'

vi.setConfig({ testTimeout: 60_000 })

const LIBRARY = new URL('../../dist/library/index.js', import.meta.url).href
const HOOK = fileURLToPath(new URL('../helpers/loaded-modules.mjs', import.meta.url))

/** With the samples in it; what is loaded depends on what is there. */
const filled = binaryHome()
beforeAll(async () => void (await filled.runHere('sync', '--no-embed', '--path', SAMPLES)))
afterAll(() => filled.remove())

let home: BinaryHome
beforeEach(() => {
  home = binaryHome()
})
afterEach(() => home.remove())

/** The same in the home of a test, which may change it. */
function fill(): void {
  cpSync(join(filled.root, 'home'), join(home.root, 'home'), { recursive: true })
}

/** The packages, and our own files by their path in dist/. */
async function loaded(...argv: string[]): Promise<Set<string>> {
  return modulesOf(await home.runWith({ NODE_OPTIONS: `--import ${HOOK}` }, ...argv))
}

function modulesOf({ code, stderr }: Ended): Set<string> {
  expect(code, stderr).toBe(0)
  const modules = [...stderr.matchAll(/^LOADED (.*)$/gm)].map(([, url = '']) => url)
  return new Set(modules.map((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? url.replace(/.*\/dist\//, '')))
}

/** One call of the library in a process of its own; `code` has the open memory as `memory`. */
async function loadedBy(code: string): Promise<Set<string>> {
  const script = `import { openMnemonic } from ${JSON.stringify(LIBRARY)}
const memory = await openMnemonic()
${code}
await memory.close()`
  const argv = ['--import', HOOK, '--input-type=module', '--eval', script]
  return modulesOf(await ended(spawn(process.execPath, argv, { env: home.env })))
}

const own = (modules: ReadonlySet<string>) => [...modules].filter((path) => path.endsWith('.js') && path.includes('/'))

/** What no reader needs. The reader of published files is a part of the artifacts' format. */
const WRITERS = /^(?:ingest\/capture|ingest\/sync|index\/indexer|jobs|forget|operations|artifacts\/(?!format\/))/

describe('what is loaded', () => {
  it('for a search: no schema, no parser, no query builder, no capture, no SDK', async () => {
    fill()
    const modules = await loaded('search', 'sqlite', '--limit', '1')
    expect(modules).toContain('search/search.js')
    expect(modules).toContain('better-sqlite3')
    for (const heavy of ['zod', 'yaml', 'kysely', 'picomatch', 'ai', '@modelcontextprotocol/server', 'onnxruntime-node', 'yauzl'])
      expect(modules).not.toContain(heavy)
    expect([...modules].filter((path) => WRITERS.test(path) || /^(?:ingest|artifacts)/.test(path))).toEqual([])
    expect(
      [...modules].filter((path) => /deeds|store\/sqlite\/work|near-words|agent-text\.js|prefer-project|core\/tokens/.test(path)),
    ).toEqual([])
    expect([...modules].filter((path) => /sign-bits|nearest-of-many|vectors.waiting/.test(path))).toEqual([])
    expect(own(modules).length).toBeLessThan(152)
  })

  it('for a search that finds too little in what was said: tool work too, and still no query builder', async () => {
    fill()
    const modules = await loaded('search', 'sqlite')
    expect(modules).toContain('search/work/find.js')
    // Which discussion the first hits belong to is asked in every search.
    expect(modules).toContain('analyze/discussions/links.js')
    for (const heavy of ['zod', 'yaml', 'kysely', 'picomatch']) expect(modules).not.toContain(heavy)
    expect(own(modules).length).toBeLessThan(175)
  })

  it('for reading: no adapter, no job, nothing of forgetting, of artifacts only how they are read', async () => {
    fill()
    const found = await home.runHere('search', 'sqlite', '--json')
    const [{ turn_id: turn, path }] = (JSON.parse(found.stdout) as { results: [{ turn_id: string; path: string }] }).results
    const calls: Record<string, Promise<Set<string>>> = {
      show: loaded('show', turn),
      sessions: loaded('sessions'),
      memoryGet: loadedBy(`await memory.memoryGet({ path: ${JSON.stringify(path)} })`),
      sessionSearch: loadedBy(`await memory.sessionSearch({ query: 'sqlite' })`),
      memorySearch: loadedBy(`await memory.memorySearch({ query: 'sqlite' })`),
    }
    for (const [call, modules] of Object.entries(calls)) {
      expect(
        own(await modules).filter((name) => WRITERS.test(name)),
        call,
      ).toEqual([])
      expect(own(await modules).length, call).toBeLessThan(174)
      for (const heavy of ['ai', '@modelcontextprotocol/server', 'onnxruntime-node', 'yauzl'])
        expect(await modules, call).not.toContain(heavy)
    }
  })

  it('for a search where something was forgotten: only the check that it is removed', async () => {
    fill()
    expect((await home.runHere('forget', '--match', 'posting frequency', '--yes')).code).toBe(0)
    const modules = await loaded('search', 'sqlite')
    expect(own(modules).filter((path) => WRITERS.test(path))).toEqual([])
  })

  it('for a hook that its gate stops: neither database nor model, neither commands nor configuration', async () => {
    const hook = spawn(process.execPath, ['--import', HOOK, BINARY, 'hook', 'claude-code', 'prompt'], { env: home.env })
    hook.stdin.write('{"prompt":"ok, thanks"}')
    const modules = modulesOf(await ended(hook))
    expect(own(modules)).toEqual(['cli/bin.js'])
    // Of Node itself too only what it has loaded already, or nearly.
    expect([...modules].filter((path) => path.startsWith('node:')).sort()).toEqual(['node:os', 'node:path'])
  })

  it('for a hook that answers: one file in place of a hundred and fifty', async () => {
    fill()
    const store = await openSqlite({ path: join(home.root, 'home', 'mnemonic.db'), clock: systemClock })
    const worker = { name: WORKER_LEASE, job: 'write', clock: systemClock, ttlMs: 600_000, waitMs: 0 }
    // While a worker works, the hook starts none, which would outlive this test.
    const modules = await withLease(store, worker, async () => {
      const hook = spawn(process.execPath, ['--import', HOOK, BINARY, 'hook', 'claude-code', 'stop'], { env: home.env })
      hook.stdin.write('{"session_id":"s1"}')
      return modulesOf(await ended(hook))
    })
    await store.close()
    expect([...modules].filter((path) => /^bundle\//.test(path)).length).toBeGreaterThan(0)
    expect(own(modules).length).toBeLessThan(40)
    for (const heavy of ['zod', 'yaml', 'commander', 'picomatch', 'ai']) expect(modules).not.toContain(heavy)
  })

  it('for opening the library: nothing that a call loads', async () => {
    const modules = await loadedBy('')
    expect(modules).not.toContain('better-sqlite3')
    expect(own(modules).filter((path) => WRITERS.test(path) || /^(?:search\/search|browse)/.test(path))).toEqual([])
  })

  it('for --version: nothing of the library', async () => {
    const modules = await loaded('--version')
    expect(modules).toContain('cli/main.js')
    expect(own(modules).filter((path) => path.startsWith('library/'))).toEqual([])
    expect(modules).not.toContain('better-sqlite3')
  })
  it('for a sync where only Claude Code keeps logs: its adapter, and none of the others', async () => {
    cpSync(join(SAMPLES, 'claude-code'), join(home.root, 'claude', 'projects'), { recursive: true })
    const adapters = (modules: Set<string>) =>
      [...modules]
        .flatMap((path) => /^ingest\/capture\/([a-z-]+)\//.exec(path)?.[1] ?? [])
        .filter((name, i, all) => all.indexOf(name) === i)
    const modules = await loaded('sync', '--no-embed')
    expect(adapters(modules)).toEqual(['claude-code'])
    for (const heavy of ['yauzl', 'fzstd']) expect(modules).not.toContain(heavy)
    expect(adapters(await loaded('sources'))).toEqual(['claude-code'])
  })
})
