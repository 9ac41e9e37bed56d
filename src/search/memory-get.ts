/** `memory_get`: the text of one document, or some of its lines. Pages put together are the document, byte for byte. */
import { z } from 'zod'
import { MnemonicError } from '../core/error.ts'
import { toIso } from '../core/time.ts'
import type { Trust } from '../core/trust.ts'
import { citation, parseCitation } from './memory-citation.ts'
import {
  type DocumentSource,
  documentByPath,
  documentOfTurn,
  ifNotFound,
  namesPublished,
  type TextDocument,
  turnIdOfPath,
} from './memory-get-document.ts'

export interface MemoryGetRequest {
  /** A document's path in the index, or a citation (`path#L3-L9`). Either this or `id`. */
  readonly path?: string
  /** The id of a turn or a message: full, native, or a unique prefix. */
  readonly id?: string
  /** The first line, from 1. */
  readonly from?: number
  /** How many lines at most. */
  readonly lines?: number
}

/** snake_case: the JSON of the tool. */
export interface MemoryGetAnswer {
  readonly path: string
  readonly source: 'sessions' | 'memory'
  readonly kind: string
  readonly session_id: string
  readonly turn_id: string
  readonly title: string | null
  readonly timestamp: string | null
  readonly speakers: readonly string[]
  readonly trust: Trust
  readonly text: string
  readonly from: number
  /** How many lines `text` has. */
  readonly lines: number
  readonly total_lines: number
  /** Where to go on; null at the end. */
  readonly next_from: number | null
  readonly citation: string
}

const name = z.string().trim().min(1).max(65_536)
const schema = z
  .strictObject({ path: name.optional(), id: name.optional(), from: z.int().min(1).optional(), lines: z.int().min(1).optional() })
  .refine(({ path, id }) => (path === undefined) !== (id === undefined), 'give either path or id')

export async function memoryGet(source: DocumentSource, request: MemoryGetRequest): Promise<MemoryGetAnswer> {
  const checked = schema.safeParse(request)
  if (!checked.success) {
    const keys = [...new Set(checked.error.issues.map(({ path }) => path.join('.')).filter(Boolean))]
    throw new MnemonicError('USAGE', `this document cannot be asked for: ${z.prettifyError(checked.error).replace(/\s*\n\s*/g, ' ')}`, {
      details: { keys },
      hint: 'Give path (or a citation of a search) or id; from and lines are whole numbers from 1.',
    })
  }
  const { path, id, from, lines } = checked.data
  const cited = path === undefined ? undefined : parseCitation(path)
  const document = cited === undefined ? await documentOfTurn(source, id ?? '') : await documentByPath(source, cited.path)
  const count = cited?.from === undefined || cited.to === undefined ? undefined : cited.to - cited.from + 1
  return page(document, { from: from ?? cited?.from ?? 1, count: lines ?? (from === undefined ? count : undefined) })
}

function page(document: TextDocument, { from, count }: { from: number; count: number | undefined }): MemoryGetAnswer {
  const all = linesOf(document.text)
  const taken = all.slice(from - 1, count === undefined ? undefined : from - 1 + count)
  const next = from + taken.length
  return {
    path: document.path,
    source: document.source,
    kind: document.kind,
    session_id: document.sessionId,
    turn_id: document.turnId,
    title: document.title,
    timestamp: document.timestamp === 0 ? null : toIso(document.timestamp),
    speakers: document.speakers,
    trust: document.trust,
    text: taken.join(''),
    from,
    lines: taken.length,
    total_lines: all.length,
    next_from: taken.length > 0 && next <= all.length ? next : null,
    citation: taken.length === 0 ? document.path : citation(document.path, from, next - 1),
  }
}

/** Each with its end of line. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

/** Undefined for a text that is no path: an id, a label, a part of one. */
export async function citedBy(
  source: DocumentSource,
  text: string,
): Promise<{ turnId: string } | { document: MemoryGetAnswer } | undefined> {
  const { path } = parseCitation(text)
  if (!/\.md$/i.test(path)) return undefined
  const turnId = turnIdOfPath(path)
  if (turnId !== undefined) return { turnId }
  const found = memoryGet(source, { path: text })
  const document = await (namesPublished(path) ? found : found.catch(ifNotFound))
  return document && { document }
}
