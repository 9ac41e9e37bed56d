/** Recomputes merge candidates and canonical entities of changed entities. Depends only on aliases and owner decisions; idempotent. */
import type { Insertable } from 'kysely'
import { padded } from '../core/padded.ts'
import { uuid5 } from '../core/uuid5.ts'
import { compiledOnce } from '../store/compiled-once.ts'
import type { WriteTx } from '../store/store.ts'
import type { MergeCandidatesTable } from '../store/tables.ts'
import { putCardNames } from './card-names.ts'
import {
  bareOf,
  contestedIn,
  type Evidence,
  evidenceBetween,
  holdersIn,
  isBareOfTold,
  isCalledSo,
  isFirstNameOnly,
  isOfThatName,
  namesIn,
  onlyOneOfThatName,
  type Profile,
  sharesCard,
  withItem,
  yourAddressBookSays,
} from './evidence.ts'
import { putOwnerAliases } from './owner-aliases.ts'
import { putOwnerTypes } from './owner-types.ts'
import { type Candidate, candidatesOf, type Decision, decisionsOf, differs } from './pair-rows.ts'
import { neighboursOf, profilesOf } from './profiles.ts'
import { settleCanonical } from './settle-canonical.ts'
import { similarEntities } from './similar-entities.ts'
import type { StoredEvidence } from './stored-evidence.ts'

export interface SettleOptions {
  readonly autoMerge?: boolean | undefined
  readonly most?: number
}

/** With more people of one first name, the name is no evidence. */
const MOST_OF_A_FIRST_NAME = 2

/** Number of settled entities: repeat until it is 0. */
export async function settle(tx: WriteTx, { autoMerge = false, most = 500 }: SettleOptions = {}): Promise<number> {
  const rows = await waitingOnes(tx.db, { most })
  if (rows.length === 0) return 0
  const waiting = rows.map(({ entity_id }) => entity_id)
  await putOwnerTypes(tx, waiting)
  await putCardNames(tx, waiting)
  await putOwnerAliases(tx, waiting)
  const known = new Map<string, Profile>()
  const work = await settleCandidates(tx, waiting, known)
  await settleCanonical(tx, work, autoMerge)
  for (let from = 0; from < waiting.length; from += 256)
    await tx.db
      .deleteFrom('graph_waiting')
      .where('entity_id', 'in', padded(waiting.slice(from, from + 256)))
      .execute()
  return waiting.length
}

const waitingOnes = compiledOnce((db, { most }: { most: number }) =>
  db.selectFrom('graph_waiting').select('entity_id').orderBy('entity_id').limit(most),
)

const pairOf = (one: string, other: string): [string, string] => (one < other ? [one, other] : [other, one])

async function settleCandidates(tx: WriteTx, waiting: readonly string[], known: Map<string, Profile>): Promise<Set<string>> {
  const work = new Set(waiting)
  const touched = new Set(waiting)
  const similar = similarEntities(tx)
  const near = async (id: string): Promise<Map<string, Evidence>> => {
    const [own] = await load(tx, known, [id])
    if (own === undefined) return new Map()
    const others = await load(tx, known, [...(await neighboursOf(tx.db, own))])
    // An identifier shared by three affects all pairs.
    for (const held of holdersIn([own, ...others]).values())
      if (held.length > 2 && held.includes(own)) for (const one of held) work.add(one.id)
    const contested = contestedIn([own, ...others])
    const found = new Map<string, Evidence>()
    for (const other of others) {
      const evidence = evidenceBetween(own, other, contested)
      if (evidence !== undefined) found.set(other.id, evidence)
    }
    const alike = await similar.near(own)
    const loaded = new Set((await load(tx, known, [...alike.keys()])).map(({ id }) => id))
    for (const [other, item] of alike) if (loaded.has(other)) found.set(other, withItem(found.get(other), item))
    return found
  }
  const firstNames = new Map<string, number>()
  const ofFirstName = async (bare: string): Promise<number> => {
    const others = [...(await near(bare))].flatMap(([id, evidence]) => (isFirstNameOnly(evidence) ? [id] : []))
    const names = others.flatMap((id) => namesIn(known.get(id) as Profile).filter((name) => name.includes(' ')))
    const counted = firstNames.get(bare) ?? new Set(names).size
    firstNames.set(bare, counted)
    return counted
  }
  const wanted = new Map<string, Evidence | undefined>()
  for (const id of work) {
    const evidence = await near(id)
    for (const [other, found] of evidence) {
      const key = pairOf(id, other).join('\n')
      const [one, two] = [known.get(id) as Profile, known.get(other) as Profile]
      const bareOfTold = isBareOfTold(one, two)
      const bareOfCard = isCalledSo(one, two)
      if (bareOfCard !== undefined) {
        work.add(bareOfCard.id)
        const card = bareOfCard === one ? two : one
        const others = [...(await near(bareOfCard.id))].filter(
          ([other, found]) => isOfThatName(found) && !sharesCard(known.get(other) as Profile, card),
        )
        wanted.set(key, others.length === 0 ? yourAddressBookSays(found) : found)
        continue
      }
      if (bareOfTold !== undefined) {
        work.add(bareOfTold.id)
        const apart = await keptApart(tx, bareOfTold.id)
        const others = [...(await near(bareOfTold.id))].filter(([other, found]) => isOfThatName(found) && !apart.has(other))
        wanted.set(key, others.length === 1 ? onlyOneOfThatName(found) : found)
      } else if (!isFirstNameOnly(found)) wanted.set(key, found)
      else {
        const bare = bareOf(known.get(id) as Profile, known.get(other) as Profile)
        // The number of people with that first name may have changed: recheck its pairs.
        work.add(bare.id)
        wanted.set(key, (await ofFirstName(bare.id)) <= MOST_OF_A_FIRST_NAME ? found : undefined)
      }
    }
  }
  for (const { entity_a_id: a, entity_b_id: b } of await candidatesOf(tx, [...work]))
    if (!wanted.has(`${a}\n${b}`)) wanted.set(`${a}\n${b}`, undefined)
  for (const { entity_a_id: a, entity_b_id: b } of await decisionsOf(tx, [...work]))
    if (!wanted.has(`${a}\n${b}`)) wanted.set(`${a}\n${b}`, undefined)
  for (const [key, evidence] of wanted) {
    const [a = '', b = ''] = key.split('\n')
    if (await putCandidate(tx, [a, b], evidence)) touched.add(a).add(b)
  }
  return touched
}

