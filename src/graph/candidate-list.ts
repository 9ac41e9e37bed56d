import type { Store } from '../store/store.ts'
import type { CandidateList, MergeCandidate } from './entity-answers.ts'
import { partOf, redacted } from './entity-part.ts'
import { storedEvidence } from './stored-evidence.ts'

export interface ReviewRequest {
  readonly type?: string | undefined
  readonly agent?: string | undefined
  /** Default: `proposed`. */
  readonly status?: MergeCandidate['status'] | undefined
  readonly eligible?: boolean | undefined
  readonly limit?: number | undefined
}

export async function listCandidates(store: Pick<Store, 'read'>, request: ReviewRequest, agentId: string): Promise<CandidateList> {
  const agent = request.agent ?? agentId
  let query = pairs(store).where('m.status', '=', request.status ?? 'proposed')
  if (agent !== 'all') query = query.where('m.agent_id', '=', agent)
  if (request.type !== undefined) query = query.where('a.type', '=', request.type)
  if (request.eligible) query = query.where('m.auto_eligible', '=', 1)
  const rows = await query
    .select([
      ...(['m.id', 'm.confidence', 'm.auto_eligible', 'm.status', 'm.decided_by', 'm.evidence_json'] as const),
      ...(['a.id as aId', 'a.name as aName', 'a.key as aKey', 'a.type as aType', 'a.canonical_id as aRoot'] as const),
      ...(['b.id as bId', 'b.name as bName', 'b.key as bKey', 'b.type as bType', 'b.canonical_id as bRoot'] as const),
    ])
    .orderBy('m.confidence', 'desc')
    .orderBy('m.id')
    .execute()
  const shown = (request.status ?? 'proposed') === 'proposed' ? undecided(rows) : rows
  return { candidates: shown.slice(0, request.limit ?? 50).map(candidate), total: shown.length }
}

/** Drops pairs already joined through others, and repeated pairs of the same two. */
function undecided<T extends { readonly aId: string; readonly aRoot: string | null; readonly bId: string; readonly bRoot: string | null }>(
  rows: readonly T[],
): T[] {
  const seen = new Set<string>()
  return rows.filter(({ aId, aRoot, bId, bRoot }) => {
    const pair = [aRoot ?? aId, bRoot ?? bId].sort()
    if (pair[0] === pair[1] || seen.has(pair.join())) return false
    seen.add(pair.join())
    return true
  })
}

export async function candidatesWith(store: Pick<Store, 'read'>, ids: readonly string[]): Promise<MergeCandidate[]> {
  const rows = await pairs(store)
    .select([
      ...(['m.id', 'm.confidence', 'm.auto_eligible', 'm.status', 'm.decided_by', 'm.evidence_json'] as const),
      ...(['a.id as aId', 'a.name as aName', 'a.key as aKey', 'a.type as aType'] as const),
      ...(['b.id as bId', 'b.name as bName', 'b.key as bKey', 'b.type as bType'] as const),
    ])
    .where((eb) => eb.or([eb('m.entity_a_id', 'in', ids), eb('m.entity_b_id', 'in', ids)]))
    .orderBy('m.confidence', 'desc')
    .orderBy('m.id')
    .limit(50)
    .execute()
  return rows.map(candidate)
}

function pairs({ read }: Pick<Store, 'read'>) {
  return read
    .selectFrom('merge_candidates as m')
    .innerJoin('entities as a', 'a.id', 'm.entity_a_id')
    .innerJoin('entities as b', 'b.id', 'm.entity_b_id')
}

function candidate(row: {
  readonly id: string
  readonly confidence: number
  readonly auto_eligible: number
  readonly status: MergeCandidate['status']
  readonly decided_by: string | null
  readonly evidence_json: string
  readonly aId: string
  readonly aName: string
  readonly aKey: string
  readonly aType: string
  readonly bId: string
  readonly bName: string
  readonly bKey: string
  readonly bType: string
}): MergeCandidate {
  const { id, confidence, status, decided_by } = row
  return {
    id,
    a: { ...partOf({ id: row.aId, name: row.aName, key: row.aKey }), type: row.aType },
    b: { ...partOf({ id: row.bId, name: row.bName, key: row.bKey }), type: row.bType },
    ...{ confidence, auto_eligible: row.auto_eligible === 1, status, decided_by },
    evidence: storedEvidence(row.evidence_json).items.map(({ by, says, value }) => ({ by, says, value: redacted(value) })),
  }
}
