/** What was decided, left to do and preferred, for the head of MEMORY.md: from the derived events of sessions that are published. Reads only. */
import { closingsOf } from '../../analyze/actions/closings.ts'
import { isCourtesy } from '../../analyze/outcome/courtesy.ts'
import { plainLine } from '../../analyze/plain-line.ts'
import { given } from '../../core/given.ts'
import { padded } from '../../core/padded.ts'
import { isTrust } from '../../core/trust.ts'
import { DERIVED } from '../../ledgers/derived-events.ts'
import { OWNER } from '../../ledgers/owner-decisions.ts'
import type { Store } from '../../store/store.ts'
import { artifactPath } from '../format/artifact-name.ts'
import { openPublications } from '../publish/journal.ts'
import type { HeadItem } from './head-item.ts'
import { isLasting } from './lasting.ts'

export interface StatedFacts {
  readonly decisions: readonly HeadItem[]
  readonly actions: readonly HeadItem[]
  /** Of the owner alone. */
  readonly preferences: readonly HeadItem[]
}

export interface StatedOptions {
  readonly agentId: string
  /** Sessions of these projects are in no list. */
  readonly isTemporary: (project: string | null) => boolean
  /** The summaries of the sessions that are listed. */
  readonly listed: ReadonlyMap<string, string>
  /** Whose tasks may still be open: of older sessions nobody knows. */
  readonly recent: ReadonlySet<string>
}

/** The newest of each kind; more than any head shows. */
const MOST = 200
const LONGEST = 200
const LONGEST_ABOUT = 600

/** The newest first. */
export async function statedFacts(store: Store, { agentId, isTemporary, listed, recent }: StatedOptions): Promise<StatedFacts> {
  const newest = async (type: string) =>
    [...(await rememberedOf(store, agentId, type)), ...(await eventsOf(store, agentId, type))].filter(
      ({ project, text, about, session }) =>
        text !== '' && (session === null || (!isTemporary(project) && (about !== undefined || !isCourtesy(text)))),
    )
  const paths = await summaryPaths(store, agentId)
  const items = (events: readonly Stated[]): HeadItem[] =>
    events.flatMap(({ text, at, trust, session, rule, about }, i) => {
      const path = session === null ? undefined : (listed.get(session) ?? paths.get(session))
      // Said twice, the newer one stands.
      const isRepeated = events.findIndex((other) => sameWords(other, { text, about })) < i
      return (path === undefined && session !== null) || isRepeated
        ? []
        : [{ text, at, trust: isTrust(trust) ? trust : 'untrusted', ...given({ path, rule, about }) }]
    })
  const preferences = await newest('preference_stated')
  const actions = await newest('action_item')
  return {
    decisions: items((await newest('decision')).filter((one) => one.session === null || isLasting(one))),
    actions: items(
      await stillOpen(
        store,
        actions.filter(({ session }) => session !== null && recent.has(session)),
      ),
    ),
    preferences: items(preferences.filter(({ trust }) => trust === 'owner')),
  }
}

async function stillOpen(store: Store, actions: readonly Stated[]): Promise<Stated[]> {
  const closed = await closingsOf(
    store,
    actions.map((action) => ({ ...action, thread: null })),
  )
  return actions.filter(({ id }) => !closed.has(id))
}

/** Two that only say "yes" are one only where they answer the same. */
function sameWords(one: Pick<Stated, 'text' | 'about'>, other: Pick<Stated, 'text' | 'about'>): boolean {
  return one.text.toLowerCase() === other.text.toLowerCase() && one.about === other.about
}

interface Stated {
  readonly id: string
  readonly text: string
  readonly rule?: string | undefined
  readonly about?: string | undefined
  readonly confidence: number
  readonly at: number
  readonly trust: string
  /** Null where the owner stated it to be remembered, in no session. */
  readonly session: string | null
  readonly project: string | null
}

