import { knownTypes } from '../analyze/run/plan.ts'
import { analyzeParts } from './analyze-parts.ts'
import type { Stages } from './stages.ts'

export interface AnalysisTypeInfo {
  readonly name: string
  /** Version of the implementation, else of the stored row. */
  readonly version: string
  readonly output_type: string
  readonly definitions: readonly string[]
  /** `rules`, or provider and model; null if no model is configured. */
  readonly implementation: string | null
  readonly built_in: boolean
  readonly runs: { readonly pending: number; readonly running: number; readonly completed: number; readonly failed: number }
}

export async function listTypes(stages: Stages): Promise<AnalysisTypeInfo[]> {
  const { store, clock } = stages
  const { model, rules } = await analyzeParts(stages)
  const counts = await store.read
    .selectFrom('analysis_runs')
    .select((eb) => ['analysis_type_id', 'status', eb.fn.countAll<number>().as('count')])
    .groupBy(['analysis_type_id', 'status'])
    .execute()
  const found: AnalysisTypeInfo[] = []
  for (const type of await knownTypes(store, clock())) {
    const analyzer = (await model?.analyzer(type)) ?? (await rules(type.name))
    const of = (status: string) => Number(counts.find((row) => row.analysis_type_id === type.name && row.status === status)?.count ?? 0)
    found.push({
      ...{ name: type.name, version: analyzer?.version ?? type.version, output_type: type.outputType, definitions: type.definitions },
      ...{ implementation: analyzer?.implementation ?? null, built_in: type.builtIn },
      runs: { pending: of('pending'), running: of('running'), completed: of('completed'), failed: of('failed') },
    })
  }
  return found
}
