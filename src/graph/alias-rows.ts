import type { Insertable } from 'kysely'
import { shortHash } from '../core/hash.ts'
import type { Trust } from '../core/trust.ts'
import { uuid5 } from '../core/uuid5.ts'
import type { EntityAliasesTable } from '../store/tables.ts'
import type { Extracted, ExtractedAlias, ExtractedEntity, Span } from './extracted.ts'
import type { ExtractedFrom, KnownEntity } from './extracted-from.ts'
import { isFullName } from './folded-name.ts'
import type { GraphMessage } from './graph-episode.ts'
import { normalAlias } from './normal-alias.ts'

export type AliasRow = Insertable<EntityAliasesTable> & { readonly id: string; readonly rank: string }

export const IDENTITY: ReadonlyMap<string, ExtractedAlias['type']> = new Map([
  ['HAS_EMAIL', 'email'],
  ['HAS_PHONE', 'phone'],
  ['HAS_HANDLE', 'handle'],
  ['HAS_USERNAME', 'username'],
  ['ALSO_KNOWN_AS', 'name'],
])

interface Given extends Pick<ExtractedAlias, 'type' | 'value' | 'from' | 'maybe'> {
  readonly message: string
  readonly span?: Span | undefined
  readonly confidence: number
}

export function aliasRows(
  { entities, observations }: Extracted,
  of: {
    readonly from: ExtractedFrom
    readonly messages: ReadonlyMap<string, GraphMessage>
    readonly known: ReadonlyMap<string, KnownEntity>
  },
): AliasRow[] {
  const rows = new Map<string, AliasRow>()
  const add = (ref: string, given: Given) => {
    const entity = of.known.get(ref)
    const message = of.messages.get(given.message)
    if (entity === undefined || message === undefined) return
    const row = aliasRow(entity, given, { ...of, message })
    if (row === undefined) return
    const before = rows.get(row.id)
    if (before === undefined || row.rank < before.rank) rows.set(row.id, row)
  }
  for (const entity of entities) for (const given of aliasesOf(entity)) add(entity.ref, given)
  const names = new Map(entities.map(({ ref, name }) => [ref, name]))
  for (const { subject, type, object, span, confidence } of observations) {
    const as = IDENTITY.get(type)
    const value = 'ref' in object ? names.get(object.ref) : object.literal
    if (as !== undefined && value !== undefined) add(subject, { type: as, value, from: 'text', message: span.message, span, confidence })
  }
  return [...rows.values()]
}

/** Adds the entity's name: every entity needs an alias to exist. */
function aliasesOf({ name, aliases, mentions, confidence, elsewhere }: ExtractedEntity): Given[] {
  const [first] = mentions
  if (first === undefined) return []
  const said = aliases.map((alias) => ({ ...alias, message: alias.span?.message ?? first.message, confidence }))
  // The entity is in the graph already and its name is not in this text. A `maybe` alias keeps it while a message means it.
  if (elsewhere !== undefined && 'id' in elsewhere)
    return [...said, { type: 'name', value: name, from: 'text', message: first.message, confidence, maybe: true }]
  if (elsewhere !== undefined) return said
  const inHeader = aliases.some(({ type, value, from }) => type === 'name' && value === name && from === 'header')
  const own = { type: 'name', value: name, from: 'text', message: first.message, span: first, confidence } as const
  return inHeader || aliases.some(({ value }) => value === name) ? said : [...said, own]
}

function aliasRow(
  { id: entity_id, type: entityType, key, isForgotten }: KnownEntity,
  { type: given, value, from: given_by, span, confidence, maybe = false }: Given,
  { from, message }: { readonly from: ExtractedFrom; readonly message: GraphMessage },
): AliasRow | undefined {
  const { type, normalized } = normalAlias({ type: given, value }, { entityType, country: from.country })
  if (normalized === '' || isForgotten(value) || isForgotten(normalized)) return undefined
  const { trust, timestamp } = message
  // Untrusted messages may add to the owner only addresses from the configuration.
  if (key.kind === 'owner' && trust === 'untrusted' && !(given_by === 'header' && from.owner?.handles.has(normalized))) return undefined
  // The tie-break must not depend on the order of runs.
  const tie = shortHash(8, message.message, '\n', from.runId)
  const rank = `${maybe ? LAST : ''}${aliasRank({ type, normalized, given_by, trust, createdAt: timestamp, value })}\u0000${tie}`
  return {
    id: uuid5('alias', entity_id, type, normalized, from.runId),
    ...{ agent_id: from.agentId, entity_id, alias_type: type, value: value.trim(), normalized, given_by, confidence },
    ...{ source_type: from.sourceType ?? 'stated', run_id: from.runId, message_id: message.message, trust, created_at: timestamp },
    ...{ span_start: span?.start ?? null, span_end: span?.end ?? null, rank },
  }
}

const LAST = '9'

const TRUSTED: readonly Trust[] = ['owner', 'agent', 'contact', 'untrusted']

/** After the owner's own names, before all others. */
export const CARD_RANK = '01'

/** Sorts as text: owner's names, names before addresses, trusted first, full names, oldest. */
export function aliasRank(alias: {
  readonly type: string
  readonly normalized: string
  readonly given_by: 'header' | 'text' | 'owner'
  readonly trust: Trust
  readonly createdAt: number
  readonly value: string
}): string {
  const { type, normalized, given_by, trust, createdAt, value } = alias
  const kind = given_by === 'owner' && type === 'name' ? 0 : type === 'name' ? 1 : 2
  const full = isFullName(normalized) ? 0 : 1
  return `${kind}${trust === 'untrusted' ? 1 : 0}${full}${TRUSTED.indexOf(trust)}${String(Math.max(0, createdAt)).padStart(15, '0')}${normalized}\u0000${value}`
}
