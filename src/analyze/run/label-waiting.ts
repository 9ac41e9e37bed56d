/**
 * The step of a sync that labels turns which are over: a short label, a summary, topics, by rules, in the row of the turn. It makes no runs:
 * a turn without a label waits, and one that was looked at has one, if an empty one. Repeating it changes nothing.
 */
import { throwIfStopped } from '../../core/stopped.ts'
import { labelTurns, unlabelTurns } from '../../ledgers/label-turns.ts'
import type { Lease } from '../../store/lease.ts'
import { META, readMeta, writeMeta } from '../../store/meta.ts'
import type { Store } from '../../store/store.ts'
import { TOPICS_BY_RULES } from '../extract/topics-by-rules.ts'
import { topicTags } from '../topics.ts'
import { loadEpisodes } from './load-episodes.ts'
import { spokenText } from './spoken-text.ts'
import { labelOf, TURN_LABELS } from './turn-labels.ts'

export interface LabelOptions {
  /** Whether the turns of an agent get labels. */
  readonly isOn: (agentId: string) => boolean
  readonly lease?: Lease | undefined
  readonly signal?: AbortSignal | undefined
}

/** What came of a turn stands in its calls. */
const READS = 'calls'
/** Turns of one transaction. */
const AT_ONCE = 256

/** Gives how many turns were labelled. */
export async function labelWaiting(store: Store, { isOn, lease, signal }: LabelOptions): Promise<number> {
  const identity = `${TURN_LABELS.version} ${TOPICS_BY_RULES.version}`
  if ((await readMeta(store.read, META.labelsIdentity)) !== identity) await startAgain(store, identity, lease)
  let count = 0
  for (const session of await sessionsThatWait(store, isOn)) {
    const waiting = await turnsThatWait(store, session)
    for (let from = 0; from < waiting.length; from += AT_ONCE) {
      throwIfStopped(signal, 'sync')
      const some = waiting.slice(from, from + AT_ONCE)
      const found = new Map(some.map(({ turn }) => [turn, { turn, label: '', summary: null as string | null, topics: [] as string[] }]))
      const episodes = some.flatMap(({ episode }) => (episode === undefined ? [] : [{ ...episode, strategy: 'agent_turn' as const }]))
      for await (const episode of loadEpisodes(store.read, episodes, READS)) {
        const turn = episode.messages[0]?.turn ?? episode.calls[0]?.turn
        if (turn != null) found.set(turn, { turn, ...labelOf(episode), topics: topicTags(spokenText(episode)) })
      }
      await store.write(async (tx) => {
        await lease?.check(tx)
        await labelTurns(tx, [...found.values()])
      })
      count += found.size
    }
  }
  return count
}

/** Another version of the rules: all that rules said is said again. */
async function startAgain(store: Store, identity: string, lease: Lease | undefined): Promise<void> {
  await store.write(async (tx) => {
    await lease?.check(tx)
    await unlabelTurns(tx)
    await writeMeta(tx.db, META.labelsIdentity, identity)
  })
}

async function sessionsThatWait(store: Store, isOn: (agentId: string) => boolean): Promise<string[]> {
  const rows = await store.read
    .selectFrom('agent_turns as t')
    .innerJoin('agent_sessions as s', 's.id', 't.session_id')
    .select(['s.id', 's.agent_id'])
    .distinct()
    .where('t.label', 'is', null)
    .where('t.status', '<>', 'open')
    .execute()
  return rows.filter(({ agent_id }) => isOn(agent_id)).map(({ id }) => id)
}

async function turnsThatWait(store: Store, session: string) {
  const turns = await store.read
    .selectFrom('agent_turns')
    .select(['id', 'opener_id'])
    .where('session_id', '=', session)
    .where('label', 'is', null)
    .where('status', '<>', 'open')
    .execute()
  const episodes = await store.read
    .selectFrom('episodes')
    .selectAll()
    .where('definition_id', '=', 'agent_turn')
    .where('thread_id', '=', session)
    .execute()
  const by = new Map(episodes.map((episode) => [episode.first_event_id, episode]))
  return turns.map(({ id, opener_id }) => ({ turn: id, episode: by.get(opener_id) }))
}
