/**
 * Statements to remember. The owner's are `owner` events in their own thread, so that search finds them. An agent's are `proposed` events
 * without effect until confirmed. Undoing one removes it from the thread and adds an event.
 */
import type { Kysely } from 'kysely'
import { shortHash } from '../core/hash.ts'
import type { RememberType } from '../core/remember-type.ts'
import type { WriteTx } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'
import type { ThreadRecord } from './event-record.ts'
import { eventsWriter } from './events-writer.ts'
import { OWNER, PROPOSED, writeOwnerDecision } from './owner-decisions.ts'

/** The subject, with enough data to recreate it. A proposal may have only a name. */
export interface RememberedEntity {
  readonly id: string | null
  readonly type: string
  readonly name: string
  readonly key: string | null
}

export interface RememberedProject {
  readonly key: string
  readonly name: string
}

export interface Corrected {
  readonly kind: 'remembered' | 'decision' | 'observation'
  readonly id: string
}

export interface StatedAlias {
  readonly type: string
  readonly value: string
}

/** Stated explicitly, not extracted from text. */
export interface StatedRelation {
  readonly type: string
  readonly object: string
  /** Type of the object entity; null: implied by the relation's type. */
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
  /** The text states a name or handle of the entity. */
  readonly alias: StatedAlias | null
  readonly relation: StatedRelation | null
}

/** `confirmed`: a proposal that is now the owner's statement. */
export type RememberedStatus = 'holds' | 'proposed' | 'confirmed' | 'undone'

export interface Remembered extends Statement {
  readonly id: string
  readonly by: 'owner' | 'agent'
  readonly status: RememberedStatus
  readonly at: number
  readonly agentId: string
  /** Owner's statement → confirmed proposal, and back. */
  readonly confirms: string | null
  readonly confirmedBy: string | null
  readonly from: string | null
}

const [STATED, UNDONE] = ['remember', 'remember_undo'] as const

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

/** Undefined if it was forgotten. Idempotent: returns an existing statement. */
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

/** For a confirmed proposal, undoes both. */
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

/** Ordered by time. `all`: every agent. */
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

/** Hashed, so that the text is stored only in the event. */
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
