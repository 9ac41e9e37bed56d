/**
 * Sync step that labels finished turns by rules, in the turn's row, without runs. A turn waits until it has a label, even an empty one.
 * Idempotent.
 */
import { setImmediate as pause } from 'node:timers/promises'
import { madeAhead } from '../../core/made-ahead.ts'
import { throwIfStopped } from '../../core/stopped.ts'
import { labelTurns, unlabelTurns } from '../../ledgers/label-turns.ts'
import type { Lease } from '../../store/lease.ts'
import { META, readMeta, writeMeta } from '../../store/meta.ts'
import type { Store } from '../../store/store.ts'
import type { EpisodeText } from '../analyzer.ts'
import { TOPICS_BY_RULES } from '../extract/topics-by-rules.ts'
import { type LabelledTurn, labelled, turnOf } from './labelled.ts'
import { loadEpisodes } from './load-episodes.ts'
import { TURN_LABELS } from './turn-labels.ts'

/** Must be pure: may run in another thread. */
export type MakeLabels = (episodes: readonly EpisodeText[]) => Promise<readonly LabelledTurn[]>

export interface LabelOptions {
  readonly isOn: (agentId: string) => boolean
  readonly makeLabels?: MakeLabels | undefined
  readonly lease?: Lease | undefined
  readonly signal?: AbortSignal | undefined
}

const READS = 'calls'
const AT_ONCE = 256
const CALLS_AT_ONCE = 400
/** Batches read ahead of the writes, if another thread labels some. */
const AHEAD = 3

export async function labelWaiting(store: Store, { isOn, makeLabels, lease, signal }: LabelOptions): Promise<number> {
  const identity = `${TURN_LABELS.version} ${TOPICS_BY_RULES.version}`
  if ((await readMeta(store.read, META.labelsIdentity)) !== identity) await startAgain(store, identity, lease)
  let count = 0
  const make = async ({ episodes, silent }: ToLabel) => [...(await (makeLabels ?? labelHere)(episodes)), ...silent.map(unsaid)]
  for await (const labels of madeAhead(toLabel(store, isOn), make, makeLabels === undefined ? 1 : AHEAD)) {
    await pause()
    throwIfStopped(signal, 'sync')
    await store.write(async (tx) => {
      await lease?.check(tx)
      await labelTurns(tx, labels)
    })
    count += labels.length
  }
  return count
}

interface ToLabel {
  readonly episodes: readonly EpisodeText[]
  readonly silent: readonly string[]
}

async function* toLabel(store: Store, isOn: LabelOptions['isOn']): AsyncGenerator<ToLabel> {
  for (const session of await sessionsThatWait(store, isOn)) {
    const waiting = await turnsThatWait(store, session)
    for (let from = 0; from < waiting.length; from += AT_ONCE) {
      const some = waiting.slice(from, from + AT_ONCE)
      const silent = new Set(some.map(({ turn }) => turn))
      let episodes: EpisodeText[] = []
      let room = CALLS_AT_ONCE
      const waits = some.flatMap(({ episode }) => (episode === undefined ? [] : [{ ...episode, strategy: 'agent_turn' as const }]))
      for await (const episode of loadEpisodes(store.read, waits, READS)) {
        episodes.push(episode)
        silent.delete(turnOf(episode) ?? '')
        room -= episode.calls.length
        if (room > 0) continue
        yield { episodes, silent: [] }
        episodes = []
        room = CALLS_AT_ONCE
      }
      yield { episodes, silent: [...silent] }
    }
  }
}

function unsaid(turn: string): LabelledTurn {
  return { turn, label: '', summary: null, topics: [] }
}

const labelHere: MakeLabels = async (episodes) => labelled(episodes)

/** A new rules version relabels everything that rules labelled. */
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
