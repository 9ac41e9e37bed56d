/** The same fields always give the same bytes. */
import { parseDocument } from 'yaml'
import type { z } from 'zod'
import { MnemonicError } from '../../core/error.ts'
import { given } from '../../core/given.ts'
import { ARTIFACT_KINDS } from './artifact-name.ts'
import {
  type ContentFrontmatter,
  contentFrontmatterSchema,
  type Frontmatter,
  type ManifestFrontmatter,
  manifestFrontmatterSchema,
  type SetPaths,
} from './frontmatter-schema.ts'

const FENCE = '---'
export const LONGEST_HEAD = 1024 * 1024

export interface ArtifactFile {
  readonly frontmatter: Frontmatter
  /** Covered by `content_sha256`. */
  readonly body: string
}

/** With both `---` lines. Throws VALIDATION_ERROR. */
export function renderFrontmatter(fields: Frontmatter, file = 'the artifact'): string {
  const checked = checkFrontmatter(fields, file)
  const schema = checked.kind === 'manifest' ? manifestFrontmatterSchema : contentFrontmatterSchema
  const lines = [FENCE]
  for (const key of Object.keys(schema.shape)) {
    const value = (checked as Record<string, unknown>)[key]
    if (value === undefined) continue
    if (Array.isArray(value) && value.length > 0) lines.push(`${key}:`, ...value.map((item) => `  - ${flow(item)}`))
    else lines.push(`${key}: ${flow(value)}`)
  }
  const head = `${[...lines, FENCE].join('\n')}\n`
  if (head.length > LONGEST_HEAD) throw invalid(file, undefined, 'has a head of more than 1 MB')
  return head
}

/** `body` must be normalized. */
export function renderArtifact(fields: Frontmatter, body: string, file?: string): string {
  return `${renderFrontmatter(fields, file)}${body}\n`
}

export function parseArtifact(text: string, file: string): ArtifactFile {
  const start = /^\ufeff?---[ \t]*\r?\n/.exec(text)?.[0].length
  if (start === undefined) throw invalid(file, undefined, 'has no frontmatter')
  const fence = /^---[ \t]*(?:\r?\n|$)/gm
  fence.lastIndex = start
  const closing = fence.exec(text.slice(0, LONGEST_HEAD))
  if (closing === null) throw invalid(file, undefined, 'has a frontmatter that does not end')
  const fields = checkFrontmatter(parseHead(text.slice(start, closing.index), file), file)
  return { frontmatter: fields, body: text.slice(closing.index + closing[0].length) }
}

export function checkFrontmatter(fields: unknown, file: string): Frontmatter {
  const kind = fields !== null && typeof fields === 'object' && 'kind' in fields ? fields.kind : undefined
  if (!ARTIFACT_KINDS.some((known) => known === kind)) throw invalid(file, 'kind', `must be one of ${ARTIFACT_KINDS.join(', ')}`)
  const result = kind === 'manifest' ? manifestFrontmatterSchema.safeParse(fields) : contentFrontmatterSchema.safeParse(fields)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw invalid(file, fieldOf(issue), problemOf(issue, fields))
}

export function isManifest(fields: Frontmatter): fields is ManifestFrontmatter {
  return fields.kind === 'manifest'
}

export const NO_PATHS: SetPaths = { summary_path: null, transcript_path: null, compaction_path: null }

export function pathsOf({ summary_path, transcript_path, compaction_path }: SetPaths): string[] {
  return [summary_path, transcript_path, compaction_path].filter((path) => path !== null)
}

/** Decides a session's window, day and row. */
export function membershipTime(fields: Pick<ContentFrontmatter, 'ended_at' | 'captured_at'>): string {
  return fields.ended_at ?? fields.captured_at
}

function parseHead(yaml: string, file: string): unknown {
  return ownHead(yaml) ?? anyHead(yaml, file)
}

const OWN_LINE = /^([a-z][a-z0-9_]*):(?: (.+))?$/
const OWN_KEYS = /(\{ |, )(captured_at|summary_path|transcript_path|compaction_path): /g

/** Fast path: YAML is many times slower. Undefined unless rendering gives identical bytes. */
function ownHead(yaml: string): unknown {
  const fields: Record<string, unknown> = {}
  let last = ''
  try {
    for (const line of yaml.split('\n').slice(0, -1)) {
      const [, key, value] = OWN_LINE.exec(line) ?? []
      if (line.startsWith('  - ')) (fields[last] as unknown[]).push(JSON.parse(line.slice(4).replace(OWN_KEYS, '$1"$2": ')))
      else if (key === undefined || key in fields) return undefined
      else fields[key] = value === undefined ? [] : JSON.parse(value)
      last = key ?? last
    }
    return renderFrontmatter(fields as Frontmatter) === `${FENCE}\n${yaml}${FENCE}\n` ? fields : undefined
  } catch {
    return undefined // fall back to YAML, which reports the error
  }
}

function anyHead(yaml: string, file: string): unknown {
  const document = parseDocument(yaml, {
    prettyErrors: false,
    strict: true,
    stringKeys: true,
    uniqueKeys: true,
    version: '1.2',
    schema: 'core',
  })
  const [problem] = [...document.errors, ...document.warnings]
  if (problem !== undefined) throw invalid(file, undefined, `has a frontmatter that is not YAML (${problem.code})`)
  try {
    return document.toJS({ maxAliasCount: 0 })
  } catch (cause) {
    throw invalid(file, undefined, 'has a frontmatter with an alias', cause)
  }
}

/** JSON is YAML except for these characters. */
const UNSAFE = /[\x7f-\xa0\u00ad\u2028\u2029\ufeff\ufffe\uffff\u200b-\u200f\u202a-\u202e\u2060-\u2069]/g

function flow(value: unknown): string {
  if (typeof value === 'string') {
    return JSON.stringify(value).replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
  }
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`
  if (value === null || typeof value !== 'object') return String(value)
  return `{ ${Object.entries(value)
    .map(([key, inner]) => `${key}: ${flow(inner)}`)
    .join(', ')} }`
}

type Issue = z.core.$ZodIssue | undefined

function fieldOf(issue: Issue): string | undefined {
  if (issue?.code === 'unrecognized_keys') return issue.keys[0]
  return issue === undefined || issue.path.length === 0 ? undefined : issue.path.join('.')
}

function problemOf(issue: Issue, fields: unknown): string {
  if (issue?.code === 'unrecognized_keys') return 'is not a field of an artifact'
  const [key] = issue?.path ?? []
  const isMissing = issue?.path.length === 1 && typeof key === 'string' && !(key in (fields as object))
  return isMissing ? 'is missing' : (issue?.message ?? 'is not valid')
}

function invalid(file: string, field: string | undefined, problem: string, cause?: unknown): MnemonicError {
  return new MnemonicError('VALIDATION_ERROR', field === undefined ? `${file} ${problem}` : `${file}: ${field} ${problem}`, {
    details: field === undefined ? { file, problem } : { file, field, problem },
    ...given({ cause }),
  })
}
