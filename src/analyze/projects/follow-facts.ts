/**
 * Sync step that extracts project facts from waiting calls and messages (`fact_waiting`, filled by triggers). Stores redacted text.
 * Idempotent; a killed run resumes.
 */
import type { Kysely } from 'kysely'
import { shortHash } from '../../core/hash.ts'
import { REDACTION_VERSION, redactVisible } from '../../core/redact.ts'
import { throwIfStopped } from '../../core/stopped.ts'
import { oneLine } from '../../core/text.ts'
import { leastTrusted, type Trust } from '../../core/trust.ts'
import { META, readMeta, writeMeta } from '../../store/meta.ts'
import type { Store, WriteTx } from '../../store/store.ts'
import type { Tables } from '../../store/tables.ts'
import type { Fact } from './fact.ts'
import { factsOfCall, factsOfMessage, needsFacts } from './facts-of-call.ts'

export interface FollowFactsOptions {
  readonly guard: (tx: WriteTx) => Promise<void>
  readonly signal?: AbortSignal | undefined
}

const IDENTITY = `facts-5/${REDACTION_VERSION}`
const AT_ONCE = 400
const LONGEST_RESULT = 1_000_000
const LONGEST_KEY = 160
const LONGEST_VALUE = 320
const ROWS = 80

export async function followFacts(store: Store, { guard, signal }: FollowFactsOptions): Promise<number> {
  if ((await readMeta(store.read, META.factsIdentity)) !== IDENTITY)
    await store.write(async (tx) => {
      await guard(tx)
      await waitForFacts(tx)
      await writeMeta(tx.db, META.factsIdentity, IDENTITY)
    })
  for (let done = 0; ; ) {
    throwIfStopped(signal, 'sync')
    const waiting = await store.read.selectFrom('fact_waiting').selectAll().orderBy('is_call').orderBy('unit').limit(AT_ONCE).execute()
    if (waiting.length === 0) return done
    const calls = waiting.filter(({ is_call }) => is_call === 1).map(({ unit }) => unit)
    const messages = waiting.filter(({ is_call }) => is_call === 0).map(({ unit }) => unit)
    await store.write(async (tx) => {
      await guard(tx)
      // Read in the transaction that dequeues: a concurrent change queues the unit again.
      const rows = [...(await rowsOfCalls(tx.db, calls)), ...(await rowsOfMessages(tx.db, messages))]
      for (const [units, column] of [[calls, 'call_id'] as const, [messages, 'message_id'] as const])
        if (units.length > 0) {
          await tx.db
            .deleteFrom('project_facts')
            .where(column, 'in', units)
            .$if(column === 'message_id', (query) => query.where('call_id', 'is', null))
            .execute()
          await tx.db
            .deleteFrom('fact_waiting')
            .where('is_call', '=', column === 'call_id' ? 1 : 0)
            .where('unit', 'in', units)
            .execute()
        }
      for (let from = 0; from < rows.length; from += ROWS)
        await tx.db
          .insertInto('project_facts')
          .values(rows.slice(from, from + ROWS))
          .onConflict((conflict) => conflict.doNothing())
          .execute()
    })
    done += waiting.length
  }
}

/** Queues everything; old facts stay until re-extracted. */
export async function waitForFacts({ db }: WriteTx): Promise<void> {
  await db
    .insertInto('fact_waiting')
    .columns(['unit', 'is_call'])
    .expression((eb) =>
      eb
        .selectFrom('agent_tool_calls')
        .select((of) => ['id', of.lit(1).as('is_call')])
        .where('message_id', 'is not', null),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await db
    .insertInto('fact_waiting')
    .columns(['unit', 'is_call'])
    .expression((eb) =>
      eb
        .selectFrom('agent_messages')
        .select((of) => ['id', of.lit(0).as('is_call')])
        .where('content', '<>', '')
        .where('kind', 'in', ['prompt', 'reply']),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

async function rowsOfCalls(db: Kysely<Tables>, ids: readonly string[]) {
  if (ids.length === 0) return []
  const calls = await db
    .selectFrom('agent_tool_calls as c')
    .innerJoin('agent_messages as m', 'm.id', 'c.message_id')
    .innerJoin('agent_sessions as s', 's.id', 'c.session_id')
    .select(['c.id', 'c.session_id', 'c.message_id', 'c.tool_name', 'c.params_json', 'c.status', 'c.started_at', 'm.timestamp', 'm.trust'])
    .select(['s.project', 's.workspace_path', 's.repository'])
    .where('c.id', 'in', ids)
    .where('s.project', 'is not', null)
    .execute()
  const telling = calls.filter(({ tool_name, params_json }) => needsFacts(tool_name, params_json))
  const results = new Map<string, string | null>()
  if (telling.length > 0)
    for (const { id, result_json } of await db
      .selectFrom('agent_tool_calls')
      .select(['id', 'result_json'])
      .where(
        'id',
        'in',
        telling.map(({ id }) => id),
      )
      .execute())
      results.set(id, result_json !== null && result_json.length > LONGEST_RESULT ? null : result_json)
  return telling.flatMap((call) =>
    factsOfCall({ ...call, result_json: results.get(call.id) ?? null }, call).map((fact) =>
      row(fact, {
        ...{ session: call.session_id, message: call.message_id as string, call: call.id },
        ...{ at: call.started_at ?? call.timestamp, trust: fact.isForeign ? 'untrusted' : (call.trust as Trust) },
      }),
    ),
  )
}

async function rowsOfMessages(db: Kysely<Tables>, ids: readonly string[]) {
  if (ids.length === 0) return []
  const messages = await db
    .selectFrom('agent_messages as m')
    .innerJoin('agent_sessions as s', 's.id', 'm.session_id')
    .select(['m.id', 'm.session_id', 'm.content', 'm.timestamp', 'm.trust'])
    .where('m.id', 'in', ids)
    .where('s.project', 'is not', null)
    .where('m.trust', 'in', ['owner', 'agent'])
    .execute()
  return messages.flatMap(({ id, session_id, content, timestamp, trust }) =>
    factsOfMessage(content ?? '').map((fact) =>
      row(fact, { session: session_id, message: id, call: null, at: timestamp, trust: trust as Trust }),
    ),
  )
}

function safeDetail(detail: NonNullable<Fact['detail']>) {
  return Object.fromEntries(Object.entries(detail).map(([name, value]) => [name, typeof value === 'string' ? safeText(value) : value]))
}

interface Source {
  readonly session: string
  readonly message: string
  readonly call: string | null
  readonly at: number | null
  readonly trust: Trust
}

const redacted = new Map<string, string>()
const MOST_KEPT = 5_000

function safeText(text: string): string {
  let safe = redacted.get(text)
  if (safe === undefined) {
    safe = redactVisible(text)
    if (redacted.size >= MOST_KEPT) redacted.clear()
    redacted.set(text, safe)
  }
  return safe
}

function row({ kind, key, value, detail }: Fact, { session, message, call, at, trust }: Source) {
  // Redact before cutting: half a secret is not recognised.
  const safe = {
    key: oneLine(safeText(key), LONGEST_KEY),
    value: oneLine(safeText(value), LONGEST_VALUE),
    detail_json: detail === undefined ? null : JSON.stringify(safeDetail(detail)),
  }
  return {
    ...{ id: shortHash(24, call ?? message, '\n', kind, '\n', key, '\n', value, '\n', String(detail?.role ?? '')), session_id: session },
    ...{ message_id: message, call_id: call, kind, ...safe, at, trust: leastTrusted([trust]) },
  }
}
