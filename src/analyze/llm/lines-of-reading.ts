/** What a model says of a text as a whole: label, summary, topics, statements. Checked as everything that it says. */
import { oneLine } from '../../core/text.ts'
import type { FoundFacet } from '../analyzer.ts'
import { plainLine } from '../plain-line.ts'
import type { Statement } from '../statements/extractor.ts'
import { topicTag } from '../topics.ts'
import { type Checked, confidence, messageOf } from './graph-of-reading.ts'
import type { Reading } from './prompts/reading.ts'
import type { RecordedText } from './recorded-text.ts'

const LONGEST_LABEL = 80
const LONGEST_SUMMARY = 600
const MOST_TOPICS = 5
const MOST_STATEMENTS = 20
const LEAST_CONFIDENCE = 0.5
const TOPIC = /^[\p{L}\p{N}][\p{L}\p{N} ._/@+-]{1,39}$/u
/** What an agent may state: it promises and prefers nothing. */
const OF_AGENTS: readonly string[] = ['decision', 'correction']

export function labelOf({ label }: Reading): string {
  return plainLine(label, LONGEST_LABEL)
}

/** Shown as the episode's own words: markup and control characters are gone, and no line begins another. */
export function summaryOf({ summary }: Reading): string | null {
  return plainLine(summary, LONGEST_SUMMARY) || null
}

export function topicsOf({ topics }: Reading, recorded: RecordedText): Checked<FoundFacet[]> {
  const found = new Map<string, FoundFacet>()
  for (const { topic, message, quote } of topics.slice(0, MOST_TOPICS)) {
    const span = messageOf(recorded, message)?.locate(quote)
    const value = topicTag(oneLine(topic, 60))
    if (span === undefined || !TOPIC.test(value) || found.has(value)) continue
    found.set(value, { type: 'topic', value, confidence: 0.8, span })
  }
  return { found: [...found.values()], refused: topics.length - found.size }
}

/** With the words that state it, as they were sent: redacted. */
export interface CitedStatement {
  readonly statement: Statement
  readonly quote: string
}

/** No two of one type that overlap. A stranger states nothing that would stand in the owner's memory as their own. */
export function statementsOf({ statements }: Reading, recorded: RecordedText, rule: string): Checked<CitedStatement[]> {
  const found: CitedStatement[] = []
  for (const { type, message: id, quote, confidence: sure } of statements.slice(0, MOST_STATEMENTS)) {
    const at = messageOf(recorded, id)
    const span = at?.locate(quote)
    if (at === undefined || span === undefined || !(sure >= LEAST_CONFIDENCE) || at.message.trust === 'untrusted') continue
    if (at.message.by === 'agent' && !OF_AGENTS.includes(type)) continue
    const overlaps = found.some(
      ({ statement: one }) => one.type === type && one.message === span.message && one.start < span.end && span.start < one.end,
    )
    if (!overlaps) found.push({ statement: { ...span, type, rule, confidence: confidence(sure) }, quote: quote.trim() })
  }
  return { found, refused: statements.length - found.length }
}
