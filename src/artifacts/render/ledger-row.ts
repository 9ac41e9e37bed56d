/** A row stays one line, whatever its text contains. Pure. */
import { anchorsOf } from '../../analyze/memory-sentence-anchors.ts'
import { escapeInline } from '../../analyze/plain-line.ts'
import { type FloorReason, sentenceFloor } from '../../analyze/sentence-floor.ts'
import { clip, oneLine } from '../../core/text.ts'
import { parseTimestamp, toIso } from '../../core/time.ts'
import { linksTo } from '../format/bodies.ts'
import { sanitizeTranscriptV6 } from '../format/sanitize-transcript.ts'
import { decodeHostile, encodeHostile, type Wikilink, wikilinksOf } from '../format/wikilink.ts'

export interface LedgerRow {
  /** `ended_at`, else `captured_at`: milliseconds UTC. */
  readonly membershipTs: number
  readonly sessionId: string
  readonly project: string | null
  readonly sentence: string
  readonly summaryPath: string | null
  readonly transcriptPath: string | null
  readonly compactionPath: string | null
  readonly manifestPath: string
}

const LONGEST_FIELD = 200
const LONGEST_SENTENCE = 600
const NONE = '-'

export function renderLedgerRow(row: LedgerRow): string {
  const { summaryPath: summary, transcriptPath: transcript, compactionPath: compaction, manifestPath: manifest } = row
  // The manifest links compactions too, and links cost tokens.
  const links = linksTo({ summary, transcript, ...(summary === null ? { compaction } : {}), manifest })
  const session = field(row.sessionId)
  const project = row.project === null ? NONE : field(row.project)
  return `- ${toIso(row.membershipTs)} | session=${session} | project=${project} | ${rowSentence(row.sentence)} ${links.join(' ')}`
}

export function rowSentence(sentence: string): string {
  return escapeInline(oneLine(sanitizeTranscriptV6(sentence), LONGEST_SENTENCE))
}

export interface ParsedRow {
  readonly membershipTs: number
  /** May be truncated to a unique prefix. */
  readonly sessionId: string
  readonly project: string | null
  readonly sentence: string
  readonly links: readonly Wikilink[]
}

const ROW = /^- (\S{24}) \| session=([^|\n]*) \| project=([^|\n]*) \| (.*)$/
const LINK_TAIL = /((?: \[\[[^[\]\n]{1,4096}\]\])+)$/

/** Undefined for foreign lines and links out of the workspace. */
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

/** Anchors were checked with the session; the row redacts secrets. */
export function rowFloor(sentence: string): FloorReason[] {
  return sentenceFloor(sentence, []).filter((reason) => reason !== 'no-anchor' && reason !== 'secret')
}

export function plainSentence({ project }: { project: string | null }): string {
  const [anchor] = anchorsOf({ project, files: [], texts: [], topics: [] })
  return `A session ${anchor === undefined ? 'without a project' : `in ${anchor.text}`} whose summary has no sentence that says more, and whose files keep all that was said.`
}

export const WINDOW_DAYS = 30
const WINDOW = WINDOW_DAYS * 24 * 60 * 60 * 1000

export function windowStart(now: number): number {
  return now - WINDOW
}

export function isInWindow(membershipTs: number, now: number): boolean {
  return membershipTs >= windowStart(now) && membershipTs <= now
}

/** Newest first; ties by session id. */
export function windowRows(rows: Iterable<LedgerRow>, now: number): LedgerRow[] {
  return [...rows]
    .filter((row) => isInWindow(row.membershipTs, now))
    .sort((a, b) => b.membershipTs - a.membershipTs || (a.sessionId < b.sessionId ? -1 : a.sessionId > b.sessionId ? 1 : 0))
}

export function dayOf(membershipTs: number): string {
  return toIso(membershipTs).slice(0, 10)
}
