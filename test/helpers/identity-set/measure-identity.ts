/** Writes the labelled conversations as analysis runs and counts the results. */
import type { EpisodeText } from '../../../src/analyze/analyzer.ts'
import { extractGraph } from '../../../src/analyze/extract/extract-graph.ts'
import { shortHash } from '../../../src/core/hash.ts'
import type { ExtractedEntity } from '../../../src/graph/extracted.ts'
import { writeExtracted } from '../../../src/graph/write-extracted.ts'
import type { Store } from '../../../src/store/store.ts'
import { found, from, observed, runOf, spanIn, type Told, tell } from '../graph-story.ts'
import { type LabelledConversation, type LabelledSet, OWNER_HANDLES, TUNED } from './identity-set.ts'

export interface Measured {
  /** Labelled headers and names. */
  readonly places: number
  readonly people: number
  readonly entities: number
  /** Pairs in one entity that are one person. */
  readonly precision: number
  /** Pairs of one person that are in one entity. */
  readonly recall: number
  /** Recall after perfect review of all candidates. */
  readonly reviewedRecall: number
  readonly candidates: number
  readonly rightCandidates: number
  readonly joined: number
  readonly falseJoined: readonly string[]
  /** Entities with several people, by label. */
  readonly mixed: readonly string[]
}

interface Place {
  readonly label: string
  readonly entity: string
}

export async function measureIdentity(store: Store, autoMerge: boolean, { cards, conversations }: LabelledSet = TUNED): Promise<Measured> {
  await putCards(store, cards)
  const places: Place[] = []
  for (const [at, conversation] of conversations.entries()) places.push(...(await write(store, { conversation, at }, autoMerge)))
  const rows = await store.read.selectFrom('entities').select(['id', 'canonical_id', 'name']).where('type', '=', 'person').execute()
  const rootOf = new Map(rows.map(({ id, canonical_id }) => [id, canonical_id ?? id]))
  const labels = new Map<string, Set<string>>()
  for (const { label, entity } of places) labels.set(entity, (labels.get(entity) ?? new Set()).add(label))
  const isOne = (a: string, b: string) => [...(labels.get(a) ?? [])].some((label) => labels.get(b)?.has(label))
  const pairs = await store.read.selectFrom('merge_candidates').selectAll().execute()
  const open = pairs.filter(({ status }) => status === 'proposed')
  const joined = pairs.filter(({ status }) => status === 'merged')
  const nameOf = new Map(rows.map(({ id, name }) => [id, name]))
  const roots = (of: ReadonlyMap<string, string>) => places.map(({ label, entity }) => ({ label, entity: of.get(entity) ?? entity }))
  const reviewed = joinAll(
    rootOf,
    open.filter((row) => isOne(row.entity_a_id, row.entity_b_id)).map((row) => [row.entity_a_id, row.entity_b_id]),
  )
  const held = new Map<string, Set<string>>()
  for (const { label, entity } of roots(rootOf)) held.set(entity, (held.get(entity) ?? new Set()).add(label))
  return {
    ...{ places: places.length, people: new Set(places.map(({ label }) => label)).size, entities: new Set(rootOf.values()).size },
    ...counted(roots(rootOf)),
    reviewedRecall: counted(roots(reviewed)).recall,
    ...{
      candidates: open.length,
      rightCandidates: open.filter((row) => isOne(row.entity_a_id, row.entity_b_id)).length,
      joined: joined.length,
    },
    falseJoined: joined
      .filter((row) => !isOne(row.entity_a_id, row.entity_b_id))
      .map((row) => `${nameOf.get(row.entity_a_id)} = ${nameOf.get(row.entity_b_id)}`),
    mixed: [...held.values()].filter(({ size }) => size > 1).map((one) => [...one].sort().join(' + ')),
  }
}

/** Without the owner, who is in every header. */
function counted(all: readonly Place[]): { precision: number; recall: number } {
  const places = all.filter(({ label }) => label !== 'owner')
  let [same, one, both] = [0, 0, 0]
  places.forEach((a, at) => {
    for (const b of places.slice(at + 1)) {
      if (a.entity === b.entity) same++
      if (a.label === b.label) one++
      if (a.entity === b.entity && a.label === b.label) both++
    }
  })
  return { precision: both / same, recall: both / one }
}

function joinAll(rootOf: ReadonlyMap<string, string>, pairs: readonly (readonly [string, string])[]): Map<string, string> {
  const joined = new Map(rootOf)
  for (const [a, b] of pairs) {
    const [from_, into] = [joined.get(a) ?? a, joined.get(b) ?? b]
    for (const [id, root] of joined) if (root === from_) joined.set(id, into)
  }
  return joined
}

async function putCards(store: Store, cards: LabelledSet['cards']): Promise<void> {
  await store.write((tx) =>
    tx.db
      .insertInto('contacts')
      .values(
        cards.flatMap(([name, ...handles]) =>
          handles.map((handle) => ({ handle, unit: '/book.vcf', name, card: shortHash(16, ...handles) })),
        ),
      )
      .execute(),
  )
}

