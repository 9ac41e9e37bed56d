/**
 * What was stated to be remembered: by the owner, as events of source `owner` in a thread of their own, so that they are read and found like what
 * people write; by an agent, as events of source `proposed`, which count for nothing until the owner confirms them. Nothing is ever changed but its
 * place in the thread: what is taken back leaves it, and an event says so.
 */
import type { Kysely } from 'kysely'
import { shortHash } from '../core/hash.ts'
import type { RememberType } from '../core/remember-type.ts'
import type { WriteTx } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'
import type { ThreadRecord } from './event-record.ts'
import { eventsWriter } from './events-writer.ts'
import { OWNER, PROPOSED, writeOwnerDecision } from './owner-decisions.ts'

/** The entity that it is about, with what is needed to make it again. A proposal may have no more than a name. */
export interface RememberedEntity {
  readonly id: string | null
  readonly type: string
  readonly name: string
  readonly key: string | null
}

export interface RememberedProject {
  /** The remote of its repository, else its root. */
  readonly key: string
  readonly name: string
}

/** What it puts right. */
export interface Corrected {
  readonly kind: 'remembered' | 'decision' | 'observation'
  readonly id: string
}

/** What kind of thing is added to the graph: a sentence about an entity, or what the entity is called. */
export interface StatedAlias {
  readonly type: string
  readonly value: string
}

/** A relation that was given as such, not to be read from the text. */
export interface StatedRelation {
  /** In SCREAMING_SNAKE_CASE. */
  readonly type: string
  readonly object: string
  /** Of the entity that the object is; by the type of the relation when null. */
  readonly objectType: string | null
  readonly confidence: number
  readonly sourceType: 'stated' | 'inferred' | 'imported' | null
}

export interface Statement {
  readonly type: RememberType
  readonly text: string
  readonly entity: RememberedEntity | null
  readonly project: RememberedProject | null
  readonly corrects: Corrected | null
  /** The text says what the entity is called or how it is reached. */
  readonly alias: StatedAlias | null
  readonly relation: StatedRelation | null
}

/** `confirmed`: of a proposal, which stands as the owner's own statement now. */
export type RememberedStatus = 'holds' | 'proposed' | 'confirmed' | 'undone'

export interface Remembered extends Statement {
  readonly id: string
  readonly by: 'owner' | 'agent'
  readonly status: RememberedStatus
  readonly at: number
  readonly agentId: string
  /** Of the owner's: the proposal that it confirms; of a proposal: the statement that confirms it. */
  readonly confirms: string | null
  readonly confirmedBy: string | null
  /** Of an agent's: what it calls itself. */
  readonly from: string | null
}

const [STATED, UNDONE] = ['remember', 'remember_undo'] as const

/** Of each persona one. */
export function rememberedThread(agentId: string): string {
  return agentId === 'main' ? `${OWNER}:remembered` : `${OWNER}:remembered:${agentId}`
}

export interface PutOptions {
  readonly agentId: string
  readonly now: number
  readonly by: 'owner' | 'agent'
  readonly from?: string | undefined
  readonly confirms?: string | undefined
}

/** Undefined where it was forgotten. What stands already is given back as it is, and nothing is written. */
export async function putRemembered(
  tx: WriteTx,
  statement: Statement,
  { agentId, now, by, from, confirms }: PutOptions,
): Promise<{ readonly id: string; readonly isNew: boolean } | undefined> {
  const all = await readRemembered(tx.db, agentId)
  const key = keyOf(statement).join('\n')
  const same = all.filter((one) => keyOf(one).join('\n') === key)
  const stands =
    same.find(({ status }) => status === 'holds') ?? (by === 'agent' ? same.find(({ status }) => status === 'proposed') : undefined)
  if (stands !== undefined) return { id: stands.id, isNew: false }
  const { text, type: kind, entity, project, corrects, alias, relation } = statement
  const proposal = confirms ?? same.find(({ status }) => status === 'proposed')?.id
  const id = await writeOwnerDecision(tx, {
    ...{ type: STATED, about: keyOf(statement), agentId, says: text, now, by: by === 'owner' ? OWNER : PROPOSED },
    facts: {
      kind,
      entity,
      project,
      corrects,
      alias,
      ...(relation === null ? {} : { relation }),
      ...(by === 'owner' ? { confirms: proposal ?? null } : { from: from ?? null }),
    },
    ...(by === 'owner' ? { thread: threadOf(agentId, now) } : {}),
  })
  return id === undefined ? undefined : { id, isNew: true }
}

