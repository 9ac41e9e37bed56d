/** The canonical row of MEMORY.md and LEDGER.md: one session, one line, whatever its title, path or sentence holds. Pure text. */
import { escapeInline } from '../../analyze/plain-line.ts'
import { clip, oneLine } from '../../core/text.ts'
import { parseTimestamp, toIso } from '../../core/time.ts'
import { membershipTime } from '../format/frontmatter.ts'
import type { ContentFrontmatter } from '../format/frontmatter-schema.ts'
import { sanitizeTranscriptV2 } from '../format/sanitize-transcript.ts'
import { decodeHostile, encodeHostile, type Wikilink, wikilink, wikilinksOf } from '../format/wikilink.ts'

export interface LedgerRow {
  /** `ended_at`, else `captured_at`: milliseconds UTC. */
  readonly membershipTs: number
  readonly sessionId: string
  readonly project: string | null
  readonly sentence: string
  /** Null while the session has none. */
  readonly summaryPath: string | null
  readonly transcriptPath: string | null
  readonly compactionPath: string | null
  readonly manifestPath: string
}

/** The row of a session from the head of its newest artifact and the paths of its manifest. */
export function ledgerRowOf(
  fields: Pick<ContentFrontmatter, 'session_id' | 'project' | 'ended_at' | 'captured_at' | 'memory_sentence' | 'manifest_path'>,
  { summaryPath, transcriptPath, compactionPath }: Pick<LedgerRow, 'summaryPath' | 'transcriptPath' | 'compactionPath'>,
): LedgerRow {
  return {
    membershipTs: Date.parse(membershipTime(fields)),
    sessionId: fields.session_id,
    project: fields.project,
    sentence: fields.memory_sentence,
    summaryPath,
    transcriptPath,
    compactionPath,
    manifestPath: fields.manifest_path,
  }
}

const LONGEST_FIELD = 200
const LONGEST_SENTENCE = 600
const NONE = '-'

export function renderLedgerRow(row: LedgerRow): string {
  const links = [
    ...(row.summaryPath === null ? [] : [wikilink(row.summaryPath, 'summary')]),
    ...(row.transcriptPath === null ? [] : [wikilink(row.transcriptPath, 'transcript')]),
    ...(row.compactionPath === null ? [] : [wikilink(row.compactionPath, 'compaction')]),
    wikilink(row.manifestPath, 'manifest'),
  ]
  const session = field(row.sessionId)
  const project = row.project === null ? NONE : field(row.project)
  return `- ${toIso(row.membershipTs)} | session=${session} | project=${project} | ${rowSentence(row.sentence)} ${links.join(' ')}`
}

/** A sentence as it stands in a row: sanitized, on one line, escaped. What it says stays what it says. */
export function rowSentence(sentence: string): string {
  return escapeInline(oneLine(sanitizeTranscriptV2(sentence), LONGEST_SENTENCE))
}

export interface ParsedRow {
  readonly membershipTs: number
  /** Cut where the row was: a unique beginning of the id. */
  readonly sessionId: string
  readonly project: string | null
  readonly sentence: string
  readonly links: readonly Wikilink[]
}

const ROW = /^- (\S{24}) \| session=([^|\n]*) \| project=([^|\n]*) \| (.*)$/
const LINK_TAIL = /((?: \[\[[^[\]\n]{1,4096}\]\])+)$/

/** What a line of the ledger says; undefined when it is no row of ours, or has a link that leads out of the workspace. */
export function parseLedgerRow(line: string): ParsedRow | undefined {
  const [, time = '', session = '', project = '', rest = ''] = ROW.exec(line) ?? []
  const membershipTs = parseTimestamp(time)
  const tail = LINK_TAIL.exec(rest)?.[1]
  const sessionId = decodeHostile(session)
  const path = decodeHostile(project)
  if (membershipTs === undefined || tail === undefined || sessionId === undefined || path === undefined) return undefined
  const links = wikilinksOf(tail).flatMap(({ link }) => link ?? [])
  if (links.length !== wikilinksOf(tail).length) return undefined
  const sentence = rest.slice(0, rest.length - tail.length).replace(/\\([\\`|[\]<>*])/g, '$1')
  return { membershipTs, sessionId, project: project === NONE ? null : path, sentence, links }
}

function field(text: string): string {
  const shown = encodeHostile(clip(text.toWellFormed(), LONGEST_FIELD))
  return shown === NONE ? '%2D' : shown
}
