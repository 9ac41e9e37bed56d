/**
 * The key of an entity: one address, repository or name. It depends on one episode alone, so any order of the same history gives the same
 * entities. Keys of one person are merged later, and the merge can be undone.
 */
import type { CountryCode } from 'libphonenumber-js/min'
import { uuid5 } from '../core/uuid5.ts'
import { type ExtractedEntity, OWNER_REF } from './extracted.ts'
import { foldedPersonName, isFullName } from './folded-name.ts'
import type { GraphEpisode, GraphMessage } from './graph-episode.ts'
import { type AliasType, isIdentifier, normalAlias } from './normal-alias.ts'

const BETWEEN = '\u001f'

export interface EntityKey {
  readonly kind: 'owner' | Exclude<AliasType, 'name'> | 'name' | 'name_of'
  readonly value: string
  /** For a name: whose name it is, and the relation to them. For a handle: its channel. */
  readonly frame: string
}

export interface OwnerKnown {
  readonly name: string | undefined
  /** Normalized (`ledgers/people/own-handles.ts`). */
  readonly handles: ReadonlySet<string>
}

/** Strongest first: an entity's key is its strongest identifier, then the first in order. */
const STRENGTH: readonly EntityKey['kind'][] = [
  'owner',
  'email',
  'phone',
  'handle',
  'username',
  'repository',
  'package',
  'path',
  'name',
  'name_of',
]

export const OWNER_KEY: EntityKey = { kind: 'owner', value: '', frame: '' }

export function entityId(agentId: string, type: string, key: EntityKey): string {
  return uuid5('entity', agentId, type, writtenKey(key))
}

export function writtenKey({ kind, value, frame }: EntityKey): string {
  return frame === '' ? `${kind}:${value}` : `${kind}:${value}${BETWEEN}${frame}`
}

export function readKey(written: string): EntityKey {
  const [known = '', ...frame] = written.split(BETWEEN)
  const at = known.indexOf(':')
  return { kind: known.slice(0, at) as EntityKey['kind'], value: known.slice(at + 1), frame: frame.join(BETWEEN) }
}

export function qualifierIn(key: string): string | undefined {
  const [known = '', ...frame] = key.split(BETWEEN)
  return known.startsWith('name:') ? frame[0] : known.startsWith('name_of:') ? frame[1] : undefined
}

export function keyRank(key: string): string {
  const kind = key.slice(0, key.indexOf(':'))
  return `${(STRENGTH as readonly string[]).indexOf(kind)}${key}`
}

export function keyOf(
  entity: ExtractedEntity,
  context: {
    readonly episode: GraphEpisode
    readonly messages: ReadonlyMap<string, GraphMessage>
    readonly owner?: OwnerKnown | undefined
    readonly country?: CountryCode | undefined
  },
): EntityKey | undefined {
  const { owner, country, episode } = context
  if (entity.ref === OWNER_REF) return OWNER_KEY
  const given = entity.aliases
    .filter(({ type, from }) => isIdentifier(type) && (from === 'header' || namesItself(entity, type)))
    .map((alias) => ({ ...normalAlias(alias, { entityType: entity.type, country }), from: alias.from }))
    .filter(({ normalized }) => normalized !== '')
  if (entity.type === 'person' && given.some(({ normalized }) => owner?.handles.has(normalized))) return OWNER_KEY
  const [best] = given
    .map(({ type, normalized, from }) => identifierKey(type, normalized, from === 'header' ? (episode.channel ?? '') : ''))
    .sort((a, b) => (keyRank(writtenKey(a)) < keyRank(writtenKey(b)) ? -1 : 1))
  if (best !== undefined) return best
  const { normalized } = normalAlias({ type: 'name', value: entity.name }, { entityType: entity.type })
  if (normalized === '') return undefined
  return entity.type === 'person' ? personByName(entity, normalized, context) : { kind: 'name', value: normalized, frame: '' }
}

/** An entity named by its own address or repository in a text has that as its key. */
function namesItself({ name, type, aliases }: ExtractedEntity, by: AliasType): boolean {
  return type !== 'person' ? true : aliases.some((alias) => alias.type === by && alias.value.trim() === name.trim())
}

/** Handles are unique only within a channel; addresses everywhere. */
export function identifierKey(type: AliasType, value: string, channel: string): EntityKey {
  return { kind: type as EntityKey['kind'], value, frame: type === 'handle' ? channel : '' }
}

/**
 * Resolves a bare name: the only participant of that name; else, for full names and the owner's messages, the owner's acquaintance; else
 * the speaker's. "My sister Sarah" is not the participant Sarah.
 */
function personByName(
  entity: ExtractedEntity,
  name: string,
  { episode, messages, owner, country }: Parameters<typeof keyOf>[1],
): EntityKey {
  const said = entity.mentions.flatMap(({ message }) => messages.get(message) ?? [])
  const speakers = new Set(said.flatMap(({ handle }) => handle ?? []))
  const qualifier = isFullName(name) ? undefined : entity.qualifier
  const meant = qualifier === undefined ? namedAs(name, episode).filter((handle) => !speakers.has(handle)) : []
  if (meant.length === 1 && meant[0] !== undefined) {
    if (owner?.handles.has(meant[0])) return OWNER_KEY
    const { type, normalized } = normalAlias({ type: 'handle', value: meant[0] }, { entityType: 'person', country })
    return identifierKey(type, normalized, episode.channel ?? '')
  }
  const ofOwner = said.some(({ trust }) => trust === 'owner' || trust === 'agent')
  const believed = said.some(({ trust }) => trust !== 'untrusted')
  if (ofOwner || (believed && isFullName(name))) return { kind: 'name', value: name, frame: qualifier ?? '' }
  const speaker = [...speakers].sort()[0] ?? episode.thread ?? episode.id
  return { kind: 'name_of', value: name, frame: qualifier === undefined ? speaker : `${speaker}${BETWEEN}${qualifier}` }
}

function namedAs(name: string, { people, messages }: GraphEpisode): string[] {
  const found = new Set<string>()
  const look = (handle: string | null, written: string | null) => {
    if (handle === null || written === null) return
    const folded = foldedPersonName(written)
    if (folded === name || (!name.includes(' ') && folded.startsWith(`${name} `))) found.add(handle)
  }
  for (const { handle, name: written } of people) look(handle, written)
  for (const { handle, speaker } of messages) look(handle, speaker)
  return [...found]
}
