/**
 * Sessions to continue with a message: by search, entities, terms and topics. Prefers the project and recent ones a little, and lists what
 * changed since. Empty if none fits. Redacted.
 */
import { stemOf } from '../../analyze/history/terms.ts'
import { STOP_WORDS } from '../../analyze/stop-words.ts'
import { MnemonicError } from '../../core/error.ts'
import { given } from '../../core/given.ts'
import { cutMarked } from '../../core/marked-text.ts'
import { oneLine } from '../../core/text.ts'
import { isoOrNull } from '../../core/time.ts'
import { foldedName } from '../../graph/folded-name.ts'
import { shortSessionId } from '../../ledgers/short-ids.ts'
import type { SearchAnswer, SearchRequest, SearchResult } from '../../search/result.ts'
import type { Store } from '../../store/store.ts'
import type { ResumeAnswer } from '../browse.ts'
import { redactText } from '../redact-stored.ts'
import { resumeCommand } from '../resume.ts'
import { type MessageSigns, signsOf } from './message-signs.ts'
import { type RootSession, rootsOf } from './root-sessions.ts'
import { type RouteParts, scoreOf, staleScore, worthChoosing } from './route-score.ts'
import { sessionsSharing, sharedSigns } from './shared-signs.ts'
import { type StaleEntity, type Staleness, staleIn } from './stale.ts'

export interface RouteRequest {
  readonly message: string
  /** Prefers sessions of its project; no filter. */
  readonly folder?: string
  readonly harness?: string
  /** 1 to 50; default 5. */
  readonly limit?: number
  readonly agent?: string
}

export interface RouteAnswer {
  readonly message: string
  /** Best first; empty if none knows enough. */
  readonly sessions: readonly RoutedSession[]
  readonly considered: number
}

export interface RoutedSession {
  readonly id: string
  readonly session_id: string
  readonly harness: string
  readonly title: string | null
  readonly project: string | null
  readonly project_name: string | null
  readonly status: string
  readonly last_message_at: string | null
  readonly score: number
  readonly why: RouteReasons
  /** Null if impossible; `not_resumable` has the reason. */
  readonly resume: ResumeAnswer | null
  readonly not_resumable: string | null
  /** Command that continues without its log, if the log is gone; else null. */
  readonly instead: string | null
  /** What changed since: subjects of the message first. */
  readonly stale: readonly StaleEntity[]
  /** Including those not listed. */
  readonly stale_total: number
}

export interface RouteReasons {
  readonly entities: readonly string[]
  readonly topics: readonly string[]
  readonly terms: readonly string[]
  /** Best turn for `show`; null if only names are shared. */
  readonly cite: string | null
  readonly excerpt: string | null
  readonly by_subagent: boolean
  readonly in_project: boolean
  readonly parts: RouteParts
}

export interface RouteOptions {
  readonly search: (request: SearchRequest) => Promise<SearchAnswer>
  readonly agentId: string
  readonly now: number
}

const DEFAULT_LIMIT = 5
const HIGHEST_LIMIT = 50
const HITS = 60
const MOST_SESSIONS = 200
const MOST_STALE = 5
/** Places that a stale session may fall. */
const MOST_BEHIND = 3
const MOST_SHOWN = 5
const EXCERPT = 240
const TITLE = 200

export async function route(store: Store, request: RouteRequest, options: RouteOptions): Promise<RouteAnswer> {
  const { folder, harness, limit = DEFAULT_LIMIT } = request
  const message = cutMarked(request.message ?? '').trim()
  if (message === '')
    throw new MnemonicError('USAGE', 'the message is empty', { hint: 'Say what you want to go on with: mnemonic route "…"' })
  if (!Number.isInteger(limit) || limit < 1 || limit > HIGHEST_LIMIT)
    throw new MnemonicError('USAGE', `the limit is a whole number from 1 to ${HIGHEST_LIMIT}`, { details: { limit } })
  const agentId = request.agent ?? options.agentId
  const signs = await signsOf(store, message, agentId)
  if (!signs.says) return { message: oneLine(redactText(message), TITLE), sessions: [], considered: 0 }
  const filters = { sources: [harness ?? 'sessions'], ...given({ agent: request.agent }) }
  const found = await options.search({ query: message, filters, limit: HITS, nearest: true, ...given({ prefer_project: folder }) })
  const hits = bestHits(found)
  const known = await sessionsSharing(store, signs, agentId)
  const roots = await rootsOf(store, [...hits.keys(), ...known].slice(0, MOST_SESSIONS), { agentId, harness })
  const keys =
    folder === undefined ? new Set<string>() : await (await import('../../ingest/project-called.ts')).projectKeysAt(store, folder)
  const shared = await sharedSigns(store, signs, [...roots.keys()], agentId)
  const scored = [...new Set(roots.values())].map((session) => {
    const members = [...roots].flatMap(([id, root]) => (root === session ? [id] : []))
    const hit = best(members.flatMap((id) => hits.get(id) ?? []))
    const signsOfIt = members.flatMap((id) => shared.get(id) ?? [])
    const inProject = keys.has(session.repository ?? session.project ?? '')
    const most = (part: 'entities' | 'terms' | 'topics') => Math.max(0, ...signsOfIt.map((one) => one[part]))
    const all = (part: 'entities' | 'terms' | 'topics') => [...new Set(signsOfIt.flatMap((one) => one.shared[part]))].slice(0, MOST_SHOWN)
    const parts = { search: hit?.relevance_score ?? 0, entities: most('entities'), terms: most('terms'), topics: most('topics') }
    const age = options.now - (session.last_message_at ?? 0)
    return {
      ...{ session, hit, parts, score: scoreOf(parts, { inProject, age }), inProject },
      shared: { entities: all('entities'), topics: all('topics'), terms: all('terms') },
    }
  })
  const chosen = worthChoosing(scored.sort(better)).slice(0, limit + MOST_BEHIND)
  const judged = []
  for (const one of chosen) {
    const staleness = await staleIn(store, one.session.id, { agentId, limit: MOST_STALE, isAsked: isAskedIn(signs, message) })
    judged.push({
      ...one,
      staleness,
      score: staleScore(one.score, { asked: staleness.stale.filter(({ asked }) => asked).length, total: staleness.total }),
    })
  }
  const sessions: RoutedSession[] = []
  for (const one of judged.sort(better).slice(0, limit)) sessions.push(await shown(store, one))
  return { message: oneLine(redactText(message), TITLE), sessions, considered: scored.length }
}

