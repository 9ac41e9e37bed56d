/** Planned records are redacted like all displayed text. */
import { redactStored } from '../browse/redact-stored.ts'
import { oneLine, stripControls } from '../core/text.ts'
import { isoOrNull } from '../core/time.ts'
import type { Store } from '../store/store.ts'
import type { ForgetContext } from './context.ts'
import { type ForgetRequest, select, selectorOf } from './request.ts'
import type { Hit } from './select/selection.ts'
import { type TextMatch, textMatch } from './select/text-match.ts'

/** snake_case: the JSON of `forget --dry-run`. */
export interface ForgetPlan {
  readonly dry_run: true
  readonly selector: string
  readonly whole: string | null
  readonly would_remove: Readonly<Record<string, number>>
  readonly tables: Readonly<Record<string, number>>
  /** Ids that contain the text are counted, not named. */
  readonly sessions: readonly string[]
  /** They remain; `--with-subagents` includes them. */
  readonly subagents: readonly string[]
  readonly records: readonly PlannedRecord[]
}

export interface PlannedRecord {
  readonly kind: string
  /** Null without a session, or if the id contains the text. */
  readonly session_id: string | null
  readonly title: string | null
  readonly timestamp: string | null
  readonly text: string
}

export interface PlanRequest extends ForgetRequest {
  /** Limits the plan to the agent that reads it. */
  readonly of?: string
}

export async function planForgetting(context: ForgetContext, request: PlanRequest): Promise<ForgetPlan> {
  const selector = selectorOf(request)
  const { sessions, subagents, needles, counts, tables, hits } = await select(context.store, request, { ...context, of: request.of })
  const match = request.match === undefined ? undefined : textMatch(request.match)
  return {
    ...{ dry_run: true, selector, whole: request.whole ?? null },
    ...{ would_remove: Object.fromEntries(counts), tables: Object.fromEntries(tables) },
    sessions: [...sessions].filter((id) => match === undefined || !holdsAny(id, needles)).sort(),
    subagents,
    records: await Promise.all(hits.map((hit) => plannedRecord(context.store, hit, match))),
  }
}

function holdsAny(text: string, needles: Iterable<string>): boolean {
  const lower = text.toLowerCase()
  return [...needles].some((needle) => lower.includes(needle.toLowerCase()))
}

const WIDTH = 160
const BEFORE = 60

async function plannedRecord(store: Store, hit: Hit, match: TextMatch | undefined): Promise<PlannedRecord> {
  const session = await sessionOf(store, hit.session)
  const title = session?.title ?? (await threadNameOf(store, hit.event))
  const shownId = hit.session !== undefined && !match?.holds(hit.session)
  return {
    kind: hit.kind,
    session_id: shownId ? (hit.session as string) : null,
    title: title ? clean(title, WIDTH) : null,
    timestamp: isoOrNull((await timeOf(store, hit)) ?? session?.started_at ?? null),
    text: excerpt(hit.text, match),
  }
}

async function sessionOf(store: Store, id: string | undefined) {
  if (id === undefined) return undefined
  return store.read.selectFrom('agent_sessions').select(['title', 'started_at']).where('id', '=', id).executeTakeFirst()
}

async function threadNameOf(store: Store, event: string | undefined): Promise<string | null> {
  if (event === undefined) return null
  const named = store.read.selectFrom('events as e').innerJoin('threads as t', 't.id', 'e.thread_id').select('t.name')
  return (await named.where('e.id', '=', event).executeTakeFirst())?.name ?? null
}

async function timeOf(store: Store, { at, message }: Hit): Promise<number | null | undefined> {
  if (at !== undefined || message === undefined) return at
  const row = await store.read.selectFrom('agent_messages').select('timestamp').where('id', '=', message).executeTakeFirst()
  return row?.timestamp
}

/** Redacts before cutting: half a secret is not recognised. */
function excerpt(value: string, match: TextMatch | undefined): string {
  const shown = safe(value).replace(/\s+/g, ' ').trim()
  const from = Math.max(0, (match?.indexIn(shown) ?? 0) - BEFORE)
  const start = from === 0 ? 0 : shown.indexOf(' ', from) + 1
  return `${start === 0 ? '' : '…'}${clean(shown.slice(start), WIDTH)}`
}

function clean(text: string, most: number): string {
  return oneLine(safe(text), most)
}

/** Redacts before stripping controls too: they may mark a secret. */
function safe(text: string): string {
  return redactStored(stripControls(redactStored(text)))
}
