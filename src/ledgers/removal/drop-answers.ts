/** Model answers may quote removed data (a name, title or project), so they are deleted too. */
import type { SelectQueryBuilder } from 'kysely'
import type { WriteTx } from '../../store/store.ts'
import type { Tables } from '../../store/tables.ts'

type Ids = SelectQueryBuilder<Tables, 'events', { id: string }> | SelectQueryBuilder<Tables, 'agent_messages', { id: string }>

/** Triggers do the same if the text changes. */
export async function dropAnswers(tx: WriteTx, messages: readonly string[] | Ids): Promise<void> {
  const of = tx.db.selectFrom('llm_answer_messages').select('answer_key').where('message_id', 'in', messages)
  await tx.db.deleteFrom('llm_answers').where('key', 'in', of).execute()
}
