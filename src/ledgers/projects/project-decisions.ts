/** The owner's project merges and splits: events, replayed whenever projects are named. */
import type { Kysely } from 'kysely'
import type { WriteTx } from '../../store/store.ts'
import type { Tables } from '../../store/tables.ts'
import { OWNER, writeOwnerDecision } from '../owner-decisions.ts'

/** Keys: remote, or folder. */
export interface ProjectPair {
  readonly from: string
  readonly into: string
}

export interface ProjectDecisions {
  readonly merged: ReadonlyMap<string, string>
  isApart(one: string, other: string): boolean
}

export const NO_DECISIONS: ProjectDecisions = { merged: new Map(), isApart: () => false }

const TYPES = { merge: 'project_merge', unmerge: 'project_unmerge' } as const

/** Returns the event id; undefined if a name was forgotten. */
export function decideProjects(
  tx: WriteTx,
  decision: keyof typeof TYPES,
  { from, into }: ProjectPair,
  { agentId, now }: { readonly agentId: string; readonly now: number },
): Promise<string | undefined> {
  const says = decision === 'merge' ? `The project ${from} is ${into}` : `The project ${from} is not ${into}`
  return writeOwnerDecision(tx, { type: TYPES[decision], about: ['projects', from, into], agentId, says, now, facts: { from, into } })
}

export async function projectDecisions(db: Kysely<Tables>): Promise<ProjectDecisions> {
  const rows = await db
    .selectFrom('events')
    .select('metadata_json')
    .where('source_adapter', '=', OWNER)
    .where('metadata_json', 'like', '%"project_%')
    .orderBy('timestamp')
    .orderBy('id')
    .execute()
  return replayed(rows.flatMap(({ metadata_json }) => decisionIn(metadata_json) ?? []))
}

interface Decided extends ProjectPair {
  readonly isMerge: boolean
}

export function replayed(decisions: readonly Decided[]): ProjectDecisions {
  const merged = new Map<string, string>()
  const apart = new Set<string>()
  for (const { from, into, isMerge } of decisions) {
    if (isMerge) {
      // Otherwise both would point to each other.
      if (merged.get(into) === from) merged.delete(into)
      merged.set(from, into)
      apart.delete(pairOf(from, into))
    } else {
      if (merged.get(from) === into) merged.delete(from)
      apart.add(pairOf(from, into))
    }
  }
  return { merged, isApart: (one, other) => apart.has(pairOf(one, other)) }
}

function pairOf(one: string, other: string): string {
  return JSON.stringify([one, other].sort())
}

function decisionIn(json: string | null): Decided | undefined {
  const { type, from, into } = JSON.parse(json ?? '{}') as { type?: unknown; from?: unknown; into?: unknown }
  if (typeof from !== 'string' || typeof into !== 'string' || from === into) return undefined
  if (type !== TYPES.merge && type !== TYPES.unmerge) return undefined
  return { from, into, isMerge: type === TYPES.merge }
}

export function standsFor(merged: ReadonlyMap<string, string>, key: string): string {
  const passed = new Set([key])
  let at = key
  for (let next = merged.get(at); next !== undefined && !passed.has(next); next = merged.get(at)) {
    passed.add(next)
    at = next
  }
  return at
}
