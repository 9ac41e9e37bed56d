import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Config } from '../config/schema.ts'
import { HARNESS_SOURCES, PERSONAL_SOURCES } from '../config/source-names.ts'
import { MnemonicError } from '../core/error.ts'
import type { Adapter } from '../ingest/adapter.ts'
import type { SyncOptions } from './options.ts'

/** All harnesses, with derived sources. */
const AIX_AGENTS = 'aix-agents'

const FOLLOWED: Readonly<Record<string, readonly string[]>> = { calendar: ['calendar', 'calendar-series'] }

type Asked = Pick<SyncOptions, 'adapters' | 'path'>

/** Selects named adapters, even disabled; all for a file; else the enabled. Derived ones follow unless disabled. */
export function chosenSources(adapters: readonly Adapter[], config: Config, asked: Asked): Adapter[] {
  // Mirrors read only their own folders.
  const able = adapters.filter((adapter) => asked.path === undefined || adapter.derived || !adapter.mirrors)
  if (asked.adapters !== undefined) {
    const names = namedSources(adapters, asked.adapters)
    return able.filter(({ name, derived }) => names.has(name) || (derived && isOn(config, name)))
  }
  const named = lookedAt(asked.path)
  const on = able.filter(({ name, derived }) => isOn(config, name) || (named !== undefined && !derived))
  // Access denied: the adapter matching the name explains how to grant it.
  const likely = named === 'refused' ? on.filter(({ isLikely }) => isLikely?.(asked.path ?? '') ?? false) : []
  return likely.length > 0 ? likely : on
}

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

/** Named adapters skip recognition by content. */
export function isByContent({ adapters }: Asked): boolean {
  return adapters === undefined || adapters.includes(AIX_AGENTS)
}

/** Naming a file is consent; naming a folder is not. */
function lookedAt(path: string | undefined): 'file' | 'refused' | undefined {
  if (path === undefined) return undefined
  try {
    return statSync(resolve(path), { throwIfNoEntry: false })?.isFile() ? 'file' : undefined
  } catch {
    return 'refused' // macOS hides even file types in protected folders
  }
}

/** Disabled adapters may claim a file, unless others are named. */
export function mayBeAsked({ name }: Adapter, { adapters }: Asked): boolean {
  return adapters === undefined || (adapters.includes(AIX_AGENTS) && isHarness(name))
}

export function isPersonal({ name }: Adapter): boolean {
  return PERSONAL_SOURCES.some((personal) => personal === name)
}

/** On by default; others need consent. */
function isHarness(name: string): boolean {
  return name === AIX_AGENTS || HARNESS_SOURCES.some((harness) => harness === name)
}

function isOn(config: Config, name: string): boolean {
  return isEnabled(config, name) && (!isHarness(name) || isEnabled(config, AIX_AGENTS))
}

export function isEnabled(config: Config, name: string): boolean {
  return (config.sources as Record<string, { enabled?: boolean }>)[name]?.enabled ?? true
}
