/** Concrete names that make a session's sentence specific: project, files, issues, components. Never a secret or an instruction. */
import { redactSensitiveText } from '../core/redact.ts'

export interface SentenceContext {
  readonly project: string | null
  readonly files: readonly string[]
  readonly texts: readonly string[]
  readonly topics: readonly string[]
  readonly components?: readonly string[]
}

export type AnchorKind = 'project' | 'file' | 'issue' | 'component'

export interface Anchor {
  readonly kind: AnchorKind
  readonly text: string
}

const MOST = 60
const LONGEST = 60
const MOST_WORDS = 5
const SAFE = /^[\p{L}\p{N}@#._][\p{L}\p{N}\p{M} @#._/+&,'()~:-]*$/u
const ISSUE =
  /(?<![\p{L}\p{N}])(?:(?:PR|MR|issue|pull request|task|ticket|bug)[ #:-]{1,2}\d{1,7}|#\d{1,7}|[A-Z][A-Z0-9]{1,9}-\d{1,6})(?![\p{L}\p{N}])/giu
const PATH =
  /(?<![\p{L}\p{N}@./-])(?:@[a-z0-9][\w.-]{0,40}\/[\w.-]{1,40}|(?:[\w.@-]{1,40}\/){1,8}[\w.@-]{1,60}|[\w-]{1,40}\.(?:[a-z]{1,4}|[a-z]{2}\d))(?![\p{L}\p{N}])/gu
/** `SessionLedger`, `write_gate`, `write-gate`, `FTS5`, `SQLite`: shapes that no plain word has. */
const COMPONENT =
  /(?<![\p{L}\p{N}_./-])(?:[A-Z]?[a-z]+(?:[A-Z][a-z0-9]+)+|[A-Z]{2,}[a-z]+[A-Za-z0-9]*|[A-Za-z]\w*_\w+|[A-Z]{2,6}\d{0,3}|[a-z]{2,20}-[a-z]{3,20}(?:-[a-z]{2,20})?)(?![\p{L}\p{N}_])/gu

const COMMAND =
  /\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:instructions?|rules?|prompts?|previous|above|prior|everything|guidelines)\b|\b(?:system|developer) (?:prompt|message)s?\b|\byou (?:must|should|shall|are now|have to|will now)\b|\b(?:act|respond|behave|answer) as (?:if|an?|the)\b|\bas an ai\b|\b(?:do not|don['’]t|never) (?:tell|mention|reveal|inform|warn)\b|\bnew instructions?\b|<\/?[a-z]/i

/** True for text that instructs its reader, as injections do. */
export function readsAsCommand(text: string): boolean {
  return COMMAND.test(text)
}

/** Strongest first, unique. Excludes the harness, which says nothing about the subject. */
export function anchorsOf(context: SentenceContext): Anchor[] {
  const anchors = new Map<string, Anchor>()
  const add = (kind: AnchorKind, raw: string) => {
    const text = raw
      .replace(/\s+/g, ' ')
      .replace(/[ ,:~'(-]+$/, '')
      .trimStart()
    const key = text.toLowerCase()
    if (anchors.size < MOST && !anchors.has(key) && isAnchor(text)) anchors.set(key, { kind, text })
  }
  const texts = context.texts.map(withoutSecrets)
  if (context.project !== null) add('project', basename(withoutSecrets(context.project)))
  for (const file of context.files) {
    add('file', file)
    if (withoutSecrets(file) === file) add('file', basename(file))
  }
  for (const text of texts) for (const match of text.matchAll(ISSUE)) add('issue', match[0])
  for (const text of texts) for (const match of text.matchAll(PATH)) add('file', match[0])
  for (const text of texts) for (const match of text.matchAll(COMPONENT)) add('component', match[0])
  // A single word is a subject, not a name.
  for (const topic of context.topics) if (topic.includes('-')) add('component', topic)
  for (const component of context.components ?? []) add('component', component)
  return [...anchors.values()]
}

function isAnchor(text: string): boolean {
  if (text.length < 2 || text.length > LONGEST || !SAFE.test(text) || text.split(' ').length > MOST_WORDS) return false
  // A single letter or digit matches any sentence.
  if (text.length < 3 && !/\p{N}/u.test(text)) return false
  if (!/[\p{L}\p{N}]{2}|\p{L}.*\p{N}|#\d/u.test(text) || /[.!?。]\s|[.!?]$/.test(text)) return false
  return !readsAsCommand(text) && redactSensitiveText(text, { mode: 'tools' }) === text && text.isWellFormed()
}

/** Neither a secret nor its placeholder may become an anchor. */
function withoutSecrets(text: string): string {
  return redactSensitiveText(text, { mode: 'tools' }).replace(/\[REDACTED:[a-z0-9-]{1,40}\]/g, ' ')
}

function basename(path: string): string {
  return path.replace(/[\\/]+$/, '').replace(/^.*[\\/]/s, '')
}
