import { describeRest, type ModelRest } from '../analyze/llm/rest.ts'
import type { AgentMemory } from '../config/agent-memory.ts'
import { plural } from '../core/text.ts'
import { ago } from '../core/time.ts'
import { type AgentRun, lastRun } from '../roles/writer/agent/agent-runs.ts'
import { queueState } from '../roles/writer/take-tasks.ts'
import { META, readMeta } from '../store/meta.ts'
import type { Store } from '../store/store.ts'
import { type Answer, degraded, ok } from './report.ts'

/** Each task starts a worker, so a longer wait means that none runs. */
const LATE_MS = 3_600_000

export async function writerQueue(store: Store, now: number): Promise<Answer> {
  const { waiting, failed, oldest } = await queueState(store)
  if (failed > 0) {
    const last = await store.read
      .selectFrom('writer_tasks')
      .select(['kind', 'harness', 'session', 'error_code', 'error_message'])
      .where('status', '=', 'failed')
      .orderBy('updated_at', 'desc')
      .limit(1)
      .executeTakeFirst()
    const why =
      last === undefined ? '' : `; the last (${last.kind} of ${last.harness} ${last.session}): ${last.error_message ?? last.error_code}`
    return degraded(`${plural(failed, 'task')} of the writer failed${why}`, 'Run mnemonic write --retry.')
  }
  if (oldest === null) return ok('nothing waits to be written')
  const message = `${plural(waiting, 'task')} of the writer ${waiting === 1 ? 'waits' : 'wait'}, the oldest since ${ago(oldest, now)}`
  return oldest < now - LATE_MS ? degraded(message, 'Run mnemonic write.') : ok(message)
}

export async function writerAgent({ read }: Store, { mode }: AgentMemory['write']): Promise<Answer> {
  if (mode !== 'agent') return ok(`no agent writes: write.mode is ${mode}`)
  const value = await readMeta(read, META.agentRest)
  const rest = value === undefined ? undefined : (JSON.parse(value) as ModelRest)
  if (rest !== undefined && rest.until > 0) return degraded(describeRest(rest), 'Mend what it says; mnemonic write then tries it again.')
  const last = await lastRun(read)
  if (last === null) return ok('the agent has not run yet')
  const message = describeRun(last)
  return last.status === 'failed'
    ? degraded(
        message,
        `${last.hint === null ? '' : `${last.hint} `}It is tried again with the next session; until then rules or the model do it.`,
      )
    : ok(message)
}

export function describeRun({ agent, status, at, seconds, searches, writes, refused, tokens, reason, noted }: AgentRun): string {
  const did = `${plural(searches, 'search', 'searches')}, ${plural(writes, 'write')}, ${refused} refused, ${tokens.toLocaleString('en-US')} tokens in ${seconds} s`
  const ended = status === 'failed' ? `failed: ${reason}` : did
  return [
    `the last run of ${agent} (${at.slice(0, 16)}Z) ${status === 'failed' ? ended : `did ${did}`}`,
    ...noted.map((one) => `it ${one}`),
  ].join('; ')
}
