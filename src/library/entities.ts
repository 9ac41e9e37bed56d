import { parseAsOf } from '../core/time.ts'
import type { AliasType } from '../graph/normal-alias.ts'
import type { EntityRow } from '../graph/same-entity.ts'
import { countryOf } from '../ledgers/people/handle.ts'
import type { WriteTx } from '../store/store.ts'
import type { MnemonicEntities } from './mnemonic.ts'
import { noteReturned } from './note-returned.ts'
import type { Home } from './open-home.ts'

export function entities(home: Home): MnemonicEntities {
  const { config, clock } = home
  const agentId = config.agent
  const options = (agent: string | undefined) => ({ agentId: agent ?? agentId, now: clock(), autoMerge: config.graph.auto_merge })
  const named = ({ id, name, type }: EntityRow) => ({ id, name, type })
  async function write<T>(work: (tx: WriteTx, decide: typeof import('../graph/decide.ts')) => Promise<T>): Promise<T> {
    const decide = await import('../graph/decide.ts')
    return (await home.current()).write((tx) => work(tx, decide))
  }
  async function writeKind<T>(work: (tx: WriteTx, decide: typeof import('../graph/decide-kind.ts')) => Promise<T>): Promise<T> {
    const decide = await import('../graph/decide-kind.ts')
    return (await home.current()).write((tx) => work(tx, decide))
  }
  return {
    list: async (request = {}) => (await import('../graph/list-entities.ts')).listEntities(await home.current(), request, agentId),
    async show(name, { agent, type, asOf, episodes } = {}) {
      const when = asOf === undefined ? undefined : parseAsOf(asOf, { timezone: home.owner().timezone, now: clock() })
      const { showEntity } = await import('../graph/show-entity.ts')
      const store = await home.current()
      const shown = await showEntity(store, name, { agentId: agent ?? agentId, type, episodes, now: clock(), asOf: when })
      await noteReturned(store, home, [{ kind: 'entity', id: shown.entity.id }])
      return shown
    },
    review: async (request = {}) => (await import('../graph/candidate-list.ts')).listCandidates(await home.current(), request, agentId),
    merge: (from, into, { agent } = {}) =>
      write(async (tx, { mergeEntities }) => {
        const merged = await mergeEntities(tx, { from, into }, options(agent))
        return { merged: { from: named(merged.from), into: named(merged.into) } }
      }),
    unmerge: (name, { agent } = {}) =>
      write(async (tx, { unmergeEntity }) => {
        const { entity, from } = await unmergeEntity(tx, name, options(agent))
        return { unmerged: { entity: named(entity), from: from.map(named) } }
      }),
    reject: (one, other, { agent } = {}) =>
      write(async (tx, { rejectCandidate }) => {
        const { a, b } = await rejectCandidate(tx, { one, other }, options(agent))
        return { rejected: { a: named(a), b: named(b) } }
      }),
    alias: (entity, value, { agent, type, remove = false } = {}) =>
      write(async (tx, { aliasEntity, removeAlias }) => {
        const of = remove
          ? await removeAlias(tx, { entity, value }, options(agent))
          : await aliasEntity(
              tx,
              { entity, value, type: type as AliasType | undefined, country: countryOf(home.owner().phones) },
              options(agent),
            )
        return { alias: { entity: named(of), value: value.trim(), removed: remove } }
      }),
    retype: (entity, type, { agent } = {}) =>
      writeKind(async (tx, { retypeEntity }) => {
        const addedTypes = config.graph.entity_types
        const { entity: now, was } = await retypeEntity(tx, { entity, type, addedTypes }, options(agent))
        return { retyped: { entity: named(now), was } }
      }),
    places: async (entity, { agent } = {}) => {
      const { splitPlaces } = await import('../graph/decide-kind.ts')
      const { entity: of, places } = await splitPlaces({ db: (await home.current()).read }, entity, options(agent))
      return { entity: named(of), places }
    },
    split: (entity, { take, agent }) =>
      writeKind(async (tx, { splitEntity }) => {
        const { entity: whole, part, taken } = await splitEntity(tx, { entity, take }, options(agent))
        return { split: { entity: named(whole), part: named(part), taken } }
      }),
    unsplit: (entity, { agent } = {}) =>
      writeKind(async (tx, { unsplitEntity }) => {
        const { entity: whole, part } = await unsplitEntity(tx, entity, options(agent))
        return { unsplit: { entity: named(whole), part: named(part) } }
      }),
  }
}