async function eventsOf(store: Store, agentId: string, type: string): Promise<Stated[]> {
  const rows = await store.read
    .selectFrom('derived_sources as d')
    .innerJoin('events as e', 'e.id', 'd.event_id')
    .innerJoin('agent_sessions as s', 's.id', 'd.unit')
    .select(['e.id', 'e.content', 'e.timestamp', 'e.trust', 'e.metadata_json', 'd.unit', 's.project'])
    .where('d.kind', '=', 'session')
    .where('e.source_adapter', '=', DERIVED)
    .where('e.source_id', 'like', `%:${type}`)
    .where('e.agent_id', '=', agentId)
    .where('e.trust', 'in', ['owner', 'agent'])
    // What was replaced holds no longer.
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('decision_links as l').select('l.earlier_id').whereRef('l.earlier_id', '=', 'e.id'))),
    )
    .orderBy('e.timestamp', 'desc')
    .orderBy('e.id')
    .limit(MOST)
    .execute()
  return rows.map(({ id, content, timestamp, trust, metadata_json, unit, project }) => {
    const { rule, about, confidence = 0 } = JSON.parse(metadata_json ?? '{}') as { rule?: string; about?: string; confidence?: number }
    const answered = about === undefined ? undefined : plainLine(about, LONGEST_ABOUT)
    return {
      ...{ id, text: plainLine(content ?? '', LONGEST), at: timestamp, trust, session: unit, project },
      rule,
      about: answered,
      confidence,
    }
  })
}

/** What the owner stated to be remembered comes first: it was meant to be read here. */
async function rememberedOf(store: Store, agentId: string, type: string): Promise<Stated[]> {
  const rows = await store.read
    .selectFrom('derived_sources as d')
    .innerJoin('events as e', 'e.id', 'd.event_id')
    .innerJoin('events as o', 'o.id', 'd.message')
    .select(['e.id', 'e.content', 'e.timestamp', 'e.trust', 'e.metadata_json'])
    .where('d.kind', '=', 'episode')
    .where('o.source_adapter', '=', OWNER)
    .where('e.source_id', 'like', `%:${type}`)
    .where('e.agent_id', '=', agentId)
    .where('e.trust', '=', 'owner')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('decision_links as l').select('l.earlier_id').whereRef('l.earlier_id', '=', 'e.id'))),
    )
    .orderBy('e.timestamp', 'desc')
    .orderBy('e.id')
    .limit(MOST)
    .execute()
  return rows.map(({ id, content, timestamp, trust, metadata_json }) => {
    const { rule, project_name } = JSON.parse(metadata_json ?? '{}') as { rule?: string; project_name?: string }
    const text = plainLine(content ?? '', LONGEST)
    return {
      id,
      text: project_name === undefined ? text : `${text} (${plainLine(project_name, LONGEST)})`,
      at: timestamp,
      trust,
      session: null,
      project: null,
      rule,
      confidence: 1,
    }
  })
}

/** The newest summary of each session that has one. */
async function summaryPaths(store: Store, agentId: string): Promise<Map<string, string>> {
  const rows = await store.read
    .selectFrom('artifacts as a')
    .innerJoin('derived_sources as d', 'd.unit', 'a.session_id')
    .select(['a.session_id', 'a.source_path'])
    .distinct()
    .where('a.agent_id', '=', agentId)
    .where('a.source_kind', '=', 'summary')
    .orderBy('a.source_path')
    .execute()
  // Of what is being published, the rows are not there yet.
  const underWay = (await openPublications(store, agentId)).filter(({ flow }) => flow === 'session-end')
  const begun = underWay.map(
    ({ session_id, session_token: token, captured_at: capturedAt }) =>
      [session_id, artifactPath({ capturedAt, token, kind: 'summary' })] as const,
  )
  return new Map([...rows.map(({ session_id, source_path }) => [session_id, source_path] as const), ...begun])
}

/** The names under which people know the projects of sessions. */
export async function projectNames(store: Store, sessions: readonly string[]): Promise<Map<string, string>> {
  if (sessions.length === 0) return new Map()
  const rows = await store.read
    .selectFrom('agent_sessions')
    .select(['id', 'project_name'])
    .where('id', 'in', padded(sessions))
    .where('project_name', 'is not', null)
    .execute()
  return new Map(rows.flatMap(({ id, project_name }) => (project_name === null ? [] : [[id, project_name] as const])))
}
