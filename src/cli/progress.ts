/** One line on stderr that says how far a job is. Drawn only on a terminal; never hides the cursor, so it has nothing to give back. */
import type { OnProgress, ProgressEvent } from '../core/progress.ts'
import { stripControls } from '../core/text.ts'
import { shorten } from './format/layout.ts'
import type { Io } from './io.ts'

const REDRAW_MS = 80
const CLEAR_LINE = '\r\u001b[2K'

export interface ProgressLine {
  readonly show: OnProgress
  /** Takes the line away. */
  clear(): void
}

export function progressLine(io: Io, options: { readonly enabled: boolean; readonly now?: () => number }): ProgressLine {
  if (!options.enabled) return { show: () => undefined, clear: () => undefined }
  const now = options.now ?? Date.now
  let drawnAt = Number.NEGATIVE_INFINITY
  let visible = false
  return {
    show(event) {
      if (now() - drawnAt < REDRAW_MS) return
      drawnAt = now()
      visible = true
      io.stderr.write(CLEAR_LINE + shorten(describe(event), (io.columns || 80) - 1))
    },
    clear() {
      if (visible) io.stderr.write(CLEAR_LINE)
      visible = false
    },
  }
}

function describe(event: ProgressEvent): string {
  switch (event.stage) {
    case 'discover':
      return `${event.adapter}: looking, ${event.found} found`
    case 'ingest':
      return `${event.adapter} ${bar(event.done, event.total)} ${stripControls(event.path)}`
    case 'copy':
      return `copy ${bar(megabytes(event.done), megabytes(event.total))} MB`
    case 'migrate':
      return event.waiting
        ? 'waiting: another process brings the database to this version'
        : `bringing the database to this version ${bar(event.done, event.total)}`
    case 'index':
    case 'embed':
    case 'export':
      return `${event.stage} ${bar(event.done, event.total)}`
  }
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1_000_000)
}

function bar(done: number, total: number): string {
  const share = total === 0 ? 1 : Math.min(done / total, 1)
  const filled = Math.round(share * 20)
  return `[${'#'.repeat(filled)}${'.'.repeat(20 - filled)}] ${done}/${total}`
}
