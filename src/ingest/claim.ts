/** Which adapter a file is for, where nobody said: the first that recognises its beginning; the last one takes what is left. */
import type { Adapter, SourceUnit, UnitReader } from './adapter.ts'

const HEAD = 64 << 10

/** `found` says which adapters discovered a unit by its name: the last one takes only what it would have looked for itself. */
export async function claim(
  found: ReadonlyMap<SourceUnit, ReadonlySet<Adapter>>,
  adapters: readonly Adapter[],
  { known, reader }: { known: (path: string) => string | undefined; reader: UnitReader },
): Promise<Map<Adapter, SourceUnit[]>> {
  const claimed = new Map<Adapter, SourceUnit[]>(adapters.map((adapter) => [adapter, []]))
  for (const [unit, by] of found) {
    const before = known(unit.path)
    const adapter = adapters.find((one) => one.name === before) ?? (await recognise(unit, adapters, { by, reader }))
    if (adapter) claimed.get(adapter)?.push(unit)
  }
  return claimed
}

async function recognise(
  unit: SourceUnit,
  adapters: readonly Adapter[],
  { by, reader }: { by: ReadonlySet<Adapter>; reader: UnitReader },
): Promise<Adapter | undefined> {
  const head = await reader.slice(unit.path, 0, HEAD).catch(() => Buffer.alloc(0)) // unreadable: reported when it is read
  const last = adapters.at(-1)
  return adapters.find((adapter) => adapter.recognises(head, unit.path)) ?? (last !== undefined && by.has(last) ? last : undefined)
}
