/** The last request's tokens belong to its reply, totals to the session. */
import { given } from '../../../core/given.ts'
import { shortHash } from '../../../core/hash.ts'
import { type Fields, fieldsOf } from '../fields.ts'
import { closeReply, pushMessage } from './emit.ts'
import type { Reading } from './read-state.ts'

export function tokenCount(payload: Fields, reading: Reading): void {
  const { state } = reading
  const info = fieldsOf(payload.info)
  const last = numbersOf(info?.last_token_usage)
  const total = numbersOf(info?.total_token_usage)
  const limit = info?.model_context_window
  if (info === undefined || (last === undefined && total === undefined)) return
  state.usage = {
    ...state.usage,
    ...given({ total }),
    ...(last?.total_tokens === undefined ? {} : { used: last.total_tokens }),
    ...given({ limit: typeof limit === 'number' && limit > 0 ? limit : undefined }),
    told: false,
  }
  // A copy may omit replies, so its counts cannot be assigned.
  if (last !== undefined && state.counted !== undefined && state.copy === undefined) pushCount(state.counted, last, reading)
  delete state.counted
  closeReply(state)
}

function pushCount(reply: string, usage: Readonly<Record<string, number>>, reading: Reading): void {
  pushMessage(reading, {
    id: reply,
    part: `${reply}#usage`,
    role: 'assistant',
    kind: 'reply',
    trust: 'agent',
    text: '',
    hash: shortHash(16, 'usage', '\n', JSON.stringify(usage)),
    metadata: { usage },
    aside: true,
  })
}

function numbersOf(usage: unknown): Record<string, number> | undefined {
  const fields = fieldsOf(usage)
  if (fields === undefined) return undefined
  const numbers = Object.entries(fields).filter((entry): entry is [string, number] => typeof entry[1] === 'number' && entry[1] !== 0)
  return numbers.length === 0 ? undefined : Object.fromEntries(numbers)
}
