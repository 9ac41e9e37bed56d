/** Detects sessions without content, such as "hello" and "How can I help?", which lists and project states skip. */
import type { Kysely } from 'kysely'
import { saysSomething } from '../../ledgers/names/says-something.ts'
import { compiledOnce } from '../../store/compiled-once.ts'
import type { Tables } from '../../store/tables.ts'
import { plainText, sentencesOf } from '../plain-line.ts'
import { isEmptyTalk } from './courtesy.ts'

const MOST_MESSAGES = 12
const LONGEST = 2_000

const GREETING =
  /^(?:hallo|hola|bonjour|salut|ciao|olá|oi|hej|moin|servus|привет|здравствуйте|你好|您好|こんにちは|안녕(?:하세요)?)[\s!.,！。、]*$/iu
const QUESTION = /[?？]["')”’*]*$/

/** False for sessions outside the ledger. False if there is a tool call, a compaction, or a named file or thing. */
export async function isEmptySession(db: Kysely<Tables>, id: string): Promise<boolean> {
  const turns = await turnsOf(db, { id })
  if (turns.length === 0 || turns.length > MOST_MESSAGES) return false
  if (turns.some(({ tool_call_count, turn_type }) => tool_call_count > 0 || turn_type !== 'normal')) return false
  const messages = await messagesOf(db, { id })
  return messages.length <= MOST_MESSAGES && messages.every(({ role, content }) => saysNothing(role, content ?? ''))
}

export async function withoutEmpty<T extends { readonly id: string }>(db: Kysely<Tables>, sessions: readonly T[]): Promise<T[]> {
  const kept: T[] = []
  for (const session of sessions) if (!(await isEmptySession(db, session.id))) kept.push(session)
  return kept
}

function saysNothing(role: string, content: string): boolean {
  if (content.length > LONGEST) return false
  if (role === 'user') return GREETING.test(content.trim()) || !saysSomething(content)
  // A question back is not an answer.
  return sentencesOf(plainText(content)).every(
    (sentence) => isEmptyTalk(sentence) || GREETING.test(sentence) || QUESTION.test(sentence) || !/[\p{L}\p{N}]/u.test(sentence),
  )
}

const turnsOf = compiledOnce((db, { id }: { id: string }) =>
  db
    .selectFrom('agent_turns')
    .select(['tool_call_count', 'turn_type'])
    .where('session_id', '=', id)
    .where('status', '<>', 'superseded')
    .limit(MOST_MESSAGES + 1),
)

const messagesOf = compiledOnce((db, { id }: { id: string }) =>
  db
    .selectFrom('agent_messages as m')
    .innerJoin('agent_turns as t', 't.id', 'm.turn_id')
    .select(['m.role', 'm.content'])
    .where('m.session_id', '=', id)
    .where('t.status', '<>', 'superseded')
    .where('m.kind', 'in', ['prompt', 'reply'])
    .orderBy('m.sequence')
    .limit(MOST_MESSAGES + 1),
)
