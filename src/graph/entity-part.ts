/** One of those that an entity is made of, as it is shown. */
import { redactSensitiveText } from '../core/redact.ts'
import type { EntityPart } from './entity-answers.ts'
import { qualifierIn } from './entity-key.ts'

export const redacted = (text: string) => redactSensitiveText(text, { mode: 'tools' })

export function partOf({ id, name, key }: { readonly id: string; readonly name: string; readonly key: string }): EntityPart {
  // Whose name for somebody it is says nothing to a reader; who that is to them does.
  const [known = ''] = key.split('\u001f')
  const qualifier = qualifierIn(key)
  return { id, name: redacted(name), known_by: redacted(qualifier === undefined ? known : `${known} (${qualifier})`) }
}
