/** Adds names from the owner's address books as aliases. Every settle repeats this, so that a re-created entity gets them back. */

import { padded } from '../core/padded.ts'
import { redactSensitiveText } from '../core/redact.ts'
import { uuid5 } from '../core/uuid5.ts'
import type { WriteTx } from '../store/store.ts'
import { type AliasRow, CARD_RANK } from './alias-rows.ts'
import { normalName } from './normal-alias.ts'
import { hasSeveralNames } from './shared-address.ts'

export const CARD_RUN = 'contacts'

export async function putCardNames(tx: WriteTx, entities: readonly string[]): Promise<void> {
  for (let from = 0; from < entities.length; from += 256) {
    const some = padded(entities.slice(from, from + 256))
    const called = await tx.db
      .selectFrom('entity_aliases as a')
      .innerJoin('entities as e', 'e.id', 'a.entity_id')
      .innerJoin('contacts as c', 'c.handle', 'a.normalized')
      .select(['e.id', 'e.agent_id', 'e.type', 'c.handle', 'c.name', 'c.unit'])
      .distinct()
      .where('a.entity_id', 'in', some)
      .where('a.alias_type', 'in', ['email', 'phone', 'handle'])
      // An address claimed in a text does not name its claimant.
      .where('a.given_by', '<>', 'text')
      .orderBy('c.unit')
      .orderBy('c.handle')
      .orderBy('c.name')
      .execute()
    const stored = await tx.db
      .selectFrom('entity_aliases')
      .selectAll()
      .where('entity_id', 'in', some)
      .where('run_id', '=', CARD_RUN)
      .execute()
    const before = new Map(stored.map((row) => [row.id, row]))
    for (const entity of new Set(called.map(({ id }) => id))) {
      const cards = called.filter(({ id }) => id === entity).map((card) => ({ ...card, name: withoutSecrets(card.name) }))
      for (const row of rowsOf(cards)) {
        const is = before.get(row.id)
        before.delete(row.id)
        if (is === undefined) await tx.db.insertInto('entity_aliases').values(row).execute()
        else if (is.value !== row.value)
          await tx.db.updateTable('entity_aliases').set({ value: row.value }).where('id', '=', row.id).execute()
      }
    }
    for (const id of before.keys()) await tx.db.deleteFrom('entity_aliases').where('id', '=', id).execute()
  }
}

function withoutSecrets(name: string): string {
  return redactSensitiveText(name, { mode: 'tools' })
}

interface Card {
  readonly id: string
  readonly agent_id: string
  readonly type: string
  readonly name: string
}

/** Empty if cards give one handle names of two people. */
function rowsOf(cards: readonly Card[]): AliasRow[] {
  const names = new Map(cards.map((card) => [normalName(card.name, card.type), card]))
  names.delete('')
  if (hasSeveralNames([...names.keys()])) return []
  return [...names].map(([normalized, { id: entity_id, agent_id, name }]) => ({
    id: uuid5('alias', entity_id, 'name', normalized, CARD_RUN),
    ...{ agent_id, entity_id, alias_type: 'name', value: name.trim(), normalized, given_by: 'owner', confidence: 1 },
    ...{ source_type: 'owner', run_id: CARD_RUN, message_id: null, trust: 'owner', created_at: 0, span_start: null, span_end: null },
    rank: `${CARD_RANK}${normalized}`,
  }))
}
