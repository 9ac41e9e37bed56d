/** What built the index. When any part of it changes, documents made by the older one are made again. */
import { REDACTION_VERSION } from '../core/redact.ts'
import { META } from '../store/meta.ts'

const CHUNKER = 'chunker-3'
const TOKENIZER = 'minilm-wordpiece'
const RULES = 'rules-2'
const SCHEMA = 'schema-1'

export const IDENTITY_KEY = META.indexIdentity

/** Of documents whose topics and flags wait: the next run that finds them makes them. */
export function unanalyzed(identity: string): string {
  return `${identity}/unanalyzed`
}

export function indexIdentity(maxTokens: number): string {
  return [`${CHUNKER}-${maxTokens}`, TOKENIZER, RULES, REDACTION_VERSION, SCHEMA].join('/')
}
