/** A command lives for one call: what it loads is what it costs. Which modules, not how long. */
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type BinaryHome, binaryHome, SAMPLES } from '../helpers/run-binary.ts'

vi.setConfig({ testTimeout: 60_000 })

const HOOK = fileURLToPath(new URL('../helpers/loaded-modules.mjs', import.meta.url))

let home: BinaryHome
beforeEach(() => {
  home = binaryHome()
})
afterEach(() => home.remove())

/** The packages, and our own files by their path in dist/. */
async function loaded(...argv: string[]): Promise<Set<string>> {
  const { code, stderr } = await home.runWith({ NODE_OPTIONS: `--import ${HOOK}` }, ...argv)
  expect(code, stderr).toBe(0)
  const modules = [...stderr.matchAll(/^LOADED (.*)$/gm)].map(([, url = '']) => url)
  return new Set(modules.map((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? url.replace(/.*\/dist\//, '')))
}

describe('what is loaded', () => {
  it('for a search: no schema, no parser, no query builder, no capture, no SDK', async () => {
    await home.run('sync', '--no-embed', '--path', SAMPLES)
    const modules = await loaded('search', 'sqlite')
    expect(modules).toContain('search/search.js')
    expect(modules).toContain('better-sqlite3')
    for (const heavy of ['zod', 'yaml', 'kysely', 'picomatch', 'ai', '@modelcontextprotocol/server', 'onnxruntime-node', 'yauzl'])
      expect(modules).not.toContain(heavy)
    expect([...modules].filter((path) => /^(?:ingest|index\/indexer|pipeline|operations|artifacts)/.test(path))).toEqual([])
  })

  it('for --version: nothing of the library', async () => {
    const modules = await loaded('--version')
    expect(modules).toContain('cli/main.js')
    expect(modules).not.toContain('mnemonic.js')
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
