/** Lists secrets in the ledger by kind and place, never the value. Paged, so memory stays bounded. */
import { createHmac, randomBytes } from 'node:crypto'
import { setImmediate as pause } from 'node:timers/promises'
import type { Clock } from '../core/clock.ts'
import { MnemonicError } from '../core/error.ts'
import type { OnProgress } from '../core/progress.ts'
import { redact } from '../core/redact.ts'
import { throwIfStopped } from '../core/stopped.ts'
import { isoOrNull, parseWhen } from '../core/time.ts'
import { projectCalled } from '../ingest/project-called.ts'
import { DERIVED } from '../ledgers/derived-events.ts'
import { shortTurnIds } from '../ledgers/short-ids.ts'
import type { Store } from '../store/store.ts'
import { redactText } from './redact-stored.ts'

const DEFAULT_LIMIT = 50
const HIGHEST_LIMIT = 10_000
const PAGE = 200
/** JSON nested deeper is plain text. */
const DEEPEST = 8

export interface SecretsRequest {
  /** As in `[REDACTED:<kind>]`. */
  readonly kind?: string
  readonly project?: string
  readonly source?: string
  readonly after?: string
  readonly before?: string
  readonly since?: string
  readonly until?: string
  readonly agent?: string
  /** 1 to 10,000; default 50. */
  readonly limit?: number
  readonly onProgress?: OnProgress
  readonly signal?: AbortSignal
}

/** `event`: a mail, a chat message or a calendar entry. */
export type SecretPlace = 'message' | 'tool' | 'compaction' | 'title' | 'event'

export interface ListedSecret {
  readonly kind: string
  /** Equal for equal secrets within one answer only: each answer has a new key. */
  readonly fingerprint: string
  readonly place: SecretPlace
  /** Turn, session or event, for `show`. */
  readonly id: string
  readonly session_id: string | null
  readonly message_id: string | null
  readonly tool: string | null
  readonly at: string | null
  readonly project: string | null
  readonly source: string
  /** The source file, which keeps the secret even if it is forgotten here. */
  readonly path: string | null
}

export interface SecretList {
  readonly secrets: readonly ListedSecret[]
  /** Including those beyond the limit. */
  readonly total: number
  readonly different: number
  readonly kinds: readonly { readonly kind: string; readonly count: number }[]
}

export interface ListSecretsOptions {
  readonly agentId: string
  readonly timezone: string
  readonly clock: Clock
}

interface Place {
  readonly kind: string
  readonly fingerprint: string
  readonly place: SecretPlace
  readonly source: string | null
  readonly sessionId: string | null
  readonly messageId: string | null
  readonly turnId: string | null
  readonly tool: string | null
  readonly at: number | null
}

export async function listSecrets(store: Store, request: SecretsRequest, options: ListSecretsOptions): Promise<SecretList> {
  const limit = checkedLimit(request.limit)
  const key = randomBytes(32)
  const kinds = new Map<string, number>()
  const different = new Set<string>()
  let newest: Place[] = []
  let total = 0
  for await (const { texts, ...place } of storedTexts(store, request, options)) {
    const seen = new Set<string>()
    for (const { kind, value } of texts.flatMap((text) => secretsIn(text, 0))) {
      if (request.kind !== undefined && kind !== request.kind) continue
      const fingerprint = createHmac('sha256', key).update(value).digest('hex').slice(0, 12)
      if (seen.has(fingerprint)) continue
      seen.add(fingerprint)
      different.add(fingerprint)
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
      total++
      newest.push({ ...place, kind, fingerprint })
    }
    if (newest.length > 2 * limit + PAGE) newest = byTime(newest).slice(0, limit)
  }
  const common = [...kinds].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
  return {
    secrets: await listed(store, byTime(newest).slice(0, limit)),
    ...{ total, different: different.size, kinds: common.map(([kind, count]) => ({ kind, count })) },
  }
}

function byTime(places: readonly Place[]): Place[] {
  return places.toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0))
}

interface StoredTexts extends Omit<Place, 'kind' | 'fingerprint'> {
  readonly texts: readonly string[]
}