/** Takes back the statement and, of a confirmed proposal, both. The event stays, and another one says that it was taken back. */
export async function undoRemembered(
  tx: WriteTx,
  { id, by: stated, ...statement }: Remembered,
  { agentId, now, by }: Pick<PutOptions, 'agentId' | 'now' | 'by'>,
): Promise<void> {
  await writeOwnerDecision(tx, {
    ...{ type: UNDONE, about: keyOf(statement), agentId, now, says: 'Something that was to be remembered was taken back' },
    ...{ facts: { of: id }, by: by === 'owner' ? OWNER : PROPOSED },
  })
  if (stated === 'owner') await leaveThread(tx, id)
}

async function leaveThread(tx: WriteTx, id: string): Promise<void> {
  const row = await tx.db.selectFrom('events').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  await eventsWriter({ adapter: OWNER }).apply(tx, [
    {
      ...{ type: 'event', id, sourceId: row.source_id, timestamp: row.timestamp, channel: row.channel, contentTypes: ['text'] },
      ...{ content: row.content, direction: row.direction, trust: 'owner', agentId: row.agent_id, thread: null },
      metadata: JSON.parse(row.metadata_json ?? '{}') as Record<string, unknown>,
    },
  ])
}

/** In the order of time. `all` for every persona. */
export async function readRemembered(db: Kysely<Tables>, agentId: string): Promise<Remembered[]> {
  let query = db
    .selectFrom('events')
    .select(['id', 'content', 'timestamp', 'agent_id', 'source_adapter', 'metadata_json'])
    .where('source_adapter', 'in', [OWNER, PROPOSED])
    .where('metadata_json', 'like', '%"type":"remember%')
  if (agentId !== 'all') query = query.where('agent_id', '=', agentId)
  const rows = (await query.orderBy('timestamp').orderBy('id').execute()).map((row) => ({
    ...row,
    facts: JSON.parse(row.metadata_json ?? '{}') as Readonly<Record<string, unknown>>,
  }))
  const undone = new Set(rows.flatMap(({ facts }) => (facts.type === UNDONE ? [facts.of] : [])))
  const confirming = new Map(rows.flatMap(({ id, facts }) => (typeof facts.confirms === 'string' ? [[facts.confirms, id] as const] : [])))
  return rows.flatMap(({ id, content, timestamp, agent_id, source_adapter, facts }) => {
    if (facts.type !== STATED) return []
    const by = source_adapter === OWNER ? ('owner' as const) : ('agent' as const)
    const confirmedBy = confirming.get(id) ?? null
    const isUndone = undone.has(id) || (confirmedBy !== null && undone.has(confirmedBy))
    const standing = by === 'owner' ? 'holds' : confirmedBy === null ? 'proposed' : 'confirmed'
    return [
      {
        ...{ id, by, at: timestamp, agentId: agent_id, text: content ?? '', confirmedBy, status: isUndone ? 'undone' : standing },
        ...{ type: facts.kind as RememberType, entity: (facts.entity ?? null) as RememberedEntity | null },
        ...{ project: (facts.project ?? null) as RememberedProject | null, corrects: (facts.corrects ?? null) as Corrected | null },
        ...{ alias: (facts.alias ?? null) as StatedAlias | null, relation: (facts.relation ?? null) as StatedRelation | null },
        ...{ confirms: textOr(facts.confirms), from: textOr(facts.from) },
      },
    ]
  })
}

/** The same text of the same kind about the same is one. Its hash, so that it stands nowhere but in the event itself. */
function keyOf({ type, text, entity, project, corrects, alias, relation }: Statement): string[] {
  const words = text.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase()
  const about = entity?.id ?? entity?.name.toLowerCase() ?? ''
  return [
    STATED,
    shortHash(
      32,
      JSON.stringify([type, words, about, project?.key ?? '', corrects?.id ?? '', alias, ...(relation === null ? [] : [relation])]),
    ),
  ]
}

function threadOf(agentId: string, now: number): ThreadRecord {
  const id = rememberedThread(agentId)
  return {
    ...{ type: 'thread', id, sourceId: id.slice(OWNER.length + 1), channel: OWNER, name: 'Remembered', agentId },
    ...{ createdAt: now, updatedAt: now },
  }
}

function textOr(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
