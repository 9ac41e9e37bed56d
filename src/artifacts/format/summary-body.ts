/** The body of a summary artifact: its sentence and the summary's lists. Holds only text that the summary has, sanitized. */
import { escapeInline } from '../../analyze/plain-line.ts'
import { sessionSummaryMarkdown } from '../../analyze/session-summary.ts'
import { bodyHead, lineage } from './body-head.ts'
import { normalizeBody } from './body-normalized.ts'
import { sanitizeTranscriptV2 } from './sanitize-transcript.ts'
import type { SessionSet } from './session-set.ts'

export interface SummaryBodyInput extends SessionSet {
  readonly paths: { readonly transcript: string; readonly manifest: string }
}

/** Normalized, as its checksum is. */
export function summaryBody(input: SummaryBodyInput): string {
  const head = `${bodyHead('summary', input)}\n${lineage(input.paths)}`
  const sentence = escapeInline(sanitizeTranscriptV2(input.sentence.text))
  return normalizeBody(`${head}\n\n${sentence}\n\n${sanitizeTranscriptV2(sessionSummaryMarkdown(input.summary))}\n`)
}