async function load(tx: WriteTx, known: Map<string, Profile>, ids: readonly string[]): Promise<Profile[]> {
  const missing = ids.filter((id) => !known.has(id))
  if (missing.length > 0) for (const [id, profile] of await profilesOf(tx.db, missing)) known.set(id, profile)
  return ids.flatMap((id) => known.get(id) ?? [])
}

async function putCandidate(tx: WriteTx, [a, b]: readonly [string, string], evidence: Evidence | undefined): Promise<boolean> {
  const entities = await tx.db.selectFrom('entities').select(['id', 'agent_id', 'created_at']).where('id', 'in', [a, b]).execute()
  const before = await tx.db.selectFrom('merge_candidates').selectAll().where('id', '=', candidateId(a, b)).executeTakeFirst()
  const [decision] = await decisionsBetween(tx, a, b)
  const items = evidence?.items ?? []
  const stays = entities.length === 2 && (items.length > 0 || decision?.decision === 'merge')
  if (!stays) {
    if (before !== undefined) await tx.db.deleteFrom('merge_candidates').where('id', '=', before.id).execute()
    return before !== undefined || entities.length < 2
  }
  const confidence = evidence?.confidence ?? 1
  const stored: StoredEvidence = { items, sure: evidence?.sure ?? false }
  const row: Insertable<MergeCandidatesTable> & { id: string } = {
    ...{ id: candidateId(a, b), agent_id: entities[0]?.agent_id ?? 'main', entity_a_id: a, entity_b_id: b, confidence },
    ...{ auto_eligible: evidence?.autoEligible ? 1 : 0, evidence_json: JSON.stringify(stored) },
    created_at: Math.max(...entities.map(({ created_at }) => created_at)),
    ...statusOf(decision),
  }
  if (before === undefined) await tx.db.insertInto('merge_candidates').values(row).execute()
  else {
    const { status: _, decided_by: __, decided_at: ___, ...facts } = row
    const next = decision === undefined && before.status === 'merged' && before.decided_by !== 'owner' ? facts : row
    if (!differs(next, before)) return false
    await tx.db.updateTable('merge_candidates').set(next).where('id', '=', row.id).execute()
  }
  return true
}

async function keptApart(tx: WriteTx, id: string): Promise<Set<string>> {
  const decided = await decisionsOf(tx, [id])
  return new Set(decided.flatMap((one) => (one.decision === 'reject' ? [one.entity_a_id === id ? one.entity_b_id : one.entity_a_id] : [])))
}

export function candidateId(one: string, other: string): string {
  return uuid5('candidate', ...pairOf(one, other))
}

function statusOf(decision: Decision | undefined): Pick<Candidate, 'status' | 'decided_by' | 'decided_at'> {
  if (decision?.decision === 'merge') return { status: 'merged', decided_by: 'owner', decided_at: decision.decided_at }
  if (decision?.decision === 'reject') return { status: 'rejected', decided_by: 'owner', decided_at: decision.decided_at }
  return { status: 'proposed', decided_by: null, decided_at: null }
}

async function decisionsBetween(tx: WriteTx, a: string, b: string): Promise<Decision[]> {
  return tx.db.selectFrom('graph_decisions').selectAll().where('entity_a_id', '=', a).where('entity_b_id', '=', b).execute()
}
