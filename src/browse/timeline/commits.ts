/** Commits that tool calls made, as git prints them: `[main 1a2b3c4] Subject`. */
import type { Kysely } from 'kysely'
import { oneLine } from '../../core/text.ts'
import { toIso } from '../../core/time.ts'
import { resultOf } from '../../ledgers/deeds/result.ts'
import { commandIn } from '../../ledgers/names/title-of-call.ts'
import type { Tables } from '../../store/tables.ts'
import { redactText } from '../redact-stored.ts'
import type { AskedSpan } from './asked-span.ts'
import type { TimelineCommit } from './entry.ts'

const COMMITTED = /^\[([^\]\n]{1,120}?) (?:\(root-commit\) )?([0-9a-f]{7,40})\] (.+)$/gm
const COMMAND = /\bgit\b[\s\S]*\b(?:commit|cherry-pick|revert|merge)\b/
const AT_ONCE = 100
const LONGEST_SUBJECT = 200

/** By session, in order of time; each commit once, at its first call. */
export async function commitsOf(
  db: Kysely<Tables>,
  sessions: readonly string[],
  { from, to }: AskedSpan,
): Promise<Map<string, TimelineCommit[]>> {
  const found = new Map<string, TimelineCommit[]>()
  const seen = new Set<string>()
  for (let at = 0; at < sessions.length; at += AT_ONCE) {
    const calls = await db
      .selectFrom('agent_tool_calls')
      .select(['session_id', 'started_at', 'completed_at', 'params_json', 'result_json', 'status'])
      .where('session_id', 'in', sessions.slice(at, at + AT_ONCE))
      .where('started_at', '>=', from)
      .where('started_at', '<', to)
      .where('params_json', 'like', '%git%')
      .where('result_json', 'like', '%[%]%')
      .orderBy('started_at')
      .execute()
    for (const call of calls) {
      if (!COMMAND.test(commandIn(call.params_json ?? '') ?? '')) continue
      const { text, failed } = resultOf(call)
      if (failed) continue
      for (const [, branch = '', hash = '', subject = ''] of text.matchAll(COMMITTED)) {
        if (seen.has(hash)) continue
        seen.add(hash)
        const commit = {
          at: toIso(call.completed_at ?? call.started_at ?? from),
          hash,
          branch: branch.startsWith('detached HEAD') ? null : redactText(branch),
          subject: oneLine(redactText(subject), LONGEST_SUBJECT),
        }
        const others = found.get(call.session_id)
        if (others) others.push(commit)
        else found.set(call.session_id, [commit])
      }
    }
  }
  return found
}
