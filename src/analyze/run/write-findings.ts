import type { Selectable } from 'kysely'
import { given } from '../../core/given.ts'
import { shortHash } from '../../core/hash.ts'
import { redactValues } from '../../core/redact.ts'
import { leastTrusted } from '../../core/trust.ts'
import { compiledOnce } from '../../store/compiled-once.ts'
import type { WriteTx } from '../../store/store.ts'
import type { FacetsTable } from '../../store/tables.ts'
import type { Findings } from '../analyzer.ts'
import type { FoundBy, GraphWriter } from './found-by.ts'
import { writeStatements } from './write-statements.ts'

type FacetRow = Selectable<FacetsTable>

export async function writeFindings(tx: WriteTx, by: FoundBy, findings: Findings, writeGraph?: GraphWriter): Promise<void> {
  const entities = findings.graph === undefined ? undefined : await writeGraph?.(tx, by, findings.graph)
  await replaceFacets(tx, by, findings.facets, entities)
  if (findings.statements !== undefined) await writeStatements(tx, by, findings.statements)
}

/** Links a person to this run's own entity; `entities.canonical_id` resolves merges, which may come before or after. */
async function replaceFacets(
  tx: WriteTx,
  { run, episode, now }: FoundBy,
  facets: Findings['facets'],
  entities: ReadonlyMap<string, string> = new Map(),
): Promise<void> {
  await dropFacets(tx.db, { run })
  if (facets.length === 0) return
  const messages = new Map(episode.messages.map((message) => [message.message, message]))
  const rows = new Map<string, FacetRow>()
  const row = ({ type, value, confidence, span, message = span?.message, person, metadata }: Findings['facets'][number]): FacetRow => ({
    id: shortHash(32, run, '\n', type, '\n', value, '\n', `${message ?? ''}:${span?.start ?? ''}-${span?.end ?? ''}`),
    ...{ analysis_run_id: run, episode_id: episode.id, agent_id: episode.agentId, facet_type: type, value, confidence, created_at: now },
    person_id: (person === undefined ? undefined : entities.get(person)) ?? null,
    trust: leastTrusted([messages.get(message ?? '')?.trust ?? episode.trust]),
    metadata_json: metadata === undefined ? null : JSON.stringify(metadata),
    ...{ message_id: message ?? null, span_start: span?.start ?? null, span_end: span?.end ?? null },
  })
  for (const facet of facets) {
    const made = row({ ...facet, value: redactValues(facet.value), ...given({ metadata: redactValues(facet.metadata) }) })
    if (!rows.has(made.id)) rows.set(made.id, made)
  }
  // Building one query for many rows takes longer than running single inserts.
  for (const made of rows.values()) await putFacet(tx.db, made)
}

const putFacet = compiledOnce((db, row: FacetRow) =>
  db.insertInto('facets').values({
    ...{ id: row.id, analysis_run_id: row.analysis_run_id, episode_id: row.episode_id, agent_id: row.agent_id, trust: row.trust },
    ...{ facet_type: row.facet_type, value: row.value, confidence: row.confidence, created_at: row.created_at, person_id: row.person_id },
    ...{ metadata_json: row.metadata_json, message_id: row.message_id, span_start: row.span_start, span_end: row.span_end },
  }),
)

const dropFacets = compiledOnce((db, { run }: { run: string }) => db.deleteFrom('facets').where('analysis_run_id', '=', run))
