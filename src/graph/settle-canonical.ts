import { padded } from '../core/padded.ts'
import type { WriteTx } from '../store/store.ts'
import { components, type Joined } from './components.ts'
import { type Candidate, candidatesOf, type Decision, decisionsOf, differs } from './pair-rows.ts'
import { storedEvidence } from './stored-evidence.ts'

/** Also covers all entities that are or were merged with these. */
export async function settleCanonical(tx: WriteTx, ids: ReadonlySet<string>, autoMerge: boolean): Promise<void> {
  const all = await reached(tx, ids, autoMerge)
  const members = await rowsOf(tx, [...all])
  const rows = unique(await candidatesOf(tx, [...all]))
  const decisions = new Map(unique(await decisionsOf(tx, [...all])).map((one) => [`${one.entity_a_id}\n${one.entity_b_id}`, one]))
  const pairs = new Map(
    rows.flatMap((row) => {
      const joined = joinedBy(row, decisions.get(`${row.entity_a_id}\n${row.entity_b_id}`), autoMerge)
      return joined === undefined ? [] : [[joined, row] as const]
    }),
  )
  const apart = [...decisions.values()].flatMap(({ decision, entity_a_id, entity_b_id }) =>
    decision === 'merge' ? [] : [[entity_a_id, entity_b_id] as const],
  )
  const { canonical, applied } = components(members, [...pairs.keys()], apart)
  for (const { id, canonical_id } of members) {
    const now = canonical.get(id) ?? null
    if (now !== canonical_id) await tx.db.updateTable('entities').set({ canonical_id: now }).where('id', '=', id).execute()
  }
  const counted = new Map([...pairs].map(([joined, row]) => [row.id, applied.has(joined)]))
  for (const row of rows) await putStatus(tx, row, decisions.get(`${row.entity_a_id}\n${row.entity_b_id}`), counted.get(row.id))
}

function joinedBy(row: Candidate, decision: Decision | undefined, autoMerge: boolean): Joined | undefined {
  const { entity_a_id: a, entity_b_id: b, confidence } = row
  if (decision?.decision === 'merge') return { a, b, into: decision.into_id ?? b, by: 'owner', confidence }
  if (decision !== undefined) return undefined
  const { sure } = storedEvidence(row.evidence_json)
  return sure || (autoMerge && row.auto_eligible === 1) ? { a, b, by: 'rule', confidence } : undefined
}

async function putStatus(tx: WriteTx, row: Candidate, decision: Decision | undefined, counts: boolean | undefined): Promise<void> {
  if (decision?.decision === 'merge' || decision?.decision === 'reject') return
  const { sure, items } = storedEvidence(row.evidence_json)
  const parted = decision !== undefined && (sure || row.auto_eligible === 1)
  const status = counts === true ? 'merged' : parted ? 'unmerged' : 'proposed'
  const decided_by = counts === true ? (items.some(({ by }) => by === 'address book') ? 'address book' : 'auto') : parted ? 'owner' : null
  const decided_at = parted && counts !== true ? (decision?.decided_at ?? null) : null
  const next = { status, decided_by, decided_at } as const
  if (differs(next, row)) await tx.db.updateTable('merge_candidates').set(next).where('id', '=', row.id).execute()
}

async function reached(tx: WriteTx, ids: ReadonlySet<string>, autoMerge: boolean): Promise<Set<string>> {
  const all = new Set(ids)
  for (let next = [...ids]; next.length > 0; ) {
    const found = new Set<string>()
    for (const { id, canonical_id } of await rowsOf(tx, next)) {
      if (canonical_id !== null) found.add(canonical_id)
      const under = await tx.db.selectFrom('entities').select('id').where('canonical_id', '=', id).execute()
      for (const one of under) found.add(one.id)
    }
    for (const row of await candidatesOf(tx, next)) {
      const joins = row.status === 'merged' || storedEvidence(row.evidence_json).sure || (autoMerge && row.auto_eligible === 1)
      if (joins) found.add(row.entity_a_id).add(row.entity_b_id)
    }
    next = [...found].filter((id) => !all.has(id))
    for (const id of next) all.add(id)
  }
  return all
}

async function rowsOf(tx: WriteTx, ids: readonly string[]): Promise<{ id: string; key: string; canonical_id: string | null }[]> {
  const found: { id: string; key: string; canonical_id: string | null }[] = []
  for (let from = 0; from < ids.length; from += 256)
    found.push(
      ...(await tx.db
        .selectFrom('entities')
        .select(['id', 'key', 'canonical_id'])
        .where('id', 'in', padded(ids.slice(from, from + 256)))
        .execute()),
    )
  return [...new Map(found.map((row) => [row.id, row])).values()]
}

function unique<T extends { readonly entity_a_id: string; readonly entity_b_id: string }>(rows: readonly T[]): T[] {
  return [...new Map(rows.map((row) => [`${row.entity_a_id}\n${row.entity_b_id}`, row])).values()]
}
