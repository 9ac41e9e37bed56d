import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { keysAt, knownKeys, nearest, nearestKeys } from './known-keys.ts'
import { loadConfig } from './load.ts'
import { resolvePaths } from './paths.ts'
import { configSchema } from './schema.ts'
import { DERIVED_SOURCES, HARNESS_SOURCES, PERSONAL_SOURCES } from './source-names.ts'
import { type Tree, valueAt } from './tree.ts'

const manual = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8')
const defaults = configSchema.parse({}) as Tree

/** Leaf keys; all sources share one `sources.NAME` entry. */
function leaves(): string[] {
  const keys = knownKeys().filter((key) => !key.startsWith('memorySearch'))
  const values = keys.filter((key) => !keys.some((other) => other.startsWith(`${key}.`)))
  return [...new Set(values.map((key) => key.replace(/^sources\.[^.]+\./, 'sources.NAME.')))].sort()
}

/** Parses key and default from the manual's tables. */
function rows(): Map<string, string> {
  return new Map([...manual.matchAll(/^\| `([^`]+)` \| ([^|]+?) \|/gm)].map(([, key = '', preset = '']) => [key, preset]))
}

describe('the manual', () => {
  it('has a row for every key, and for no other', () => {
    expect([...rows().keys()].sort()).toEqual(leaves())
  })

  it('says the defaults that the schema has', () => {
    for (const [key, preset] of rows()) {
      if (key.startsWith('sources.')) continue
      const value = valueAt(defaults, key.split('.'))
      if (value === undefined) expect([key, preset]).toEqual([key, expect.stringMatching(/^(none|guessed)$/)])
      else expect([key, parse(preset.replaceAll('`', ''))]).toEqual([key, value])
    }
  })

  it('names every source', () => {
    for (const name of [...HARNESS_SOURCES, ...PERSONAL_SOURCES, ...DERIVED_SOURCES]) expect(manual).toContain(`\`${name}\``)
  })

  it('has an example that loads without a warning', () => {
    const home = mkdtempSync(join(tmpdir(), 'mnemonic-manual-'))
    try {
      const [, example = ''] = /```yaml\n([\s\S]*?)```/.exec(manual) ?? []
      const paths = resolvePaths({ home, env: {}, homedir: '/users/ada' })
      writeFileSync(paths.config, example, { mode: 0o600 })
      const { config, warnings } = loadConfig({ paths, env: {}, homedir: '/users/ada' })
      expect(warnings).toEqual([])
      expect(config.owner.phones).toEqual(['+442079460958'])
      expect(config.sources.jsonl.paths).toEqual(['/users/ada/sessions'])
      expect(config.embedding.model).toBe('text-embedding-3-small')
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  })
})

describe('nearest keys', () => {
  it('are looked for beside the key first, then anywhere', () => {
    expect(nearestKeys(['embedding'], 'modle')).toEqual(['embedding.model'])
    expect(nearestKeys([], 'max_lines')).toEqual(['memory.max_lines'])
    expect(nearestKeys(['owner'], 'quiet_minutes')).toEqual(['memory.quiet_minutes'])
    expect(nearestKeys([], 'xylophone')).toEqual([])
  })

  it('are none where nothing is near', () => {
    expect(nearest('qqq', ['agent', 'owner'])).toBeUndefined()
    expect(nearest('', ['agent'])).toBeUndefined()
    expect(nearest('x'.repeat(10_000), ['agent'])).toBeUndefined()
  })

  it('below an agent are those of any agent', () => {
    expect(keysAt(['agents', 'max', 'memory'])).toEqual(['read', 'write', 'labeling'])
    expect(keysAt(['embedding'])).toContain('api_key_env')
    expect(keysAt(['agent', 'x'])).toEqual([])
  })
})
