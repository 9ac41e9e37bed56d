/** A query that is built and compiled once and then run with other values: building one again costs more than most take to run. */
import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** Stands in for a value while the query is built. */
interface Slot {
  readonly slot: string
}

/** `build` may only pass its values on, never look at them: it runs once, with stand-ins. */
export function compiledOnce<Values extends object, Row>(
  build: (db: Kysely<Tables>, values: Values) => Compilable<Row>,
): (db: Kysely<Tables>, values: Values) => Promise<Row[]> {
  let compiled: CompiledQuery<Row> | undefined
  return async (db, values) => {
    compiled ??= build(db, standIns<Values>()).compile()
    const parameters = compiled.parameters.map((value) => (isSlot(value) ? values[value.slot as keyof Values] : value))
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters })
    return rows
  }
}

function standIns<Values extends object>(): Values {
  return new Proxy({}, { get: (_, slot): Slot => ({ slot: String(slot) }) }) as Values
}

function isSlot(value: unknown): value is Slot {
  return typeof value === 'object' && value !== null && 'slot' in value
}
