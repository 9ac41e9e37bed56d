/** Assigns a file to the first adapter that recognises it, else to the last, most generic one. */
import type { SourceDatabase } from '../store/source-database.ts'
import type { Adapter, SourceUnit, UnitReader } from './adapter.ts'
import { isSqlite } from './database-unit.ts'
import type { CountingReader } from './unit-reader.ts'

const HEAD = 64 << 10

/** Undefined if it cannot be opened; reading it reports why. */
async function opened({ path }: SourceUnit, reader: UnitReader): Promise<SourceDatabase | undefined> {
  try {
    return await reader.database(path)
  } catch {
    return undefined
  }
}

interface ClaimOptions {
  readonly known: (path: string) => string | undefined
  readonly reader: CountingReader
  /** Called if an adapter failed and no other recognises the file. */
  readonly onFailed: (unit: SourceUnit, error: unknown) => void
  /** Bytes read for detection, to be counted for the adapter. */
  readonly onRead?: (adapter: Adapter, bytes: number) => void
}

/** `found`: adapters that discovered a unit by name. The last adapter takes only its own discoveries. */
export async function claim(
  found: ReadonlyMap<SourceUnit, ReadonlySet<Adapter>>,
  adapters: readonly Adapter[],
  { known, reader, onFailed, onRead }: ClaimOptions,
): Promise<Map<Adapter, SourceUnit[]>> {
  const claimed = new Map<Adapter, SourceUnit[]>(adapters.map((adapter) => [adapter, []]))
  for (const [unit, by] of found) {
    const before = known(unit.path)
    const bytes = reader.bytesRead()
    const adapter = adapters.find((one) => one.name === before) ?? (await recognise(unit, adapters, { by, reader, onFailed }))
    if (adapter === undefined) continue
    claimed.get(adapter)?.push(unit)
    onRead?.(adapter, reader.bytesRead() - bytes)
  }
  return claimed
}

async function recognise(
  unit: SourceUnit,
  adapters: readonly Adapter[],
  { by, reader, onFailed }: Pick<ClaimOptions, 'reader' | 'onFailed'> & { readonly by: ReadonlySet<Adapter> },
): Promise<Adapter | undefined> {
  const head = await reader.slice(unit.path, 0, HEAD).catch(() => Buffer.alloc(0))
  const database = isSqlite(head) ? await opened(unit, reader) : undefined
  let failed: { readonly adapter: Adapter; readonly error: unknown } | undefined
  try {
    for (const adapter of adapters) {
      try {
        const isOurs = await (database && adapter.recognisesDatabase
          ? adapter.recognisesDatabase(database, unit.path)
          : adapter.recognises(head, unit.path))
        if (isOurs) return adapter
      } catch (error) {
        failed ??= { adapter, error }
      }
    }
  } finally {
    database?.close()
  }
  if (failed !== undefined) {
    onFailed(unit, failed.error)
    return failed.adapter
  }
  const last = adapters.at(-1)
  return last !== undefined && by.has(last) ? last : undefined
}
