/** Compiles a query once per database: building one costs more than running most of them. */
import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import type { Tables } from './tables.ts'

interface Slot {
  readonly slot: string
}

/** Synchronous shortcut: the query builder's overhead exceeds most of these queries. */
export interface RunsAtOnce {
  readonly runAtOnce?: (sql: string, parameters: readonly unknown[]) => unknown[]
}

/** `build` runs once per database, with placeholders: it must pass its values on and never inspect them. */
export function compiledOnce<Values extends object, Row>(
  build: (db: Kysely<Tables>, values: Values) => Compilable<Row>,
): (db: Kysely<Tables>, values: Values) => Promise<Row[]> {
  const compiled = new WeakMap<Kysely<Tables>, CompiledQuery<Row>>()
  return async (db, values) => {
    let query = compiled.get(db)
    if (query === undefined) {
      query = build(db, standIns<Values>()).compile()
      compiled.set(db, query)
    }
    const parameters = query.parameters.map((value) => (isSlot(value) ? values[value.slot as keyof Values] : value))
    const { runAtOnce } = db as RunsAtOnce
    if (runAtOnce !== undefined) return runAtOnce(query.sql, parameters) as Row[]
    return (await db.executeQuery<Row>({ ...query, parameters })).rows
  }
}

function standIns<Values extends object>(): Values {
  return new Proxy({}, { get: (_, slot): Slot => ({ slot: String(slot) }) }) as Values
}

function isSlot(value: unknown): value is Slot {
  return typeof value === 'object' && value !== null && 'slot' in value
}
