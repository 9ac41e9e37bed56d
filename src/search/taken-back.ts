/** Marks a hit whose prompt only picks ("2", "yes") if the next turn takes that back. */
import { oneLine, printable } from '../core/text.ts'
import { answeredBy } from '../index/answered.ts'
import { cleanText } from '../index/document.ts'
import { shortTurnIds } from '../ledgers/short-ids.ts'
import type { Store } from '../store/store.ts'
import type { TakenBack } from './result.ts'

const LONGEST = 200

export async function takenBackBy(store: Store, turns: readonly string[]): Promise<ReadonlyMap<string, TakenBack>> {
  const { read } = store
  const picks = [...(await answeredBy(read, [...new Set(turns)])).keys()]
  if (picks.length === 0) return new Map()
  const rows = await read
    .selectFrom('agent_turns as t')
    .innerJoin('agent_turns as n', 'n.parent_turn_id', 't.id')
    .select(['t.id', 't.query_message_ids as picked', 'n.id as next', 'n.query_message_ids as said'])
    .where('t.id', 'in', picks)
    .where('n.status', '<>', 'superseded')
    .whereRef('n.session_id', '=', 't.session_id')
    .orderBy('n.sequence')
    .execute()
  const first = (ids: string) => (JSON.parse(ids) as string[])[0] ?? ''
  const messages = await read
    .selectFrom('agent_messages')
    .select(['id', 'content'])
    .where('id', 'in', [...new Set(rows.flatMap(({ picked, said }) => [first(picked), first(said)]))])
    .where('role', '=', 'user')
    .where('trust', '<>', 'agent')
    .where((eb) => eb(eb.fn<number>('length', ['content']), '<=', 2 * LONGEST))
    .execute()
  const texts = new Map(messages.map(({ id, content }) => [id, content ?? '']))
  const { takesBack } = await import('../analyze/statements/takes-back.ts')
  const found = new Map<string, { next: string; text: string }>()
  const seen = new Set<string>()
  for (const { id, picked, next, said } of rows) {
    if (seen.has(id)) continue
    seen.add(id)
    const [pick, text] = [texts.get(first(picked)), texts.get(first(said))]
    if (pick !== undefined && text !== undefined && takesBack(text, pick)) found.set(id, { next, text })
  }
  const short = await shortTurnIds(
    store,
    [...found.values()].map(({ next }) => next),
  )
  return new Map(
    [...found].map(([id, { next, text }]) => [
      id,
      { id: short.get(next) ?? next, turn_id: next, text: oneLine(printable(cleanText(text)), LONGEST) },
    ]),
  )
}
