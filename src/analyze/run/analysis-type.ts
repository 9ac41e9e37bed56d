import type { Kysely, Selectable } from 'kysely'
import type { Store, WriteTx } from '../../store/store.ts'
import type { AnalysisTypesTable, Tables } from '../../store/tables.ts'
import { BUILT_IN_TYPES, isBuiltIn } from './built-in-types.ts'

export interface AnalysisType {
  readonly name: string
  readonly version: string
  readonly outputType: string
  readonly definitions: readonly string[]
  readonly prompt: string | null
  /** Allowed facets with their meaning. */
  readonly facets: Readonly<Record<string, string>>
  readonly model: string | null
  readonly builtIn: boolean
}

export async function readTypes(db: Kysely<Tables>): Promise<AnalysisType[]> {
  const rows = await db.selectFrom('analysis_types').selectAll().orderBy('name').execute()
  const types = rows.map((row) => ({
    name: row.name,
    version: row.version,
    outputType: row.output_type,
    definitions: definitionsOf(row.name, row.definitions_json),
    // For built-in types, the row only documents the prompt; the program holds the real one.
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

/** Customised definitions win. Rows from before this column use the built-in ones. */
function definitionsOf(name: string, json: string): string[] {
  const named = JSON.parse(json) as string[]
  return named.length > 0 ? named : [...(BUILT_IN_TYPES.find((type) => type.name === name)?.definitions ?? [])]
}

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

/** Updates the documented prompt and model of built-in types. */
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

/** A new prompt, model or facet list makes earlier runs stale. */
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

/** Also removes what its runs wrote. Triggers clean up the graph. */
export async function removeType(tx: WriteTx, name: string): Promise<void> {
  await tx.db.deleteFrom('analysis_runs').where('analysis_type_id', '=', name).execute()
  await tx.db.deleteFrom('analysis_types').where('id', '=', name).execute()
}
