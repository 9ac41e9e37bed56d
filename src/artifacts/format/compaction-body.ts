/** The body of a compaction artifact: the text by which a session went on after its context was condensed, sanitized and fenced. */
import { toIso } from '../../core/time.ts'
import { bodyHead, lineage } from './body-head.ts'
import { normalizeBody } from './body-normalized.ts'
import { fenced, inline } from './quote.ts'
import { sanitizeTranscriptV2 } from './sanitize-transcript.ts'
import type { SessionSet, SetCompaction } from './session-set.ts'

export interface CompactionBodyInput extends Pick<SessionSet, 'session' | 'capturedAt'> {
  /** Those that the artifact covers, oldest first. */
  readonly compactions: readonly SetCompaction[]
  readonly paths: { readonly manifest: string }
}

/** Normalized, as its checksum is. */
export function compactionBody(input: CompactionBodyInput): string {
  const parts = input.compactions.map((compaction, i) => {
    const facts = [
      ...(compaction.timestamp === null ? [] : [toIso(compaction.timestamp)]),
      inline(sanitizeTranscriptV2(compaction.trigger ?? ''), 80),
      ...(compaction.tokensBefore === null ? [] : [`${compaction.tokensBefore} tokens before`]),
    ].filter((fact) => fact !== '')
    const heading = `## ${[`Compaction ${i + 1}`, ...facts].join(' · ')}`
    return `${heading}\n\nTurn: ${inline(sanitizeTranscriptV2(compaction.turnId))}\n\n${fenced(sanitizeTranscriptV2(compaction.summary))}`
  })
  const body = parts.length === 0 ? 'No compaction.' : parts.join('\n\n')
  return normalizeBody(`${bodyHead('compaction', input)}\n${lineage(input.paths)}\n\n${body}\n`)
}
