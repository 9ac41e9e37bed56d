import { redactSensitiveText } from '../core/redact.ts'
import type { EntityPart } from './entity-answers.ts'
import { qualifierIn } from './entity-key.ts'

export const redacted = (text: string) => redactSensitiveText(text, { mode: 'tools' })

export function partOf({ id, name, key }: { readonly id: string; readonly name: string; readonly key: string }): EntityPart {
  const [known = ''] = key.split('\u001f')
  const qualifier = qualifierIn(key)
  return { id, name: redacted(name), known_by: redacted(qualifier === undefined ? known : `${known} (${qualifier})`) }
}
