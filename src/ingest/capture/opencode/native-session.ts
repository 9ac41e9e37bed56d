import { given } from '../../../core/given.ts'
import { sha256, shortHash } from '../../../core/hash.ts'
import { cutMarked } from '../../../core/marked-text.ts'
import { parseTimestamp } from '../../../core/time.ts'
import { type SessionRecord, TITLE_RANK, type TitleRecord } from '../../../ledgers/agent-record.ts'
import { type Fields, fieldsOf, filled, filledBut, textOf } from '../fields.ts'
import { parseLine } from '../parse-line.ts'

export interface NativeSession {
  readonly id: string
  readonly header: Fields
  readonly parent: string | undefined
  readonly directory: string | undefined
  /** Reverted from this message on; with `part`, part of it stays. */
  readonly revert: { readonly message: string; readonly part: string | undefined } | undefined
}

/** Placeholder title. */
const DEFAULT_TITLE = /^(?:New|Child) session - \d{4}-\d{2}-\d{2}T[\d:.]+Z$/
const NOT_RAW: ReadonlySet<string> = new Set(['summary_diffs'])

/** `worktree`: fallback folder of the project. */
export function nativeSession(header: Fields, worktree?: string): NativeSession {
  const plain = Object.fromEntries(Object.entries(header).map(([key, value]) => [key, JSON_COLUMNS.has(key) ? parsedColumn(value) : value]))
  const revert = fieldsOf(plain.revert)
  const message = textOf(revert?.messageID)
  const fallback = worktree === '/' ? undefined : worktree
  return {
    id: textOf(plain.id) ?? '',
    header: plain,
    parent: textOf(plain.parent_id) ?? textOf(plain.parentID),
    directory: textOf(plain.directory) ?? fallback,
    revert: message === undefined ? undefined : { message, part: textOf(revert?.partID) },
  }
}

const JSON_COLUMNS: ReadonlySet<string> = new Set(['revert', 'permission', 'model', 'metadata', 'summary_diffs'])

function parsedColumn(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const { values, error } = parseLine(value)
  return error === undefined && values.length === 1 ? values[0] : value
}

export function sessionRecord(session: NativeSession): SessionRecord {
  const { id, header, parent, directory } = session
  const created = createdOf(header)
  const model = textOf(fieldsOf(header.model)?.id) ?? textOf(fieldsOf(header.model)?.modelID)
  const context = contextOf(header)
  const changedAt = parseTimestamp(header.time_updated ?? fieldsOf(header.time)?.updated)
  return {
    type: 'session',
    session: id,
    firstHash: shortHash(16, id, '\n', String(created ?? '')),
    ...given({ project: directory, workspacePath: directory, model }),
    ...(parent === undefined ? {} : { isSubagent: true, parentSession: parent }),
    ...given({ changedAt, context }),
    ...(archivedOf(header) === undefined ? {} : { ended: true }),
    // Without the session's own file there is no raw header.
    ...given({ raw: created === undefined ? undefined : rawOf(header) }),
  }
}

export function titleRecord({ id, header }: NativeSession): TitleRecord | undefined {
  const title = cutMarked(textOf(header.title) ?? '').trim()
  if (title === '' || DEFAULT_TITLE.test(title)) return undefined
  return { type: 'title', session: id, title, rank: TITLE_RANK.generated }
}

function createdOf(header: Fields): number | undefined {
  return parseTimestamp(header.time_created ?? fieldsOf(header.time)?.created)
}

function archivedOf(header: Fields): number | undefined {
  return parseTimestamp(header.time_archived ?? fieldsOf(header.time)?.archived)
}

function contextOf(header: Fields): Fields | undefined {
  const tokens = filled({
    input: header.tokens_input,
    output: header.tokens_output,
    reasoning: header.tokens_reasoning,
    cache_read: header.tokens_cache_read,
    cache_write: header.tokens_cache_write,
  })
  return filled({
    slug: header.slug,
    version: header.version,
    opencode_project: header.project_id ?? header.projectID,
    agent: header.agent,
    provider: fieldsOf(header.model)?.providerID,
    cost: header.cost,
    tokens,
    share_url: header.share_url ?? fieldsOf(header.share)?.url,
  })
}

function rawOf(header: Fields): Fields {
  const { title, summary_diffs: diffs, ...rest } = header
  const json = diffs === null || diffs === undefined ? undefined : JSON.stringify(diffs)
  return {
    ...filledBut(rest, NOT_RAW),
    ...given({ title: typeof title === 'string' ? cutMarked(title) : undefined }),
    ...(json === undefined ? {} : { summary_diffs: { sha256: sha256(json), bytes: Buffer.byteLength(json) } }),
  }
}
