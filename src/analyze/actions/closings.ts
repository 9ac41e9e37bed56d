/** Finds the commits, pull requests and messages that close open actions. Computed on read, so a forgotten message closes nothing. */
import { padded } from '../../core/padded.ts'
import { isTrust, leastTrusted, type Trust } from '../../core/trust.ts'
import { sessionEpisodeId } from '../../episodes/agent-session.ts'
import { DERIVED } from '../../ledgers/derived-events.ts'
import type { Store } from '../../store/store.ts'
import { isSessionSummary, type SessionSummary } from '../session-summary.ts'
import { closes, type LaterDeed } from './closes.ts'

export interface OpenAction {
  readonly id: string
  readonly text: string
  readonly at: number
  readonly trust: string
  readonly session: string | null
  readonly thread: string | null
  /** The agent whose memory holds it; required with a thread. */
  readonly agent?: string
}

export interface Closing {
  readonly text: string
  readonly at: number
  readonly message: string
}

/** Limits per project and per thread, newest first for sessions. */
const SESSIONS = 60
const MESSAGES = 500

export async function closingsOf(store: Store, actions: readonly OpenAction[]): Promise<Map<string, Closing>> {
  const found = new Map<string, Closing>()
  const deedsOf = new Map<string, Promise<Deed[]>>()
  for (const action of actions) {
    const deeds = action.session === null ? await laterInThread(store, action) : await once(deedsOf, store, action.session)
    const closing = await firstThatCloses(store, action, deeds)
    if (closing !== undefined) found.set(action.id, closing)
  }
  return found
}

interface Deed extends LaterDeed {
  readonly message: string
  readonly trust: Trust
  /** Loaded on demand: a summary keeps the message, not its time. */
  readonly at?: number
}

function once(known: Map<string, Promise<Deed[]>>, store: Store, session: string): Promise<Deed[]> {
  const before = known.get(session)
  if (before !== undefined) return before
  const deeds = inProject(store, session)
  known.set(session, deeds)
  return deeds
}

async function firstThatCloses(store: Store, action: OpenAction, deeds: readonly Deed[]): Promise<Closing | undefined> {
  const own = isTrust(action.trust) ? action.trust : 'untrusted'
  // The owner's agent may close the owner's action; a stranger may not.
  const able = deeds.filter(({ trust }) => trust === 'agent' || leastTrusted([trust, own]) === own)
  const closing = able.filter((deed) => closes(action.text, deed))
  if (closing.length === 0) return undefined
  const times = await timesOf(store, closing)
  return closing
    .flatMap(({ text, message, at = times.get(message) }) => (at !== undefined && at > action.at ? [{ text, message, at }] : []))
    .sort((one, other) => one.at - other.at)[0]
}

async function inProject(store: Store, session: string): Promise<Deed[]> {
  const own = await store.read
    .selectFrom('agent_sessions')
    .select((eb) => [eb.fn.coalesce('repository', 'project').as('key'), 'agent_id'])
    .where('id', '=', session)
    .executeTakeFirst()
  let query = store.read
    .selectFrom('agent_sessions')
    .select('id')
    .where('agent_id', '=', own?.agent_id ?? '')
  // Sessions without a project count as one project, as for decisions.
  const key = own?.key ?? null
  query = query.where((eb) => eb(eb.fn.coalesce('repository', 'project'), key === null ? 'is' : '=', key))
  const sessions = await query.orderBy('last_message_at', 'desc').orderBy('id').limit(SESSIONS).execute()
  if (sessions.length === 0) return []
  const runs = await store.read
    .selectFrom('analysis_runs')
    .select('output_text')
    .where('analysis_type_id', '=', 'session_summary')
    .where('episode_id', 'in', padded(sessions.map(({ id }) => sessionEpisodeId(id))))
    .execute()
  return runs.flatMap(({ output_text }) => {
    const summary: unknown = output_text === null ? undefined : JSON.parse(output_text)
    return isSessionSummary(summary) && (summary.trust === 'owner' || summary.trust === 'agent') ? deedsOf(summary) : []
  })
}

function deedsOf({ commits, pulls, done, asked, cites }: SessionSummary): Deed[] {
  const made = new Set([...commits, ...pulls.map(({ text }) => text)])
  const said = new Set([...done, ...asked])
  return cites.flatMap(({ text, source }): Deed[] => {
    const { message } = source
    if (source.call !== undefined && made.has(text)) return [{ kind: 'made', text, message, trust: 'agent' }]
    return source.start !== undefined && said.has(text) ? [{ kind: 'said', text, message, trust: 'agent' }] : []
  })
}

async function laterInThread(store: Store, { thread, at, agent }: OpenAction): Promise<Deed[]> {
  if (thread === null) return []
  let later = store.read
    .selectFrom('events')
    .select(['id', 'content', 'timestamp', 'trust'])
    .where('thread_id', '=', thread)
    .where('timestamp', '>', at)
    .where('source_adapter', '<>', DERIVED)
    .orderBy('timestamp')
    .orderBy('id')
    .limit(MESSAGES)
  if (agent !== undefined) later = later.where('agent_id', '=', agent)
  const rows = await later.execute()
  return rows.flatMap(({ id, content, timestamp, trust }) =>
    sentences(content ?? '').map((text) => ({
      ...{ kind: 'said' as const, text, message: id, at: timestamp },
      trust: isTrust(trust) ? trust : ('untrusted' as const),
    })),
  )
}

const LONGEST = 4_000
const sentences = (text: string): string[] => text.slice(0, LONGEST).split(/(?<=[.!?])\s+|\n+/)

async function timesOf(store: Store, deeds: readonly Deed[]): Promise<Map<string, number>> {
  const ids = [...new Set(deeds.flatMap(({ message, at }) => (at === undefined ? [message] : [])))]
  if (ids.length === 0) return new Map()
  const rows = await store.read.selectFrom('agent_messages').select(['id', 'timestamp']).where('id', 'in', padded(ids)).execute()
  return new Map(rows.flatMap(({ id, timestamp }) => (timestamp === null ? [] : [[id, timestamp] as const])))
}
