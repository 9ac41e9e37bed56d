import { oneLine } from '../../core/text.ts'
import { leastTrusted } from '../../core/trust.ts'
import { eventIdsNaming, messagesNaming, scopeOfEntity } from '../../graph/read/entity-scope.ts'
import { episodesNaming } from '../../graph/read/mentions.ts'
import { type Citation, type SynthesizedStatement, synthesize } from '../../graph/read/synthesize.ts'
import type { Store } from '../../store/store.ts'
import type { Cite, CitedSentence, Dossier } from './cited.ts'
import { countedIn } from './counted-in.ts'
import { namedIn } from './named-in.ts'
import { statementSections } from './statement-sections.ts'

const MOST_CITES = 3
const MOST_EPISODES = 10

export async function entityDossier(store: Store, entityId: string, { agentId, now }: { agentId: string; now: number }): Promise<Dossier> {
  const known = await synthesize(store, entityId, { agentId, now })
  const all = [...known.current, ...known.former, ...known.uncertain]
  const counted = await countedIn(store, all)
  const sentences = (statements: readonly SynthesizedStatement[]) => statements.flatMap((one) => sentence(one, counted))
  const scope = await scopeOfEntity(store, entityId)
  const said = await statementSections(store, agentId, (db) => ({ messages: [messagesNaming(db, scope), eventIdsNaming(db, scope)] }))
  const episodes = await episodesNaming(store, entityId, { agentId, limit: MOST_EPISODES })
  const named = await namedIn(store, episodes)
  const cited = all.flatMap(({ observations }) => observations)
  return {
    ...{ kind: 'entity', subject: entityId, title: known.entity.name, agentId },
    sections: [
      { title: 'What holds', sentences: sentences(known.current) },
      { title: 'What held before', sentences: sentences(known.former) },
      { title: 'What is only claimed', sentences: sentences(known.uncertain) },
      ...said.sections,
      { title: known.entity.type === 'person' ? 'Where they speak or are named' : 'Where it is named', sentences: named.sentences },
    ],
    trust: leastTrusted([...cited.map(({ trust }) => trust), ...said.trusts, ...named.trusts]),
    newest: latest([...cited.map(({ said_at }) => Date.parse(said_at)), ...said.times, ...episodes.map(({ end }) => Date.parse(end))]),
  }
}

export function latest(times: readonly number[]): number | null {
  return times.length === 0 ? null : times.reduce((a, b) => Math.max(a, b))
}

function sentence(statement: SynthesizedStatement, counted: ReadonlyMap<string, readonly Cite[]>): CitedSentence[] {
  const { subject, type, object, literal, why, since, until, replaced_by, observations } = statement
  const cites = observations.slice(-MOST_CITES).flatMap((one) => citesOf(one, counted))
  const last = observations.at(-1)
  if (cites.length === 0 || last === undefined) return []
  const times = [since === null ? '' : `since ${since.slice(0, 10)}`, until === null ? '' : `until ${until.slice(0, 10)}`]
  const notes = [...times, why === null ? '' : replaced_by === null ? why : `${why} by ${replaced_by}`].filter(Boolean)
  const what = `${subject.name} ${type.toLowerCase().replaceAll('_', ' ')} ${object?.name ?? literal ?? ''}`
  return [{ text: `${what}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}: “${oneLine(last.fact, 300)}”`, cites }]
}

function citesOf({ relationship_id, message_id, span, id }: Citation, counted: ReadonlyMap<string, readonly Cite[]>): readonly Cite[] {
  if (message_id === '') return (counted.get(relationship_id) ?? []).slice(0, MOST_CITES)
  return span === null ? [] : [{ message: message_id, span, id }]
}
