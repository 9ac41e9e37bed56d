/**
 * Sync step that finds fixes of failed tool calls. `failure_waiting` (filled by triggers) holds each session's first changed message.
 * Stores redacted text; a killed run resumes.
 */
import type { Kysely } from 'kysely'
import { REDACTION_VERSION, redactValues, redactVisible } from '../../core/redact.ts'
import { throwIfStopped } from '../../core/stopped.ts'
import { META, readMeta, writeMeta } from '../../store/meta.ts'
import type { Store, WriteTx } from '../../store/store.ts'
import type { FailuresTable, Tables } from '../../store/tables.ts'
import { placeOfFile, type SessionPlace } from '../projects/place-of-file.ts'
import { FARTHEST, type Failure, failuresOf, type Said, type SessionCall } from './fixes.ts'
import { SIGNATURE_VERSION } from './signature.ts'
import { trialOf } from './trial.ts'

export interface FollowFailuresOptions {
  readonly guard: (tx: WriteTx) => Promise<void>
  readonly signal?: AbortSignal | undefined
}

const IDENTITY = `failures-2/${SIGNATURE_VERSION}/${REDACTION_VERSION}`
const AT_ONCE = 600
const LONGEST_RESULT = 1_000_000
const LONGEST_PARAMS = 400_000
const ROWS = 40

export async function followFailures(store: Store, { guard, signal }: FollowFailuresOptions): Promise<number> {
  if ((await readMeta(store.read, META.failuresIdentity)) !== IDENTITY)
    await store.write(async (tx) => {
      await guard(tx)
      await waitForFailures(tx)
      await writeMeta(tx.db, META.failuresIdentity, IDENTITY)
    })
  for (let done = 0; ; done += 1) {
    throwIfStopped(signal, 'sync')
    const waiting = await store.read.selectFrom('failure_waiting').select('session_id').orderBy('session_id').limit(1).executeTakeFirst()
    if (waiting === undefined) return done
    await store.write(async (tx) => {
      await guard(tx)
      await followSession(tx.db, waiting.session_id)
    })
  }
}

/** Queues all sessions; old rows stay until rebuilt. */
export async function waitForFailures({ db }: WriteTx): Promise<void> {
  await db
    .insertInto('failure_waiting')
    .columns(['session_id', 'sequence'])
    .expression((eb) =>
      eb
        .selectFrom('agent_tool_calls')
        .select((of) => ['session_id', of.lit(-1).as('sequence')])
        .distinct()
        .where('session_id', 'is not', null),
    )
    .onConflict((conflict) => conflict.column('session_id').doUpdateSet({ sequence: -1 }))
    .execute()
}