async function write(
  store: Store,
  { conversation, at }: { readonly conversation: LabelledConversation; readonly at: number },
  autoMerge: boolean,
): Promise<Place[]> {
  const { id, channel, trust, says, names = [], claims = [] } = conversation
  const people = [...(conversation.from === undefined ? [] : [conversation.from]), ...(conversation.to ?? [])]
  const told: Told = {
    ...{
      id,
      channel,
      trust,
      says,
      at,
      to: (conversation.to ?? []).map(([, handle, name]) => [handle, name] as const),
    },
    ...(conversation.from === undefined ? {} : { from: [conversation.from[1], conversation.from[2]] as const }),
  }
  const headers = people.map(([label, handle, name, also], nth): ExtractedEntity & { label: string } => ({
    ...{
      ref: `header ${nth}`,
      label,
      type: 'person',
      name: name ?? handle,
      mentions: [{ message: `${channel}:${id}`, start: 0, end: 0 }],
      confidence: 1,
    },
    aliases: [
      { type: 'handle', value: handle, from: 'header' },
      ...(also === undefined ? [] : [{ type: 'handle', value: also, from: 'header' } as const]),
      ...(name === null ? [] : [{ type: 'name', value: name, from: 'header' } as const]),
    ],
  }))
  if (conversation.byRules === true) return writeByRules(store, { conversation, told, headers }, autoMerge)
  const said = names.map(([label, name], at): ExtractedEntity & { label: string } => ({
    ...{ ref: `name ${at}`, label, type: 'person', name, aliases: [], mentions: [spanIn(told, name)], confidence: 0.9 },
  }))
  const observations = claims.flatMap(([name, type, value]) => {
    const of = said.find((one) => one.name === name)
    return of === undefined ? [] : [observed(told, of, type, value, says)]
  })
  return store.write(async (tx) => {
    const episode = await tell(tx, told)
    const runId = await runOf(tx, episode)
    const owner = { name: 'Me', handles: new Set(OWNER_HANDLES) }
    const { entities } = await writeExtracted(tx, from(told, { runId, autoMerge, owner }), found([...headers, ...said], observations))
    return [...headers, ...said].flatMap(({ ref, label }) => {
      const entity = entities.get(ref)
      return entity === undefined ? [] : [{ label, entity }]
    })
  })
}

interface ByRules {
  readonly conversation: LabelledConversation
  readonly told: Told
  readonly headers: readonly (ExtractedEntity & { readonly label: string })[]
}

/** A name that the rules miss has no place. */
async function writeByRules(store: Store, { conversation, told, headers }: ByRules, autoMerge: boolean): Promise<Place[]> {
  const { says, trust, names = [] } = conversation
  const owner = { name: 'Me', handles: new Set(OWNER_HANDLES) }
  return store.write(async (tx) => {
    const episode = await tell(tx, told)
    const runId = await runOf(tx, episode)
    const [message] = episode.messages
    const toAgent = episode.channel === 'claude-code'
    const text: EpisodeText = {
      ...{ id: episode.id, definition: 'told', agentId: 'main', channel: episode.channel, thread: episode.thread, project: null },
      ...{ startTime: 0, endTime: 0, trust, calls: [], cut: false },
      people: episode.people.map((one) => ({ ...one, role: one.handle === message?.handle ? 'from' : 'to' })),
      messages: episode.messages.map((one) => ({
        ...{ ...one, text: says, turn: null, by: 'person', to: toAgent ? 'agent' : 'people', isOwner: trust === 'owner' },
      })),
    }
    const graph = extractGraph(text, { timezone: 'UTC', owner: { name: 'Me' }, observe: true })
    const { entities } = await writeExtracted(tx, from(told, { runId, autoMerge, owner }), graph)
    const seen = new Map<string, number>()
    const spoken = names.flatMap(([label, name]) => {
      const start = says.indexOf(name, seen.get(name) ?? 0)
      seen.set(name, start + name.length)
      const of = graph.entities.find(
        ({ type, mentions }) => type === 'person' && mentions.some((one) => one.start <= start && one.end >= start + name.length),
      )
      const entity = of === undefined ? undefined : entities.get(of.ref)
      return entity === undefined ? [] : [{ label, entity }]
    })
    const written = headers.flatMap(({ label, aliases }) => {
      const handle = aliases.find(({ type }) => type === 'handle')?.value
      const entity = entities.get(`handle:${handle}`) ?? (label === 'owner' ? entities.get('owner') : undefined)
      return entity === undefined ? [] : [{ label, entity }]
    })
    return [...spoken, ...written]
  })
}

export function told(measured: Measured, name: string): string {
  const { places, people, entities, precision, recall, reviewedRecall, candidates, rightCandidates, joined, falseJoined, mixed } = measured
  const percent = (of: number) => `${(of * 100).toFixed(1)} %`
  return [
    `identity, ${name}: ${places} places, ${people} people, ${entities} entities`,
    `  resolution: precision ${percent(precision)}, recall ${percent(recall)}; after review recall ${percent(reviewedRecall)}`,
    `  review list: ${candidates} pairs, ${rightCandidates} right (${percent(candidates === 0 ? 1 : rightCandidates / candidates)})`,
    `  joined without a person: ${joined}, of them false: ${falseJoined.length}${falseJoined.length === 0 ? '' : ` (${falseJoined.join('; ')})`}`,
    `  entities that hold two people: ${mixed.length}${mixed.length === 0 ? '' : ` (${mixed.join('; ')})`}`,
  ].join('\n')
}
