/** Version of the index: if any part changes, documents are rebuilt. */
import { REDACTION_VERSION } from '../core/redact.ts'
import { META } from '../store/meta.ts'

const CHUNKER = 'chunker-3'
const TOKENIZER = 'minilm-wordpiece'
const RULES = 'rules-2'
const SCHEMA = 'schema-1'

export const IDENTITY_KEY = META.indexIdentity

/** Topics and flags are missing; the next analyzing run adds them. */
export function unanalyzed(identity: string): string {
  return `${identity}/unanalyzed`
}

export function indexIdentity(maxTokens: number): string {
  return [`${CHUNKER}-${maxTokens}`, TOKENIZER, RULES, REDACTION_VERSION, SCHEMA].join('/')
}
