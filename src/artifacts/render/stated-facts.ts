import { closingsOf } from '../../analyze/actions/closings.ts'
import { type Repetition, saidAgain } from '../../analyze/history/said-again.ts'
import { isCourtesy } from '../../analyze/outcome/courtesy.ts'
import { plainLine } from '../../analyze/plain-line.ts'
import { given } from '../../core/given.ts'
import { isTrust } from '../../core/trust.ts'
import { DERIVED } from '../../ledgers/derived-events.ts'
import { OWNER } from '../../ledgers/owner-decisions.ts'
import type { Store } from '../../store/store.ts'
import { artifactPath } from '../format/artifact-name.ts'
import { openPublications } from '../publish/journal.ts'
import type { HeadItem, HeadSource } from './head-item.ts'
import { isLasting } from './lasting.ts'

/** `project`: remote or folder; null for none. */
export interface StatedItem {
  readonly item: HeadItem
  readonly project: string | null
}

export interface StatedFacts {
  readonly decisions: readonly StatedItem[]
  readonly actions: readonly StatedItem[]
  /** Preferences without a project apply everywhere. */
  readonly preferences: readonly StatedItem[]
}

export interface StatedOptions {
  readonly agentId: string
  readonly isTemporary: (project: string | null) => boolean
  readonly listed: ReadonlyMap<string, HeadSource>
  /** Sessions whose tasks may still be open. */
  readonly recent: ReadonlySet<string>
}

/** Per kind; more than any head shows. */
const MOST = 200
const LONGEST = 200
const LONGEST_ABOUT = 600

export async function statedFacts(store: Store, { agentId, isTemporary, listed, recent }: StatedOptions): Promise<StatedFacts> {
  const newest = async (type: string) =>
    [...(await rememberedOf(store, agentId, type)), ...(await eventsOf(store, agentId, type))].filter(
      ({ folder, text, about, session }) =>
        text !== '' && (session === null || (!isTemporary(folder) && (about !== undefined || !isCourtesy(text)))),
    )
  const paths = await summaryPaths(store, agentId)
  const items = (events: readonly Stated[]): StatedItem[] =>
    events.flatMap(({ text, at, trust, session, project, rule, about, times, first }, i) => {
      const published = session === null ? undefined : paths.get(session)
      const source = listed.get(session ?? '') ?? (published === undefined ? undefined : { path: published })
      const isRepeated = events.findIndex((other) => sameWords(other, { text, about, project })) < i
      return (source === undefined && session !== null) || isRepeated
        ? []
        : [{ project, item: { text, at, trust: isTrust(trust) ? trust : 'untrusted', ...source, ...given({ rule, about, times, first }) } }]
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
    preferences: items(
      saidAgain(
        preferences
          .filter(({ trust }) => trust === 'owner')
          // Preferences hold beyond their project.
          .map((one) => (one.session === null ? one : { ...one, project: null })),
        (a, b) => a.project === b.project && a.about === b.about,
      ),
    ),
  }
}

async function stillOpen(store: Store, actions: readonly Stated[]): Promise<Stated[]> {
  const closed = await closingsOf(
    store,
    actions.map((action) => ({ ...action, thread: null })),
  )
  return actions.filter(({ id }) => !closed.has(id))
}

/** A bare "yes" equals another only for the same question. */
function sameWords(one: Words, other: Words): boolean {
  return one.text.toLowerCase() === other.text.toLowerCase() && one.about === other.about && one.project === other.project
}

type Words = Pick<Stated, 'text' | 'about' | 'project'>

interface Stated extends Partial<Repetition> {
  readonly id: string
  readonly text: string
  readonly rule?: string | undefined
  readonly about?: string | undefined
  readonly confidence: number
  readonly at: number
  readonly trust: string
  /** Null if stated with `remember`. */
  readonly session: string | null
  readonly folder: string | null
  /** Remote, else folder. */
  readonly project: string | null
}

async function eventsOf(store: Store, agentId: string, type: string): Promise<Stated[]> {
  const rows = await store.read
    .selectFrom('derived_sources as d')
    .innerJoin('events as e', 'e.id', 'd.event_id')
    .innerJoin('agent_sessions as s', 's.id', 'd.unit')
    .select(['e.id', 'e.content', 'e.timestamp', 'e.trust', 'e.metadata_json', 'd.unit', 's.project', 's.repository'])
    .where('d.kind', '=', 'session')
    .where('e.source_adapter', '=', DERIVED)
    .where('e.source_id', 'like', `%:${type}`)
    .where('e.agent_id', '=', agentId)
    .where('e.trust', 'in', ['owner', 'agent'])
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('decision_links as l').select('l.earlier_id').whereRef('l.earlier_id', '=', 'e.id'))),
    )
    // Agents' decisions must not crowd out the owner's.
    .$if(type === 'decision', (query) => query.orderBy((eb) => eb('e.trust', '=', 'owner'), 'desc'))
    .orderBy('e.timestamp', 'desc')
    .orderBy('e.id')
    .limit(MOST)
    .execute()
  return rows.map(({ id, content, timestamp, trust, metadata_json, unit, project, repository }) => {
    const { rule, about, confidence = 0 } = JSON.parse(metadata_json ?? '{}') as { rule?: string; about?: string; confidence?: number }
    const answered = about === undefined ? undefined : plainLine(about, LONGEST_ABOUT)
    return {
      ...{
        id,
        text: plainLine(content ?? '', LONGEST),
        at: timestamp,
        trust,
        session: unit,
        folder: project,
        project: repository ?? project,
      },
      rule,
      about: answered,
      confidence,
    }
  })
}

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
    const { rule, project } = JSON.parse(metadata_json ?? '{}') as { rule?: string; project?: string }
    const text = plainLine(content ?? '', LONGEST)
    return { id, text, at: timestamp, trust, session: null, folder: null, project: project ?? null, rule, confidence: 1 }
  })
}

/** Session → newest summary. */
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
  // Unfinished publications have no rows yet.
  const underWay = (await openPublications(store, agentId)).filter(({ flow }) => flow === 'session-end')
  const begun = underWay.map(
    ({ session_id, session_token: token, captured_at: capturedAt }) =>
      [session_id, artifactPath({ capturedAt, token, kind: 'summary' })] as const,
  )
  return new Map([...rows.map(({ session_id, source_path }) => [session_id, source_path] as const), ...begun])
}
