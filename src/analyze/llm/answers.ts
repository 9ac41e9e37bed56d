/** Cache of model answers, so that nothing is paid for twice. An answer lives as long as all its source messages. */
import { sha256 } from '../../core/hash.ts'
import { inRuns } from '../../core/in-runs.ts'
import { padded } from '../../core/padded.ts'
import type { Store, WriteTx } from '../../store/store.ts'
import type { Question } from './language-model.ts'

export interface Asked {
  readonly provider: string
  readonly model: string
}

/** Excludes the purpose, so that analyses with the same question share the answer. */
export function answerKey({ provider, model }: Asked, { prompt, text }: Question<unknown>): string {
  const { name, version, instructions } = prompt
  return sha256(JSON.stringify([provider, model, name, version, instructions, text]))
}

export async function readAnswer(db: Store['read'], key: string): Promise<unknown> {
  const row = await db.selectFrom('llm_answers').select('answer_json').where('key', '=', key).executeTakeFirst()
  return row === undefined ? undefined : (JSON.parse(row.answer_json) as unknown)
}

/** Skips the write if a source message was forgotten meanwhile. */
export async function keepAnswer(
  tx: WriteTx,
  { key, question, model, value, now }: { key: string; question: Question<unknown>; model: string; value: unknown; now: number },
): Promise<void> {
  const messages = [...new Set(question.messages)]
  if ((await countThere(tx, messages)) < messages.length) return
  await tx.db
    .insertInto('llm_answers')
    .values({ key, model, answer_json: JSON.stringify(withNote(value, question.note)), created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  for (const some of inRuns(messages, () => 1, AT_ONCE))
    await tx.db
      .insertInto('llm_answer_messages')
      .values(some.map((message_id) => ({ answer_key: key, message_id })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

function withNote(value: unknown, note: object | undefined): unknown {
  return note === undefined ? value : { ...(value as object), note }
}

export interface KeptAnswer {
  readonly key: string
  readonly value: unknown
  readonly note: unknown
}

export async function answersOf(db: Store['read'], model: string, messages: readonly string[]): Promise<KeptAnswer[]> {
  const found = new Map<string, { readonly at: number; readonly json: string }>()
  for (const some of inRuns([...new Set(messages)], () => 1, AT_ONCE)) {
    const rows = await db
      .selectFrom('llm_answers as a')
      .innerJoin('llm_answer_messages as m', 'm.answer_key', 'a.key')
      .select(['a.key', 'a.answer_json', 'a.created_at'])
      .distinct()
      .where('a.model', '=', model)
      .where('m.message_id', 'in', padded(some))
      .execute()
    for (const { key, answer_json, created_at } of rows) found.set(key, { at: created_at, json: answer_json })
  }
  return [...found]
    .sort(([, a], [, b]) => a.at - b.at)
    .flatMap(([key, { json }]) => {
      const value = JSON.parse(json) as { note?: unknown }
      return value.note === undefined ? [] : [{ key, value, note: value.note }]
    })
}

const AT_ONCE = 200

async function countThere(tx: WriteTx, messages: readonly string[]): Promise<number> {
  let there = 0
  for (const some of inRuns(messages, () => 1, AT_ONCE))
    for (const table of ['agent_messages', 'events'] as const)
      there += (await tx.db.selectFrom(table).select('id').where('id', 'in', padded(some)).execute()).length
  return there
}
