/**
 * By what an entity is known: one address, one repository, one name. It is read from what one episode says and from nothing else, so that the same
 * history gives the same entities in any order. Two keys that turn out to be one person are joined later, and can be taken apart again.
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
  /** Whose name for somebody it is, and who that is to them; or in which channel the handle is one. */
  readonly frame: string
}

/** The owner of this memory, by the handles that the configuration gives. */
export interface OwnerKnown {
  readonly name: string | undefined
  /** Normalized (`ledgers/people/own-handles.ts`). */
  readonly handles: ReadonlySet<string>
}

/** The strongest first: where an entity has several identifiers, its key is the strongest, of equals the first in order. */
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

/** As it is stored. */
export function writtenKey({ kind, value, frame }: EntityKey): string {
  return frame === '' ? `${kind}:${value}` : `${kind}:${value}${BETWEEN}${frame}`
}

export function readKey(written: string): EntityKey {
  const [known = '', ...frame] = written.split(BETWEEN)
  const at = known.indexOf(':')
  return { kind: known.slice(0, at) as EntityKey['kind'], value: known.slice(at + 1), frame: frame.join(BETWEEN) }
}

/** Of a stored key: who a person of that first name is to the speaker. */
export function qualifierIn(key: string): string | undefined {
  const [known = '', ...frame] = key.split(BETWEEN)
  return known.startsWith('name:') ? frame[0] : known.startsWith('name_of:') ? frame[1] : undefined
}

/** Sorts the one first that stands for others. */
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

/** What is known by an address in a text is known by that address: nothing else is claimed. A repository's name in a text is what it is, too. */
function namesItself({ name, type, aliases }: ExtractedEntity, by: AliasType): boolean {
  return type !== 'person' ? true : aliases.some((alias) => alias.type === by && alias.value.trim() === name.trim())
}

/** User names are those of one place; an address is the same everywhere. */
export function identifierKey(type: AliasType, value: string, channel: string): EntityKey {
  return { kind: type as EntityKey['kind'], value, frame: type === 'handle' ? channel : '' }
}

/**
 * Who is meant by a name alone: the one who takes part in the conversation under that name, if there is only one; else, by a full name or from the
 * owner's mouth, whom the owner knows by that name; else whom the speaker knows by it. "My sister Sarah" is not the Sarah who takes part.
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

/** The handles of those who take part under a name, or under a full name that begins with it. */
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
