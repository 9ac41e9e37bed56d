/** Filters sessions by words in title, project, label or first prompt, ignoring case. */
import type { Store } from '../store/store.ts'
import { redactText } from './redact-stored.ts'
import type { SummaryRow } from './session-summary.ts'

const AT_ONCE = 500
/** Characters of the first prompt. */
const PROMPT = 500

export async function sessionsWithWords(store: Store, rows: readonly SummaryRow[], text: string): Promise<SummaryRow[]> {
  const words = folded(text).split(/\s+/).filter(Boolean)
  if (words.length === 0) return [...rows]
  const prompts = new Map<string, string>()
  for (let i = 0; i < rows.length; i += AT_ONCE)
    for (const [id, prompt] of await firstPrompts(store, rows.slice(i, i + AT_ONCE))) prompts.set(id, prompt)
  return rows.filter((row) => {
    const { title, task_description, label, project, project_name, workspace_path } = row
    const said = [title, task_description, label, project, project_name, workspace_path, prompts.get(row.id)?.slice(0, PROMPT)]
    const all = said.filter((one) => one !== null && one !== undefined).join('\n')
    const holds = (where: string) => words.every((word) => where.includes(word))
    // A filter must not reveal a secret by matching it. Redacts only matches, for speed.
    return holds(folded(all)) && holds(folded(redactText(all)))
  })
}

async function firstPrompts(store: Store, rows: readonly SummaryRow[]): Promise<Map<string, string>> {
  const ids = rows.map(({ id }) => id)
  const found = await store.read
    .selectFrom('agent_messages as m')
    .select(['m.session_id', 'm.content'])
    .where('m.session_id', 'in', ids)
    .where('m.kind', '=', 'prompt')
    .where((eb) =>
      eb(
        'm.sequence',
        '=',
        eb
          .selectFrom('agent_messages as o')
          .select((first) => first.fn.min('o.sequence').as('sequence'))
          .whereRef('o.session_id', '=', 'm.session_id')
          .where('o.kind', '=', 'prompt'),
      ),
    )
    .execute()
  return new Map(found.map(({ session_id, content }) => [session_id, content ?? '']))
}

function folded(text: string): string {
  return text.normalize('NFC').toLowerCase()
}
