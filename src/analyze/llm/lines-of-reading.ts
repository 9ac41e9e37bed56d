import { oneLine } from '../../core/text.ts'
import type { FoundFacet } from '../analyzer.ts'
import { plainLine } from '../plain-line.ts'
import type { Statement } from '../statements/extractor.ts'
import { topicTag } from '../topics.ts'
import type { ReadPart } from './conversation-reader.ts'
import { type Checked, confidence, messageOf } from './graph-of-reading.ts'
import type { Reading } from './prompts/conversation.ts'

const LONGEST_LABEL = 80
const LONGEST_SUMMARY = 600
const MOST_TOPICS = 5
const MOST_STATEMENTS = 20
const LEAST_CONFIDENCE = 0.5
const TOPIC = /^[\p{L}\p{N}][\p{L}\p{N} ._/@+-]{1,39}$/u
/** Agents promise and prefer nothing. */
const OF_AGENTS: readonly string[] = ['decision', 'correction']

type Turn = Reading['turns'][number]

export function labelOf({ label }: Turn): string {
  return plainLine(label, LONGEST_LABEL)
}

/** Shown as the episode's own words, so it must hold no markup or control characters. */
export function summaryOf({ summary }: Turn): string | null {
  return plainLine(summary, LONGEST_SUMMARY) || null
}

export type PartOfReading = Pick<ReadPart, 'recorded' | 'reading' | 'own' | 'isFirst'>

export function topicsOf({ reading, recorded, own }: PartOfReading): FoundFacet[] {
  const found = new Map<string, FoundFacet>()
  for (const { topic, message, quote } of reading.topics) {
    const span = messageOf(recorded, message)?.locate(quote)
    const value = topicTag(oneLine(topic, 60))
    if (span === undefined || !own.has(span.message) || !TOPIC.test(value) || found.has(value)) continue
    found.set(value, { type: 'topic', value, confidence: 0.8, span })
    if (found.size === MOST_TOPICS) break
  }
  return [...found.values()]
}

export interface CitedStatement {
  readonly statement: Statement
  readonly quote: string
}

/** Drops overlaps of the same type. A stranger's text must not become a statement of the owner. */
export function statementsOf({ reading, recorded, own, isFirst }: PartOfReading, rule: string): Checked<CitedStatement[]> {
  const found: CitedStatement[] = []
  let refused = 0
  for (const { type, message: id, quote, confidence: sure } of reading.statements) {
    const at = messageOf(recorded, id)
    if (at === undefined ? !isFirst : !own.has(at.message.message)) continue
    const span = at?.locate(quote)
    const isAgents = at?.message.by === 'agent' && !OF_AGENTS.includes(type)
    const overlaps = found.some(
      ({ statement: one }) => one.type === type && one.message === span?.message && one.start < span.end && span.start < one.end,
    )
    const isLast = found.length === MOST_STATEMENTS
    if (at === undefined || span === undefined || !(sure >= LEAST_CONFIDENCE) || at.message.trust === 'untrusted') refused++
    else if (isAgents || overlaps || isLast) refused++
    else found.push({ statement: { ...span, type, rule, confidence: confidence(sure) }, quote: quote.trim() })
  }
  return { found, refused }
}
