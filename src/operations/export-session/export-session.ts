/** Exports one conversation, redacted. */
import type { SessionSummary, ShownPages, ShownTurn } from '../../browse/browse.ts'
import type { Paths } from '../../config/paths.ts'
import { noteCopies } from '../../store/copies.ts'
import type { Store } from '../../store/store.ts'
import { writeCounted } from '../export-manifest.ts'
import { targetFile } from '../target-file.ts'
import { HTML_END, htmlHead, htmlTurn } from './html.ts'
import { MARKDOWN_END, markdownHead, markdownTurn } from './markdown.ts'

export type SessionFormat = 'markdown' | 'html'

export interface ExportedSession {
  readonly session: SessionSummary
  readonly turn_count: number
  /** Single use. */
  readonly pieces: AsyncIterable<string>
}

const FORMATS: Readonly<
  Record<SessionFormat, { head: (session: SessionSummary) => string; turn: (turn: ShownTurn) => string; end: string }>
> = {
  markdown: { head: markdownHead, turn: markdownTurn, end: MARKDOWN_END },
  html: { head: htmlHead, turn: htmlTurn, end: HTML_END },
}

export function exportSession({ session, turn_count, pages }: ShownPages, format: SessionFormat): ExportedSession {
  const { head, turn, end } = FORMATS[format]
  async function* pieces() {
    yield head(session)
    for await (const page of pages) for (const one of page) yield turn(one)
    yield end
  }
  return { session, turn_count, pieces: pieces() }
}

/** snake_case: the JSON of `export SESSION --out FILE`. */
export interface SessionExportReport {
  readonly path: string
  readonly session_id: string
  readonly format: SessionFormat
  readonly turns: number
  readonly bytes: number
  readonly sha256: string
}

/** Recorded before writing, so that a forget checks the file. */
export async function writeSession(
  { store, paths }: { readonly store: Store; readonly paths: Paths },
  exported: ExportedSession,
  { file, format, force }: { readonly file: string; readonly format: SessionFormat; readonly force: boolean },
): Promise<SessionExportReport> {
  const path = targetFile(file, { paths, force })
  await store.write((tx) => noteCopies(tx, 'exports', [path]))
  const { bytes, sha256 } = await writeCounted(path, exported.pieces)
  return { path, session_id: exported.session.session_id, format, turns: exported.turn_count, bytes, sha256 }
}
