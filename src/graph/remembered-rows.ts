/** Writes a statement of the owner as an observation, and an alias that keeps its entity when extraction runs go. Idempotent. */
import type { Insertable } from 'kysely'
import type { CountryCode } from 'libphonenumber-js/min'
import { redactSensitiveText } from '../core/redact.ts'
import type { RememberType } from '../core/remember-type.ts'
import { uuid5 } from '../core/uuid5.ts'
import type { Remembered, RememberedEntity } from '../ledgers/remembered.ts'
import type { WriteTx } from '../store/store.ts'
import type { RelationshipsTable } from '../store/tables.ts'
import { type AliasRow, aliasRank } from './alias-rows.ts'
import { entityId, OWNER_KEY, writtenKey } from './entity-key.ts'
import { type AliasType, normalAlias, normalName } from './normal-alias.ts'
import { applySplits } from './split-rows.ts'

export interface Subject extends RememberedEntity {
  readonly id: string
  readonly key: string
}

/** A correction takes the type of what it corrects, if known. */
const RELATIONS: Readonly<Record<RememberType, string>> = {
  preference: 'PREFERS',
  fact: 'HAS_NOTE',
  decision: 'DECIDED',
  correction: 'HAS_NOTE',
}

export function relationOf(type: RememberType): string {
  return RELATIONS[type]
}

/** Corrects what its wording says is wrong. */
export const BY_ITS_WORDS = '*'

export function ownerSubject(agentId: string, name: string | undefined): Subject {
  return { id: entityId(agentId, 'person', OWNER_KEY), type: 'person', name: name ?? 'Owner', key: writtenKey(OWNER_KEY) }
}

export function namedSubject(agentId: string, type: string, called: string): Subject {
  const name = redactSensitiveText(called, { mode: 'tools' })
  const key = { kind: 'name', value: normalName(name, type), frame: '' } as const
  return { id: entityId(agentId, type, key), type, name, key: writtenKey(key) }
}

export interface RememberedRowsOptions {
  readonly now: number
  readonly subject: Subject
  readonly relation?: string | undefined
  readonly country?: CountryCode | undefined
}

export async function putRememberedRows(
  tx: WriteTx,
  { id: event, text, type, at, agentId, corrects, alias }: Remembered,
  { now, subject, relation, country }: RememberedRowsOptions,
): Promise<void> {
  await tx.db
    .insertInto('entities')
    .values({ id: subject.id, agent_id: agentId, type: subject.type, name: subject.name, key: subject.key, created_at: 0, updated_at: 0 })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  const names = [{ type: 'name', value: subject.name }, ...(alias === null ? [] : [alias])]
  const aliases = names.flatMap(({ type: given, value }): AliasRow[] => {
    const { type: alias_type, normalized } = normalAlias({ type: given as AliasType, value }, { entityType: subject.type, country })
    if (normalized === '') return []
    return [
      {
        id: uuid5('alias', subject.id, alias_type, normalized, event),
        ...{ agent_id: agentId, entity_id: subject.id, alias_type, value: value.trim(), normalized, given_by: 'text', confidence: 1 },
        ...{ source_type: 'owner', run_id: event, message_id: event, trust: 'owner', created_at: at, span_start: null, span_end: null },
        rank: aliasRank({ type: alias_type, normalized, given_by: 'text', trust: 'owner', createdAt: at, value }),
      },
    ]
  })
  for (const row of aliases)
    await tx.db
      .insertInto('entity_aliases')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  // A statement of only a name is stored as alias alone.
  if (alias !== null) return
  const kind = relation ?? RELATIONS[type]
  const said = redactSensitiveText(text, { mode: 'tools' })
  const row: Insertable<RelationshipsTable> = {
    ...{ id: uuid5('observation', event, subject.id, kind, text), agent_id: agentId, subject_id: subject.id, type: kind, object_id: null },
    ...{ target_literal: said, fact: said, source_type: 'owner', confidence: 1, valid_at: null, invalid_at: null, created_at: at },
    ...{ recorded_at: now, run_id: event, message_id: event, span_start: 0, span_end: text.length, trust: 'owner' },
    corrects: corrects?.id ?? (type === 'correction' ? BY_ITS_WORDS : null),
  }
  await tx.db
    .insertInto('relationships')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ target_literal: said, fact: said }))
    .execute()
  await applySplits(tx, [subject.id])
}

/** A trigger deletes entities without aliases. */
export async function removeRememberedRows(tx: WriteTx, event: string): Promise<void> {
  await tx.db.deleteFrom('relationships').where('run_id', '=', event).execute()
  await tx.db.deleteFrom('episode_entity_mentions').where('run_id', '=', event).execute()
  await tx.db.deleteFrom('entity_aliases').where('run_id', '=', event).execute()
}
