/** Which sources a sync reads: those that the caller names, otherwise those that are enabled. */
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Config } from '../config/schema.ts'
import { HARNESS_SOURCES, PERSONAL_SOURCES } from '../config/source-names.ts'
import { MnemonicError } from '../core/error.ts'
import type { Adapter } from '../ingest/adapter.ts'
import type { SyncOptions } from './options.ts'

/** All adapters of harnesses together, with what is derived from them. */
const AIX_AGENTS = 'aix-agents'

/** What is derived from a source is part of it. */
const FOLLOWED: Readonly<Record<string, readonly string[]>> = { calendar: ['calendar', 'calendar-series'] }

type Asked = Pick<SyncOptions, 'adapters' | 'path'>

/**
 * The adapters that a sync runs: those that the caller names, enabled or not; all of them for a path to a file; otherwise those that are enabled.
 * Narrowing limits what is read. Derived sources follow whatever was read, unless they are switched off.
 */
export function chosenSources(adapters: readonly Adapter[], config: Config, asked: Asked): Adapter[] {
  // Mirrored sources have folders of their own and read no file that a caller names; derived ones follow whatever was read.
  const able = adapters.filter((adapter) => asked.path === undefined || adapter.derived || !adapter.mirrors)
  if (asked.adapters !== undefined) {
    const names = namedSources(adapters, asked.adapters)
    return able.filter(({ name, derived }) => names.has(name) || (derived && isOn(config, name)))
  }
  const named = lookedAt(asked.path)
  const on = able.filter(({ name, derived }) => isOn(config, name) || (named !== undefined && !derived))
  // Where not even looking is allowed nobody can recognise it: whose name it has reads it, and says how to be let in.
  const likely = named === 'refused' ? on.filter(({ isLikely }) => isLikely?.(asked.path ?? '') ?? false) : []
  return likely.length > 0 ? likely : on
}

/** The names that the caller gave, and what belongs to them. */
export function namedSources(adapters: readonly Adapter[], asked: readonly string[]): ReadonlySet<string> {
  const harnesses = adapters.filter((adapter) => isHarness(adapter.name) || adapter.derived).map((adapter) => adapter.name)
  const names = new Set(asked.flatMap((name) => (name === AIX_AGENTS ? harnesses : (FOLLOWED[name] ?? [name]))))
  for (const name of names) {
    if (adapters.some((adapter) => adapter.name === name)) continue
    const known = adapters.filter((adapter) => !adapter.mirrors).map((adapter) => adapter.name)
    throw new MnemonicError('USAGE', `there is no adapter ${JSON.stringify(name)}`, {
      details: { adapter: name },
      hint: `Known: ${known.join(', ')}; aix-agents stands for all harnesses, aix-events for the events derived from them, memory for documents.`,
    })
  }
  return names
}

/** Whether files below a given path are recognised by their content: always, unless the caller names the adapter. */
export function isByContent({ adapters }: Asked): boolean {
  return adapters === undefined || adapters.includes(AIX_AGENTS)
}

/** Naming a file is consent, whatever it holds. A folder may hold files that nobody thought of. */
function lookedAt(path: string | undefined): 'file' | 'refused' | undefined {
  if (path === undefined) return undefined
  try {
    return statSync(resolve(path), { throwIfNoEntry: false })?.isFile() ? 'file' : undefined
  } catch {
    return 'refused' // macOS protects some folders so that not even the kind of a file is told
  }
}

/** Disabled adapters may still recognise a file as theirs, unless the caller names others. */
export function mayBeAsked({ name }: Adapter, { adapters }: Asked): boolean {
  return adapters === undefined || (adapters.includes(AIX_AGENTS) && isHarness(name))
}

/** Read only with the owner's consent. */
export function isPersonal({ name }: Adapter): boolean {
  return PERSONAL_SOURCES.some((personal) => personal === name)
}

/** What is read unless it is switched off; the rest is personal, and read only when it is switched on or named. */
function isHarness(name: string): boolean {
  return name === AIX_AGENTS || HARNESS_SOURCES.some((harness) => harness === name)
}

function isOn(config: Config, name: string): boolean {
  return isEnabled(config, name) && (!isHarness(name) || isEnabled(config, AIX_AGENTS))
}

export function isEnabled(config: Config, name: string): boolean {
  return (config.sources as Record<string, { enabled?: boolean }>)[name]?.enabled ?? true
}
