/** Analyses as rows: what each reads, its version, and for one that the owner added the prompt and the facets that it asks a model for. */
import type { Kysely, Selectable } from 'kysely'
import type { Store, WriteTx } from '../../store/store.ts'
import type { AnalysisTypesTable, Tables } from '../../store/tables.ts'
import { BUILT_IN_TYPES, isBuiltIn } from './built-in-types.ts'

export interface AnalysisType {
  /** Also its id. */
  readonly name: string
  readonly version: string
  readonly outputType: string
  /** The names of the episode definitions that it runs on. */
  readonly definitions: readonly string[]
  /** Of one that the owner added. */
  readonly prompt: string | null
  /** Which facets a model may give, each with what it means. */
  readonly facets: Readonly<Record<string, string>>
  /** The model that it asks for; the configured one when null. */
  readonly model: string | null
  readonly builtIn: boolean
}

/** In the order in which they run on one text: the built-in ones as they are listed, then the owner's by name. */
export async function readTypes(db: Kysely<Tables>): Promise<AnalysisType[]> {
  const rows = await db.selectFrom('analysis_types').selectAll().orderBy('name').execute()
  const types = rows.map((row) => ({
    name: row.name,
    version: row.version,
    outputType: row.output_type,
    definitions: definitionsOf(row.name, row.definitions_json),
    // Of a built-in one the row tells what is asked; what asks it is the program.
    ...(isBuiltIn(row.name) ? ASKED_BY_PROGRAM : askedBy(row)),
    builtIn: isBuiltIn(row.name),
  }))
  const place = (name: string) => (isBuiltIn(name) ? BUILT_IN_TYPES.findIndex((type) => type.name === name) : BUILT_IN_TYPES.length)
  return types.sort((a, b) => place(a.name) - place(b.name))
}

const ASKED_BY_PROGRAM = { prompt: null, facets: {}, model: null }

function askedBy({ prompt_template, facets_config_json, model }: Selectable<AnalysisTypesTable>) {
  return { prompt: prompt_template, facets: JSON.parse(facets_config_json ?? '{}') as Record<string, string>, model }
}

/** A row that names others than it was seeded with counts; one from before there were any has those that are built in. */
function definitionsOf(name: string, json: string): string[] {
  const named = JSON.parse(json) as string[]
  return named.length > 0 ? named : [...(BUILT_IN_TYPES.find((type) => type.name === name)?.definitions ?? [])]
}

/** Writes the rows of built-in types that are missing. */
export async function seedTypes(tx: WriteTx, now: number): Promise<void> {
  const rows = BUILT_IN_TYPES.map(({ name, outputType, definitions, facets }) => ({
    ...{ id: name, name, version: '1', output_type: outputType, definitions_json: JSON.stringify(definitions) },
    ...{ facets_config_json: JSON.stringify(facets) },
    ...{ created_at: now, updated_at: now },
  }))
  await tx.db
    .insertInto('analysis_types')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** What a built-in type asks of which model, where one is configured: written where it differs. */
export async function describeTypes(
  store: Pick<Store, 'read' | 'write'>,
  asks: (name: string) => { readonly prompt: string; readonly model: string } | undefined,
  now: number,
): Promise<void> {
  const rows = await store.read.selectFrom('analysis_types').select(['name', 'prompt_template', 'model']).execute()
  const changed = rows.flatMap(({ name, prompt_template, model }) => {
    const asked = isBuiltIn(name) ? asks(name) : undefined
    if (asked === undefined || (asked.prompt === prompt_template && asked.model === model)) return []
    return [{ name, values: { prompt_template: asked.prompt, model: asked.model, updated_at: now } }]
  })
  if (changed.length === 0) return
  await store.write(async ({ db }) => {
    for (const { name, values } of changed) await db.updateTable('analysis_types').set(values).where('name', '=', name).execute()
  })
}

/** A type of the owner's own, added or changed. Another prompt, model or list of facets is another version: what it said before is stale. */
export async function putType(tx: WriteTx, type: Omit<AnalysisType, 'builtIn'>, now: number): Promise<void> {
  const values = {
    version: type.version,
    output_type: type.outputType,
    definitions_json: JSON.stringify(type.definitions),
    facets_config_json: JSON.stringify(type.facets),
    prompt_template: type.prompt,
    model: type.model,
    updated_at: now,
  }
  await tx.db
    .insertInto('analysis_types')
    .values({ id: type.name, name: type.name, ...values, created_at: now })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .execute()
}

/** With all that its runs wrote but what became of it in the graph, which the graph's own triggers follow. */
export async function removeType(tx: WriteTx, name: string): Promise<void> {
  await tx.db.deleteFrom('analysis_runs').where('analysis_type_id', '=', name).execute()
  await tx.db.deleteFrom('analysis_types').where('id', '=', name).execute()
}
