import { oneLine } from '../core/text.ts'
import { isoOrNull } from '../core/time.ts'
import { shortTurnIds } from '../ledgers/short-ids.ts'
import type { TurnRow } from '../store/agent-rows.ts'
import type { Store } from '../store/store.ts'
import type { OutlinedTurn } from './browse.ts'
import type { Redact } from './redact-stored.ts'

const BATCH = 500
const PROMPT = 200

export async function outlineOf(store: Store, turns: readonly TurnRow[], redact: Redact): Promise<OutlinedTurn[]> {
  const lines: OutlinedTurn[] = []
  for (let i = 0; i < turns.length; i += BATCH) {
    const page = turns.slice(i, i + BATCH)
    const short = await shortTurnIds(
      store,
      page.map(({ id }) => id),
    )
    const openers = await textsOf(
      store,
      page.map(({ opener_id }) => opener_id),
    )
    lines.push(
      ...page.map((turn) => ({
        id: short.get(turn.id) ?? turn.id,
        turn_id: turn.id,
        status: turn.status,
        turn_type: turn.turn_type,
        timestamp: isoOrNull(turn.timestamp),
        prompt: oneLine(redact(openers.get(turn.opener_id) ?? ''), PROMPT),
        message_count: turn.message_count,
        tool_call_count: turn.tool_call_count,
        token_count: turn.token_count,
      })),
    )
  }
  return lines
}

async function textsOf(store: Store, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await store.read.selectFrom('agent_messages').select(['id', 'content']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, content }) => [id, content ?? '']))
}
