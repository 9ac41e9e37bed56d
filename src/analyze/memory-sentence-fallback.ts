/** The sentence of a session for which there is no better one: plain facts about one of its anchors. Passes the floor, whatever the session. */
import { type Anchor, anchorsOf, type SentenceContext } from './memory-sentence-anchors.ts'

export interface FallbackFacts {
  readonly kind: 'session' | 'compaction'
  readonly turns: number
  readonly toolCalls: number
}

/** No word of it comes from the session but the anchor, which `anchorsOf` vouches for. */
export function fallbackSentence(context: SentenceContext, facts: FallbackFacts): string {
  // Never absent: the harness is an anchor where nothing else is.
  const anchor = anchorsOf(context)[0] as Anchor
  const counts = `${counted(facts.turns, 'turn')} and ${counted(facts.toolCalls, 'tool call')}`
  if (facts.kind === 'compaction') {
    return `A compaction of the session ${about(anchor)} condensed ${counts}, and its artifact keeps the text by which the session went on.`
  }
  return `A session ${about(anchor)} held ${counts} without a plainer outcome, and its transcript keeps all that was said.`
}

function about({ kind, text }: Anchor): string {
  if (kind === 'project') return `in ${text}`
  return kind === 'harness' ? `of ${text}` : `about ${text}`
}

function counted(n: number, word: string): string {
  const whole = Number.isSafeInteger(n) && n > 0 ? n : 0
  return `${whole} ${whole === 1 ? word : `${word}s`}`
}
