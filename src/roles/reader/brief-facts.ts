import { OWNER_SCOPE } from '../../analyze/history/owner-scope.ts'
import { type Repetition, saidAgain } from '../../analyze/history/said-again.ts'
import { isCourtesy } from '../../analyze/outcome/courtesy.ts'
import { withoutEmpty } from '../../analyze/outcome/empty-session.ts'
import { plainLine } from '../../analyze/plain-line.ts'
import type { SessionSummary } from '../../analyze/session-summary.ts'
import { isLasting } from '../../artifacts/render/lasting.ts'
import { summariesOf } from '../../artifacts/render/session-summaries.ts'
import { padded } from '../../core/padded.ts'
import { redactSensitiveText } from '../../core/redact.ts'
import { isPersonalStatement } from '../../core/stated-as.ts'
import { DERIVED } from '../../ledgers/derived-events.ts'
import { shortSessionIds } from '../../ledgers/short-ids.ts'
import { ownerLines } from '../../search/known/owner-lines.ts'
import type { ProjectScope } from '../../store/lexical.ts'
import type { Store } from '../../store/store.ts'

export interface BriefSession {
  readonly id: string
  readonly nativeId: string
  readonly short: string
  readonly harness: string
  readonly title: string
  readonly at: number
  readonly summary: SessionSummary | undefined
}

export interface Stated extends Partial<Repetition> {
  readonly text: string
  readonly rule: string | null
  readonly about: string | null
  readonly at: number
  readonly turn?: string
  /** Stated by an agent. */
  readonly isReported?: boolean
}

export interface BriefFacts {
  readonly sessions: readonly BriefSession[]
  readonly count: number
  readonly decisions: readonly Stated[]
  readonly actions: readonly Stated[]
  /** The owner's own, from everywhere; project-specific ones only for this project. */
  readonly preferences: readonly Stated[]
  readonly owner: readonly string[]
}

const SESSIONS = 30
const STATED = 200
/** Tasks of older sessions are done or uncertain. */
const RECENT = 5
const LONGEST = 200

export interface Whose {
  readonly agentId: string
  readonly scope: ProjectScope
  readonly keys: readonly string[]
  readonly own: string | undefined
  readonly personal: boolean
  readonly now: number
}

export async function briefFacts(store: Store, whose: Whose): Promise<BriefFacts> {
  const { agentId, scope, own } = whose
  let query = store.read
    .selectFrom('agent_sessions')
    .where('is_subagent', '=', 0)
    .where('status', '<>', 'deleted')
    .where('trust', 'in', ['owner', 'agent'])
    .where('last_message_at', 'is not', null)
    .where((eb) => eb(eb.fn.coalesce('repository', 'project'), 'in', scope.keys))
  if (agentId !== 'all') query = query.where('agent_id', '=', agentId)
  if (own !== undefined) query = query.where('native_id', '<>', own)
  const { count } = await query.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const newest = await query
    .select(['id', 'native_id', 'source', 'title', 'last_message_at'])
    .orderBy('last_message_at', 'desc')
    .orderBy('id')
    .limit(SESSIONS)
    .execute()
  const rows = await withoutEmpty(store.read, newest)
  const summaries = await summariesOf(
    store,
    rows.map(({ id }) => id),
  )
  const short = await shortSessionIds(store, rows)
  const sessions = rows.map(({ id, native_id, source, title, last_message_at }) => ({
    ...{ id, nativeId: native_id, short: short.get(id) ?? id, harness: source, at: last_message_at ?? 0 },
    ...{ title: clean(title ?? ''), summary: summaries.get(id) },
  }))
  const decisions = await statements(store, { type: 'decision', whose })
  // Statements that the owner asked to remember always count as lasting.
  const lasting = decisions.filter(
    ({ text, rule, about, confidence, session }) =>
      session === null || isLasting({ text, rule: rule ?? undefined, about: about ?? undefined, confidence }),
  )
  const preferences = saidAgain(
    (await statements(store, { type: 'preference_stated', whose })).filter(({ text }) => text !== ''),
    (a, b) => a.about === b.about,
  )
  const owner = await ownerLines(store, { agentId, now: whose.now, personal: whose.personal, said: preferences.map(({ text }) => text) })
  return {
    ...{ sessions, count: Number(count) - (newest.length - rows.length), decisions: distinct(lasting) },
    actions: distinct(await actionsOf(store, sessions.slice(0, RECENT))),
    ...{ preferences, owner },
  }
}

