import { DERIVED_SOURCES, HARNESS_SOURCES, PERSONAL_SOURCES } from '../config/source-names.ts'
import { MnemonicError } from '../core/error.ts'
import type { Adapter } from '../ingest/adapter.ts'
import { checkedAdapter } from './checked-adapter.ts'

/** The name is part of ids, options and the list of sources. */
const NAME = /^[a-z][a-z0-9-]{0,63}$/
const TAKEN: ReadonlySet<string> = new Set([...HARNESS_SOURCES, ...PERSONAL_SOURCES, ...DERIVED_SOURCES, 'memory'])
const METHODS = ['defaultPaths', 'discover', 'recognises', 'read'] as const

/** Throws USAGE for an unusable adapter. */
export function ownAdapters(adapters: readonly Adapter[]): Adapter[] {
  checkAdapters(adapters)
  return adapters.map(checkedAdapter)
}

function checkAdapters(adapters: readonly Adapter[]): void {
  const seen = new Set<string>()
  for (const adapter of adapters) {
    const { name } = adapter
    if (typeof name !== 'string' || !NAME.test(name))
      throw unusable(name, 'is no name for an adapter', 'Use lower-case letters, digits and "-", at most 64, a letter first.')
    if (TAKEN.has(name)) throw unusable(name, 'is the name of a built-in source', 'Give the adapter a name of its own.')
    if (seen.has(name)) throw unusable(name, 'is the name of two adapters', 'Give each adapter a name of its own.')
    seen.add(name)
    const missing = METHODS.filter((method) => typeof adapter[method] !== 'function')
    if (missing.length > 0) throw unusable(name, `lacks ${missing.join(', ')}`, 'See the interface Adapter, and docs/library.md.')
  }
}

function unusable(name: unknown, why: string, hint: string): MnemonicError {
  return new MnemonicError('USAGE', `adapters: ${JSON.stringify(name)} ${why}`, { details: { adapter: name }, hint })
}
