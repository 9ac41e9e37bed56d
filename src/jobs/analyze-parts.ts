/** The parts of an analysis that the configuration decides: the model, where one is named, and what writes the graph. */
import type { AnalyzeParts } from './analyze.ts'
import type { Stages } from './stages.ts'

export async function analyzeParts(_stages: Stages): Promise<AnalyzeParts> {
  return {}
}