interface Asked {
  readonly type: 'decision' | 'preference_stated'
  readonly whose: Whose
}

interface Found extends Stated {
  readonly confidence: number
  readonly session: string | null
}

async function statements(store: Store, { type, whose: { agentId, scope, keys, personal } }: Asked): Promise<Found[]> {
  let query = store.read
    .selectFrom('decisions as d')
    .innerJoin('events as e', 'e.id', 'd.event_id')
    .select(['e.content', 'e.metadata_json', 'd.made_at', 'd.session_id', 'd.turn_id', 'd.trust'])
    .where('d.type', '=', type)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('decision_links as l').select('l.earlier_id').whereRef('l.earlier_id', '=', 'd.event_id'))),
    )
  if (agentId !== 'all') query = query.where('d.agent_id', '=', agentId)
  query =
    type === 'preference_stated'
      ? query.where('d.trust', '=', 'owner').where('d.scope', 'in', padded([OWNER_SCOPE, ...keys]))
      : query.where('d.trust', 'in', ['owner', 'agent']).where((eb) =>
          eb.or([
            eb('d.session_id', 'in', (of) =>
              of
                .selectFrom('agent_sessions')
                .select('id')
                .where((one) => one(one.fn.coalesce('repository', 'project'), 'in', scope.keys)),
            ),
            eb.and([eb('d.session_id', 'is', null), eb('d.scope', 'in', padded([...keys]))]),
          ]),
        )
  const rows = await query
    .orderBy((eb) => eb('d.trust', '=', 'owner'), 'desc')
    .orderBy('d.made_at', 'desc')
    .orderBy('d.event_id')
    .limit(STATED)
    .execute()
  const found = rows.map(({ content, metadata_json, made_at, session_id, turn_id, trust }) => ({
    ...stated(content, metadata_json, made_at),
    session: session_id,
    ...(turn_id === null ? {} : { turn: turn_id }),
    isReported: trust === 'agent',
  }))
  return personal ? found : found.filter(({ session: unit, rule }) => !isPersonalStatement({ unit, rule }))
}

async function actionsOf(store: Store, sessions: readonly BriefSession[]): Promise<Stated[]> {
  if (sessions.length === 0) return []
  const rows = await store.read
    .selectFrom('derived_sources as d')
    .innerJoin('events as e', 'e.id', 'd.event_id')
    .select(['e.id', 'e.content', 'e.metadata_json', 'e.timestamp', 'e.trust', 'd.unit'])
    .where('d.kind', '=', 'session')
    .where('d.unit', 'in', padded(sessions.map(({ id }) => id)))
    .where('e.source_adapter', '=', DERIVED)
    .where('e.source_id', 'like', '%:action_item')
    .where('e.trust', 'in', ['owner', 'agent'])
    .orderBy('e.timestamp', 'desc')
    .orderBy('e.id')
    .limit(STATED)
    .execute()
  if (rows.length === 0) return []
  const { closingsOf } = await import('../../analyze/actions/closings.ts')
  const closed = await closingsOf(
    store,
    rows.map(({ id, content, timestamp: at, trust, unit: session }) => ({ id, text: content ?? '', at, trust, session, thread: null })),
  )
  return rows
    .filter(({ id }) => !closed.has(id))
    .map(({ content, metadata_json, timestamp }) => stated(content, metadata_json, timestamp))
    .filter(({ text }) => !isCourtesy(text))
}

function stated(content: string | null, metadata: string | null, at: number): Stated & { readonly confidence: number } {
  const { rule = null, about, confidence = 0 } = JSON.parse(metadata ?? '{}') as { rule?: string; about?: string; confidence?: number }
  return {
    text: plainLine(content ?? '', LONGEST),
    rule,
    about: about === undefined ? null : plainLine(about, 3 * LONGEST),
    at,
    confidence,
  }
}

function clean(text: string): string {
  return plainLine(redactSensitiveText(text, { mode: 'tools' }), LONGEST)
}

function distinct<T extends Pick<Stated, 'text' | 'about'>>(all: readonly T[]): T[] {
  const same = (one: T, other: T) => one.text.toLowerCase() === other.text.toLowerCase() && one.about === other.about
  return all.filter((one, i) => one.text !== '' && all.findIndex((other) => same(one, other)) === i)
}