async function followSession(db: Kysely<Tables>, session: string): Promise<void> {
  const waiting = await db.selectFrom('failure_waiting').select('sequence').where('session_id', '=', session).executeTakeFirst()
  if (waiting === undefined) return
  const place = await db
    .selectFrom('agent_sessions')
    .select(['project', 'workspace_path'])
    .where('id', '=', session)
    .executeTakeFirstOrThrow()
  const all = await db
    .selectFrom('agent_tool_calls as c')
    .innerJoin('agent_messages as m', 'm.id', 'c.message_id')
    .select(['c.id', 'm.sequence'])
    .where('c.session_id', '=', session)
    .orderBy('m.sequence')
    .orderBy('c.tool_number')
    .orderBy('c.id')
    .execute()
  const first = all.findIndex(({ sequence }) => sequence >= waiting.sequence)
  let from = Math.max(0, (first === -1 ? all.length : first) - FARTHEST)
  while (from > 0 && all[from - 1]?.sequence === all[from]?.sequence) from -= 1
  const window = all.slice(from, from + AT_ONCE)
  const isLast = from + AT_ONCE >= all.length
  const since = from === 0 ? -1 : (window[0]?.sequence ?? waiting.sequence)
  for (const table of ['failures', 'command_runs'] as const)
    await db.deleteFrom(table).where('session_id', '=', session).where('sequence', '>=', since).execute()
  const calls = await readCalls(
    db,
    window.map(({ id }) => id),
  )
  const said = await readSaid(db, session, calls)
  const failures = failuresOf(calls, said, isLast ? calls.length : calls.length - FARTHEST)
  for (const rows of groups(failures))
    await db
      .insertInto('failures')
      .values(rows.map((failure) => failureRow(failure, session, place)))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  const runs = calls.filter(({ command, key, state }) => command !== undefined && key !== undefined && state !== 'unknown')
  for (const rows of groups(runs))
    await db
      .insertInto('command_runs')
      .values(
        rows.map(({ id, key, state, sequence, at }) => ({
          ...{ call_id: id, session_id: session, command: key?.key ?? '', passed: state === 'passed' ? 1 : 0, sequence, at },
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  if (isLast) await db.deleteFrom('failure_waiting').where('session_id', '=', session).execute()
  else
    await db
      .updateTable('failure_waiting')
      .set({ sequence: all[from + AT_ONCE]?.sequence ?? waiting.sequence })
      .where('session_id', '=', session)
      .execute()
}

async function readCalls(db: Kysely<Tables>, ids: readonly string[]): Promise<SessionCall[]> {
  const found = new Map<string, SessionCall>()
  for (let from = 0; from < ids.length; from += 200) {
    const rows = await db
      .selectFrom('agent_tool_calls as c')
      .innerJoin('agent_messages as m', 'm.id', 'c.message_id')
      .leftJoin('agent_turns as t', 't.id', 'm.turn_id')
      .select(['c.id', 'c.message_id', 'c.tool_name', 'c.status', 'c.started_at', 'm.timestamp', 'm.sequence', 't.sequence as turn'])
      .select((eb) => [
        eb
          .case()
          .when(eb.fn('length', ['c.params_json']), '<=', LONGEST_PARAMS)
          .then(eb.ref('c.params_json'))
          .end()
          .as('params_json'),
        eb
          .case()
          .when(eb.fn('length', ['c.result_json']), '<=', LONGEST_RESULT)
          .then(eb.ref('c.result_json'))
          .end()
          .as('result_json'),
      ])
      .where('c.id', 'in', ids.slice(from, from + 200))
      .execute()
    for (const row of rows)
      found.set(row.id, {
        ...trialOf(row),
        ...{
          id: row.id,
          message: row.message_id as string,
          turn: row.turn ?? 0,
          at: row.started_at ?? row.timestamp ?? 0,
          sequence: row.sequence,
        },
      })
  }
  return ids.flatMap((id) => found.get(id) ?? [])
}

async function readSaid(db: Kysely<Tables>, session: string, calls: readonly SessionCall[]): Promise<Said[]> {
  const firstFailed = calls.find(({ state }) => state === 'failed')
  if (firstFailed === undefined) return []
  const rows = await db
    .selectFrom('agent_messages')
    .select(['id', 'content', 'kind', 'sequence'])
    .where('session_id', '=', session)
    .where('sequence', '>=', firstFailed.sequence)
    .where('sequence', '<=', calls.at(-1)?.sequence ?? 0)
    .where('kind', 'in', ['prompt', 'reply'])
    .where('trust', 'in', ['owner', 'agent'])
    .where('content', '<>', '')
    .orderBy('sequence')
    .execute()
  const said: Said[] = []
  let after = 0
  for (const { id, content, kind, sequence } of rows) {
    while (after < calls.length && (calls[after] as SessionCall).sequence < sequence) after += 1
    said.push({ message: id, isOwner: kind === 'prompt', text: content ?? '', after })
  }
  return said
}

function failureRow(
  { call, error, rank, state, fix, solved, whyMessage, calls, turns }: Failure,
  session: string,
  place: SessionPlace,
): FailuresTable {
  const edits = fix?.edits.map((edit) => ({ ...edit, file: shortPath(edit.file, place) }))
  return {
    ...{
      call_id: call.id,
      signature: error.signature,
      session_id: session,
      rank,
      sequence: call.sequence,
      state,
      calls,
      turns,
      at: call.at,
    },
    ...{ tool: redactVisible(call.tool), program: call.key?.program ?? '', command: call.key?.key ?? '' },
    ...{ line: error.line, shown: call.key?.shown ?? '' },
    fix_json: fix === undefined ? null : JSON.stringify(redactValues({ ...fix, edits })),
    solved_call: solved?.id ?? null,
    why_message: whyMessage ?? null,
  }
}

function shortPath(path: string, place: SessionPlace): string {
  return placeOfFile(path, place) ?? path.split(/[\\/]/).slice(-2).join('/')
}

function* groups<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < rows.length; from += ROWS) yield rows.slice(from, from + ROWS)
}
