/** What built the index. When any part of it changes, documents made by the older one are made again. */

const CHUNKER = 'chunker-1'
const TOKENIZER = 'minilm-wordpiece'
const RULES = 'rules-1'
const REDACTION = 'redact-2'
const SCHEMA = 'schema-1'

export const IDENTITY_KEY = 'index_identity'

export function indexIdentity(maxTokens: number): string {
  return [`${CHUNKER}-${maxTokens}`, TOKENIZER, RULES, REDACTION, SCHEMA].join('/')
}
