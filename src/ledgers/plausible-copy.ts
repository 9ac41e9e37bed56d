/**
 * Whether a record can be the copy that it says it is. The field that says so stands in a file which programs other than ours write: what a person
 * typed is taken for a copy, and so not stored, only where the message that it names says the same. Pure.
 */
import { redactVisible } from '../core/redact.ts'
import { words } from '../core/text.ts'

/** A copy is redacted and shortened, by this version or an older one: so much of its words must be there. */
const SHARE = 0.5

interface Said {
  readonly role: string
  readonly text: string
}

export function isPlausible(record: Said & { readonly kind: string }, { role, text }: Said): boolean {
  if (record.kind !== 'prompt') return true
  if (role !== 'user') return false
  const said = new Set(words(record.text))
  if (said.size === 0) return true
  const known = new Set([...words(text), ...words(redactVisible(text))])
  return [...said].filter((word) => known.has(word)).length >= said.size * SHARE
}
