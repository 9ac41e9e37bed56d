import { redactSensitiveText } from '../../core/redact.ts'
import { oneLine } from '../../core/text.ts'
import { placesOf } from '../../graph/read/cite.ts'
import type { Store } from '../../store/store.ts'
import type { CitedSentence } from './cited.ts'

const LONGEST = 200

export interface SessionSentences {
  readonly sentences: readonly CitedSentence[]
  readonly times: readonly number[]
}

export async function sessionSentences(store: Store, ids: readonly string[]): Promise<SessionSentences> {
  const sentences: CitedSentence[] = []
  const times: number[] = []
  for (const id of ids) {
    const session = await store.read
      .selectFrom('agent_sessions')
      .select(['title', 'started_at', 'last_message_at'])
      .where('id', '=', id)
      .executeTakeFirst()
    const prompt = await store.read
      .selectFrom('agent_messages')
      .select(['id', 'content'])
      .where('session_id', '=', id)
      .where('role', '=', 'user')
      .where('kind', '=', 'prompt')
      .where('content', '<>', '')
      .orderBy('sequence')
      .limit(1)
      .executeTakeFirst()
    if (session === undefined || prompt === undefined) continue
    const day = session.started_at === null ? '' : `${new Date(session.started_at).toISOString().slice(0, 10)}: `
    const title = oneLine(redactSensitiveText(session.title ?? prompt.content ?? '', { mode: 'tools' }), LONGEST)
    const place = (await placesOf(store, [prompt.id])).get(prompt.id)
    sentences.push({
      text: `${day}${title}`,
      cites: [{ message: prompt.id, span: [0, prompt.content?.length ?? 0], id: place?.id ?? null }],
    })
    if (session.last_message_at !== null) times.push(session.last_message_at)
  }
  return { sentences, times }
}
