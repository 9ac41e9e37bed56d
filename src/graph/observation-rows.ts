import type { Insertable } from 'kysely'
import { uuid5 } from '../core/uuid5.ts'
import type { RelationshipsTable } from '../store/tables.ts'
import { IDENTITY } from './alias-rows.ts'
import type { Extracted } from './extracted.ts'
import type { ExtractedFrom, KnownEntity } from './extracted-from.ts'
import type { GraphMessage } from './graph-episode.ts'

export type ObservationRow = Insertable<RelationshipsTable> & { readonly id: string; readonly message_id: string }

export function observationRows(
  { observations }: Extracted,
  {
    from,
    messages,
    known,
  }: {
    readonly from: ExtractedFrom
    readonly messages: ReadonlyMap<string, GraphMessage>
    readonly known: ReadonlyMap<string, KnownEntity>
  },
): ObservationRow[] {
  const rows = new Map<string, ObservationRow>()
  for (const { subject, type, object, fact, confidence, validAt, invalidAt, sourceType, span } of observations) {
    const of = known.get(subject)
    const message = messages.get(span.message)
    const target = 'ref' in object ? known.get(object.ref)?.id : undefined
    // Stores nothing with a forgotten entity on either side.
    if (IDENTITY.has(type) || of === undefined || message === undefined || ('ref' in object && target === undefined)) continue
    // An untrusted message with the owner's address may be forged.
    if (of.key.kind === 'owner' && message.trust === 'untrusted') continue
    const literal = 'literal' in object ? object.literal : null
    if (of.isForgotten(fact) || (literal !== null && of.isForgotten(literal))) continue
    const { message: message_id, timestamp, trust } = message
    const id = uuid5(
      ...['observation', from.runId, of.id, type, target ?? '', literal ?? '', message_id],
      ...[String(span.start), String(span.end)],
    )
    rows.set(id, {
      ...{ id, agent_id: from.agentId, subject_id: of.id, type, object_id: target ?? null, target_literal: literal, fact },
      ...{ source_type: sourceType ?? from.sourceType ?? 'stated', confidence, valid_at: validAt ?? null, invalid_at: invalidAt ?? null },
      ...{ created_at: timestamp, recorded_at: from.now, run_id: from.runId, message_id, trust },
      ...{ span_start: span.start, span_end: span.end },
    })
  }
  return [...rows.values()]
}