async function* storedTexts(store: Store, request: SecretsRequest, options: ListSecretsOptions): AsyncGenerator<StoredTexts> {
  const sessions = await sessionsOf(store, request, options)
  const [from, to] = timesOf(request, options)
  const isIn = ({ at }: StoredTexts) =>
    (from === undefined && to === undefined) || (at !== null && at >= (from ?? 0) && at < (to ?? Infinity))
  const pages = [...pagesOfSessions(store, sessions), ...(request.project === undefined ? [pageOfEvents(store, request, options)] : [])]
  let done = 0
  for (const page of pages) {
    for (let last = ''; ; ) {
      const rows = await page(last)
      for (const { texts } of rows) if (isIn(texts)) yield texts
      done += rows.length
      request.onProgress?.({ stage: 'secrets', done, total: done })
      // Lets a signal arrive.
      await pause()
      throwIfStopped(request.signal, 'secrets')
      if (rows.length < PAGE) break
      last = rows.at(-1)?.id ?? ''
    }
  }
}

type Page = (last: string) => Promise<{ readonly id: string; readonly texts: StoredTexts }[]>

const NOWHERE = { source: null, messageId: null, turnId: null, tool: null }
const present = (...texts: (string | null)[]) => texts.filter((text) => text !== null)

function pagesOfSessions({ read: db }: Store, sessions: Awaited<ReturnType<typeof sessionsOf>>): Page[] {
  const titles: Page = async (last) => {
    const columns = ['id', 'source_title', 'own_title', 'created_at'] as const
    const rows = await db
      .selectFrom('agent_sessions')
      .select(columns)
      .where('id', 'in', sessions)
      .where('id', '>', last)
      .orderBy('id')
      .limit(PAGE)
      .execute()
    return rows.map(({ id, source_title, own_title, created_at }) => ({
      id,
      texts: { ...NOWHERE, place: 'title', sessionId: id, at: created_at, texts: present(source_title, own_title) },
    }))
  }
  const messages: Page = async (last) => {
    const columns = ['id', 'session_id', 'turn_id', 'content', 'timestamp'] as const
    const rows = await db
      .selectFrom('agent_messages')
      .select(columns)
      // Summaries are also stored as messages.
      .where('id', 'not in', db.selectFrom('agent_compactions').select('id'))
      .where('session_id', 'in', sessions)
      .where('id', '>', last)
      .orderBy('id')
      .limit(PAGE)
      .execute()
    return rows.map(({ id, session_id, turn_id, content, timestamp }) => ({
      id,
      texts: {
        ...NOWHERE,
        place: 'message',
        sessionId: session_id,
        messageId: id,
        turnId: turn_id,
        at: timestamp,
        texts: present(content),
      },
    }))
  }
  const compactions: Page = async (last) => {
    const columns = ['id', 'session_id', 'turn_id', 'summary', 'timestamp'] as const
    const rows = await db
      .selectFrom('agent_compactions')
      .select(columns)
      .where('session_id', 'in', sessions)
      .where('id', '>', last)
      .orderBy('id')
      .limit(PAGE)
      .execute()
    return rows.map(({ id, session_id, turn_id, summary, timestamp }) => ({
      id,
      texts: { ...NOWHERE, place: 'compaction', sessionId: session_id, messageId: id, turnId: turn_id, at: timestamp, texts: [summary] },
    }))
  }
  const calls: Page = async (last) => {
    const rows = await db
      .selectFrom('agent_tool_calls as c')
      .leftJoin('agent_messages as m', 'm.id', 'c.message_id')
      .select([
        'c.id',
        'c.session_id',
        'c.message_id',
        'c.tool_name',
        'c.params_json',
        'c.result_json',
        'c.started_at',
        'm.turn_id',
        'm.timestamp',
      ])
      .where('c.session_id', 'in', sessions)
      .where('c.id', '>', last)
      .orderBy('c.id')
      .limit(PAGE)
      .execute()
    return rows.map((call) => ({
      id: call.id,
      texts: {
        ...{ ...NOWHERE, place: 'tool', sessionId: call.session_id, messageId: call.message_id, turnId: call.turn_id },
        ...{ tool: call.tool_name ?? 'unknown', at: call.started_at ?? call.timestamp, texts: present(call.params_json, call.result_json) },
      },
    }))
  }
  return [titles, messages, compactions, calls]
}

