/** Which adapter a file is for, where the caller did not say: the first that recognises its beginning; the last one takes what is left. */
import type { SourceDatabase } from '../store/source-database.ts'
import type { Adapter, SourceUnit, UnitReader } from './adapter.ts'
import { isSqlite } from './database-unit.ts'
import type { CountingReader } from './unit-reader.ts'

const HEAD = 64 << 10

/** Undefined where it cannot be opened: its first bytes must do then, and reading it says why. */
async function opened({ path }: SourceUnit, reader: UnitReader): Promise<SourceDatabase | undefined> {
  try {
    return await reader.database(path)
  } catch {
    return undefined
  }
}

interface ClaimOptions {
  /** The adapter that read the file before. */
  readonly known: (path: string) => string | undefined
  readonly reader: CountingReader
  /** Called where an adapter failed over a file that no other one recognises: it is that adapter's, and cannot be read. */
  readonly onFailed: (unit: SourceUnit, error: unknown) => void
  /** Called with the bytes that it took to recognise a file, for the adapter that reads it. */
  readonly onRead?: (adapter: Adapter, bytes: number) => void
}

/** `found` says which adapters discovered a unit by its name: the last one takes only what it would have looked for itself. */
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
  const head = await reader.slice(unit.path, 0, HEAD).catch(() => Buffer.alloc(0)) // unreadable: reported when it is read
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
