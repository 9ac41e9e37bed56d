/** Bare answers ("2", "yes, the first", "do it") are unsearchable alone. Takes their meaning from the preceding answer. */
import type { Kysely } from 'kysely'
import { padded } from '../core/padded.ts'
import { oneLine } from '../core/text.ts'
import type { Tables } from '../store/tables.ts'
import { cleanText } from './document.ts'

/** A longer message is a report without a question. */
const MOST_BEFORE = 64 << 10
const LONGEST = 600
/** Most prompts are longer and load no rules. */
const LONGEST_PICK = 400

export async function answeredBy(db: Kysely<Tables>, turns: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (turns.length === 0) return new Map()
  const rows = await db
    .selectFrom('agent_turns as t')
    .innerJoin('agent_turns as p', 'p.id', 't.parent_turn_id')
    .select(['t.id', 't.query_message_ids', 'p.response_message_id as answer'])
    .where('t.id', 'in', padded(turns))
    .where('p.response_message_id', 'is not', null)
    .execute()
  const asked = new Map(rows.map(({ id, query_message_ids }) => [id, (JSON.parse(query_message_ids) as string[])[0] ?? '']))
  const prompts = await textsOf(db, [...asked.values()], { isShort: true })
  const short = rows.filter(({ id }) => prompts.has(asked.get(id) ?? ''))
  if (short.length === 0) return new Map()
  const { answerTo } = await import('../analyze/statements/answers.ts')
  const before = await textsOf(
    db,
    short.flatMap(({ answer }) => answer ?? []),
    { isShort: false },
  )
  return new Map(
    short.flatMap(({ id, answer }) => {
      const about = answerTo(before.get(answer ?? '') ?? '', prompts.get(asked.get(id) ?? '') ?? '')?.about
      return about === undefined ? [] : [[id, oneLine(cleanText(about), LONGEST)] as const]
    }),
  )
}

/** `isShort`: only people's short prompts. */
async function textsOf(
  db: Kysely<Tables>,
  ids: readonly string[],
  { isShort }: { readonly isShort: boolean },
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const all = db
    .selectFrom('agent_messages')
    .select(['id', 'content'])
    .where('id', 'in', padded([...new Set(ids)]))
    .where((eb) => eb(eb.fn<number>('length', ['content']), '<=', isShort ? LONGEST_PICK : MOST_BEFORE))
  const rows = await (isShort ? all.where('role', '=', 'user').where('trust', '<>', 'agent') : all).execute()
  return new Map(rows.map(({ id, content }) => [id, content ?? '']))
}
