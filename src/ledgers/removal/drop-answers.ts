/** What models answered about records that stay and lose something beside their text (a name, a title, a project): the answer may say it in other words. */
import type { SelectQueryBuilder } from 'kysely'
import type { WriteTx } from '../../store/store.ts'
import type { Tables } from '../../store/tables.ts'

type Ids = SelectQueryBuilder<Tables, 'events', { id: string }> | SelectQueryBuilder<Tables, 'agent_messages', { id: string }>

/** Of these messages or events. Where their text changes, triggers do the same. */
export async function dropAnswers(tx: WriteTx, messages: readonly string[] | Ids): Promise<void> {
  const of = tx.db.selectFrom('llm_answer_messages').select('answer_key').where('message_id', 'in', messages)
  await tx.db.deleteFrom('llm_answers').where('key', 'in', of).execute()
}
