/** Self-contained text of a derived event; redacted. */
import { inWords } from '../core/stated-as.ts'
import { redactText } from './redact-stored.ts'

export function statedWords(content: string | null, metadataJson: string | null): string {
  const value: unknown = metadataJson === null ? null : JSON.parse(metadataJson)
  const { rule, about } = (typeof value === 'object' && value !== null ? value : {}) as { rule?: unknown; about?: unknown }
  return inWords({
    text: redactText(content ?? ''),
    rule: typeof rule === 'string' ? rule : null,
    about: typeof about === 'string' ? redactText(about) : null,
  })
}