interface Judged {
  readonly session: RootSession
  readonly hit: SearchResult | undefined
  readonly parts: RouteParts
  readonly score: number
  readonly inProject: boolean
  readonly shared: Pick<RouteReasons, 'entities' | 'topics' | 'terms'>
  readonly staleness: Staleness
}

function better(a: Pick<Judged, 'score' | 'session'>, b: Pick<Judged, 'score' | 'session'>): number {
  const newer = (b.session.last_message_at ?? 0) - (a.session.last_message_at ?? 0)
  return b.score - a.score || newer || (a.session.id < b.session.id ? -1 : 1)
}

async function shown(store: Store, { session, hit, parts, score, shared, inProject, staleness }: Judged): Promise<RoutedSession> {
  return {
    ...{ id: await shortSessionId(store, session), session_id: session.id, harness: session.source, title: clean(session.title, TITLE) },
    ...{ project: clean(session.project, TITLE), project_name: clean(session.project_name, TITLE), status: session.status },
    ...{ last_message_at: isoOrNull(session.last_message_at), score: Math.round(score * 1000) / 1000 },
    why: {
      ...{ ...cleaned(shared), cite: hit?.id ?? null, excerpt: hit === undefined ? null : oneLine(hit.excerpt, EXCERPT) },
      ...{ by_subagent: hit !== undefined && hit.session_id !== session.id, in_project: inProject, parts },
    },
    ...(await resumable(store, session)),
    ...{ stale: staleness.stale, stale_total: staleness.total },
  }
}

function bestHits({ results, matched }: SearchAnswer): Map<string, SearchResult> {
  const found = new Map<string, SearchResult>()
  if (matched === 'none' || matched === 'listed') return found
  for (const result of results) if (result.session_id !== '' && !found.has(result.session_id)) found.set(result.session_id, result)
  return found
}

function best(hits: readonly SearchResult[]): SearchResult | undefined {
  return hits.reduce<SearchResult | undefined>(
    (top, hit) => (top === undefined || hit.relevance_score > top.relevance_score ? hit : top),
    undefined,
  )
}

async function resumable(
  store: Store,
  { id, agent_id }: RootSession,
): Promise<Pick<RoutedSession, 'resume' | 'not_resumable' | 'instead'>> {
  try {
    return { resume: await resumeCommand(store, id, agent_id), not_resumable: null, instead: null }
  } catch (error) {
    if (error instanceof MnemonicError && error.code === 'NOT_SUPPORTED') {
      const { instead } = error.details
      return { resume: null, not_resumable: error.message, instead: typeof instead === 'string' ? instead : null }
    }
    throw error
  }
}

const LEAST_WORDS = 2
const LEAST_NAME = 4

/** A file by name, an entity by any name, a decision by two of its words. */
function isAskedIn({ entities, stems }: MessageSigns, message: string) {
  const lower = message.toLowerCase()
  return ({ entity, text }: { readonly entity?: string; readonly text: string }): boolean => {
    if (entity !== undefined) return entities.has(entity)
    const name = text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1).toLowerCase()
    if (!/\s/.test(text)) return name.length >= LEAST_NAME && lower.includes(name)
    const words = new Set(
      foldedName(text)
        .split(' ')
        .filter((word) => !STOP_WORDS.has(word))
        .map(stemOf),
    )
    return [...words].filter((word) => stems.has(word)).length >= LEAST_WORDS
  }
}

function cleaned<T extends Readonly<Record<string, readonly string[]>>>(names: T): T {
  return Object.fromEntries(Object.entries(names).map(([key, all]) => [key, all.map((name) => clean(name, TITLE))])) as unknown as T
}

function clean<T extends string | null>(text: T, length: number): T {
  return (text === null ? null : oneLine(redactText(text), length)) as T
}