/** Includes events without a session. */
function pageOfEvents({ read: db }: Store, request: SecretsRequest, { agentId }: ListSecretsOptions): Page {
  const agent = request.agent ?? agentId
  return async (last) => {
    let query = db
      .selectFrom('events')
      .select(['id', 'source_adapter', 'content', 'metadata_json', 'timestamp'])
      .where('source_adapter', 'not in', [DERIVED, 'aix-events'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(PAGE)
    if (agent !== 'all') query = query.where('agent_id', '=', agent)
    if (request.source !== undefined) query = query.where('source_adapter', '=', request.source)
    const rows = await query.execute()
    return rows.map(({ id, source_adapter, content, metadata_json, timestamp }) => ({
      id,
      texts: {
        ...NOWHERE,
        place: 'event',
        source: source_adapter,
        sessionId: null,
        messageId: id,
        at: timestamp,
        texts: present(content, metadata_json),
      },
    }))
  }
}

async function sessionsOf(store: Store, request: SecretsRequest, { agentId }: ListSecretsOptions) {
  const agent = request.agent ?? agentId
  let query = store.read.selectFrom('agent_sessions as s').select('s.id')
  if (agent !== 'all') query = query.where('s.agent_id', '=', agent)
  if (request.source !== undefined) query = query.where('s.source', '=', request.source)
  if (request.project === undefined) return query
  const { keys, folders, ids } = await projectCalled(store, request.project)
  return query.where((is) =>
    is.or([is(is.fn.coalesce('s.repository', 's.project'), 'in', keys), is('s.workspace_path', 'in', folders), is('s.id', 'in', ids)]),
  )
}

function timesOf(request: SecretsRequest, { timezone, clock }: ListSecretsOptions): (number | undefined)[] {
  const when = { timezone, now: clock() }
  const bounds = [request.after ?? request.since, request.before ?? request.until]
  return bounds.map((text) => (text === undefined ? undefined : parseWhen(text, when)))
}

interface Secret {
  readonly kind: string
  readonly value: string
}

/** Searches unescaped JSON strings, then the whole, whose keys reveal secrets. */
function secretsIn(text: string, depth: number): Secret[] {
  const inside = depth < DEEPEST && /^\s*[[{"]/.test(text) ? stringsOf(text).flatMap((part) => secretsIn(part, depth + 1)) : []
  const found = redact(text).spans.map(({ kind, start, end }) => ({ kind, value: unescaped(text.slice(start, end)) }))
  return [...inside, ...found]
}

function unescaped(value: string): string {
  try {
    return JSON.parse(`"${value}"`) as string
  } catch {
    return value // no part of a JSON string: kept as it is
  }
}

function stringsOf(text: string): string[] {
  const strings: string[] = []
  try {
    JSON.parse(text, (_, value: unknown) => {
      if (typeof value === 'string') strings.push(value)
      return value
    })
  } catch {
    return [] // no JSON, or truncated: searched as text
  }
  return strings
}

async function listed(store: Store, places: readonly Place[]): Promise<ListedSecret[]> {
  const sessionIds = [...new Set(places.flatMap(({ sessionId }) => sessionId ?? []))]
  const sessions = new Map<string, { source: string; project: string | null; path: string | null }>()
  for (let i = 0; i < sessionIds.length; i += PAGE) {
    const some = sessionIds.slice(i, i + PAGE)
    const rows = await store.read
      .selectFrom('agent_sessions as s')
      .leftJoin('sync_state as f', 'f.session_id', 's.id')
      .select(['s.id', 's.source', 's.project', 's.project_name', 'f.path'])
      .where('s.id', 'in', some)
      .execute()
    for (const { id, source, project, project_name, path } of rows) sessions.set(id, { source, project: project_name ?? project, path })
  }
  const turns = await shortTurnIds(
    store,
    places.flatMap(({ turnId }) => turnId ?? []),
  )
  const clean = (text: string | null | undefined) => (text === null || text === undefined ? null : redactText(text))
  return places.map(({ kind, fingerprint, place, source, sessionId, messageId, turnId, tool, at }) => {
    const session = sessionId === null ? undefined : sessions.get(sessionId)
    const id = (turnId === null ? undefined : turns.get(turnId)) ?? sessionId ?? messageId ?? ''
    return {
      ...{
        kind,
        fingerprint,
        place,
        id: redactText(id),
        session_id: sessionId,
        message_id: messageId,
        tool: clean(tool),
        at: isoOrNull(at),
      },
      ...{ project: clean(session?.project), source: source ?? session?.source ?? '', path: clean(session?.path) },
    }
  })
}

function checkedLimit(limit = DEFAULT_LIMIT): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= HIGHEST_LIMIT) return limit
  throw new MnemonicError('USAGE', `the limit must be a whole number from 1 to ${HIGHEST_LIMIT}`, {
    details: { limit },
    hint: `Leave it out to see the newest ${DEFAULT_LIMIT}.`,
  })
}
