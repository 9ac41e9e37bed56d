import { padded } from '../core/padded.ts'
import type { WriteTx } from '../store/store.ts'
import { type Profile, type ProfileAlias, withoutLegalForm } from './evidence.ts'
import { foldedPersonName } from './folded-name.ts'
import { lookedUp } from './name-agreement.ts'
import { beginningsOf } from './place-names.ts'
import { hasSeveralNames } from './shared-address.ts'

type Db = WriteTx['db']

export async function profilesOf(db: Db, ids: readonly string[]): Promise<Map<string, Profile>> {
  const profiles = new Map<string, Profile>()
  const asked = [...new Set(ids)]
  for (let from = 0; from < asked.length; from += 256) {
    const some = padded(asked.slice(from, from + 256))
    const rows = await db.selectFrom('entities').select(['id', 'agent_id', 'type', 'key']).where('id', 'in', some).execute()
    const aliases = await aliasesOf(db, some)
    const cards = await cardsOf(db, aliases)
    for (const { id, agent_id: agentId, type, key } of rows) {
      const own = aliases.get(id) ?? []
      const stands = new Set(own.flatMap(({ normalized, givenBy }) => (givenBy === 'text' ? [] : [...(cards.get(normalized) ?? [])])))
      profiles.set(id, { id, agentId, type, key, aliases: own, cards: stands })
    }
  }
  return profiles
}

async function aliasesOf(db: Db, ids: readonly string[]): Promise<Map<string, ProfileAlias[]>> {
  const rows = await db
    .selectFrom('entity_aliases')
    .select(['entity_id', 'alias_type', 'normalized', 'given_by', 'trust'])
    .distinct()
    .where('entity_id', 'in', ids)
    .execute()
  const found = new Map<string, Map<string, ProfileAlias>>()
  for (const { entity_id, alias_type: type, normalized, given_by: givenBy, trust } of rows) {
    const of = found.get(entity_id) ?? new Map<string, ProfileAlias>()
    found.set(entity_id, of)
    const key = `${type}\n${normalized}\n${givenBy}`
    const untrusted = trust === 'untrusted' && (of.get(key)?.untrusted ?? true)
    of.set(key, { type, normalized, givenBy, untrusted })
  }
  return new Map([...found].map(([id, of]) => [id, [...of.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, alias]) => alias)]))
}

async function cardsOf(db: Db, aliases: ReadonlyMap<string, readonly ProfileAlias[]>): Promise<Map<string, Set<string>>> {
  const handles = [...new Set([...aliases.values()].flat().flatMap(({ type, normalized }) => (type === 'name' ? [] : [normalized])))]
  const cards = new Map<string, Set<string>>()
  const names = new Map<string, string[]>()
  for (let from = 0; from < handles.length; from += 256) {
    const rows = await db
      .selectFrom('contacts')
      .select(['handle', 'card', 'name'])
      .where('handle', 'in', padded(handles.slice(from, from + 256)))
      .where('card', 'is not', null)
      .execute()
    for (const { handle, card, name } of rows) {
      if (card !== null) cards.set(handle, (cards.get(handle) ?? new Set()).add(card))
      names.set(handle, [...(names.get(handle) ?? []), foldedPersonName(name)])
    }
  }
  // Ignores handles on cards of two people: anybody can send a card with any number.
  for (const [handle, called] of names) if (hasSeveralNames([...new Set(called)])) cards.delete(handle)
  return cards
}

const MOST_OF_A_NAME = 5000

export async function neighboursOf(db: Db, profile: Profile): Promise<Set<string>> {
  const found = new Set<string>()
  const add = (rows: readonly { readonly entity_id: string }[]) => {
    for (const { entity_id } of rows) found.add(entity_id)
  }
  const aliases = () =>
    db.selectFrom('entity_aliases').select('entity_id').distinct().where('agent_id', '=', profile.agentId).limit(MOST_OF_A_NAME)
  for (const { type, normalized, untrusted } of profile.aliases) {
    if (untrusted) continue
    if (type !== 'name') add(await aliases().where('alias_type', '=', type).where('normalized', '=', normalized).execute())
    else if (profile.type === 'person') {
      const { whole, beginning } = lookedUp(normalized)
      add(await aliases().where('alias_type', '=', 'name').where('normalized', 'in', padded(whole)).execute())
      for (const start of beginning)
        add(
          await aliases()
            .where('alias_type', '=', 'name')
            .where('normalized', '>=', start)
            .where('normalized', '<', `${start}\u{10ffff}`)
            .execute(),
        )
    } else {
      const names = aliases().where('alias_type', '=', 'name')
      add(
        await names
          .where(
            'normalized',
            'in',
            padded([normalized, withoutLegalForm(normalized), ...(profile.type === 'location' ? beginningsOf(normalized) : [])]),
          )
          .execute(),
      )
      const start = `${withoutLegalForm(normalized)} `
      add(await names.where('normalized', '>=', start).where('normalized', '<', `${start}\u{10ffff}`).execute())
    }
  }
  if (profile.cards.size > 0) add(await onCards(db, profile))
  found.delete(profile.id)
  return found
}

async function onCards(db: Db, { agentId, cards }: Profile): Promise<{ entity_id: string }[]> {
  return db
    .selectFrom('contacts')
    .innerJoin('entity_aliases', 'entity_aliases.normalized', 'contacts.handle')
    .select('entity_aliases.entity_id')
    .distinct()
    .where('contacts.card', 'in', padded([...cards]))
    .where('entity_aliases.alias_type', 'in', ['email', 'phone', 'handle'])
    .where('entity_aliases.agent_id', '=', agentId)
    .execute()
}
