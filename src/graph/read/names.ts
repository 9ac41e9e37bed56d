import { redactSensitiveText } from '../../core/redact.ts'
import { oneLine } from '../../core/text.ts'
import type { Store } from '../../store/store.ts'

export interface Named {
  readonly entity_id: string
  readonly type: string
  readonly name: string
}

const AT_ONCE = 400
const LONGEST_NAME = 200

export async function namesOf({ read }: Store, ids: readonly string[]): Promise<Map<string, Named>> {
  const all = [...new Set(ids)]
  const found = new Map<string, Named>()
  for (let from = 0; from < all.length; from += AT_ONCE) {
    const rows = await read
      .selectFrom('entities')
      .select(['id', 'type', 'name'])
      .where('id', 'in', all.slice(from, from + AT_ONCE))
      .execute()
    for (const { id, type, name } of rows)
      found.set(id, { entity_id: id, type, name: oneLine(redactSensitiveText(name, { mode: 'tools' }), LONGEST_NAME) })
  }
  return found
}
