/**
 * What the form of a sentence says of whether it answers. Between its facts an agent tells what it will do next and that it is content; what
 * it did, and why, is what is asked for later. Pure.
 */

const REASON =
  /\b(?:because|since|so that|instead|fix(?:ed)?|root cause|caused?|decided?|should|must|never|always|only|means|fails?|not|doesn't|don't)\b/i

/** "Good point. Now let me check …", "I'll also run …": only what agents do with code. What a person will do is a fact. */
const ANNOUNCES =
  /^(?:[\w'’ ]{1,24}[,.!—–-]\s+)?(?:(?:now|next|first|then|finally|also|so)[,:]?\s+)*(?:let me\b|let['’]s (?:check|look|see|run|verify|read)\b|(?:i['’]ll|i will|i(?:['’]m| am) going to|i (?:need|want) to|i should)\s+(?:(?:now|also|first|just|then)\s+)*(?:check|look|read|run|re-?run|verify|examine|explore|investigate|inspect|review|search|grep|see|find|fix|update|add|create|write|test)\b)/i

/** "Increased the timeout", "2. `retry.go`: Added …", "Root cause: …". */
const DEED =
  /^(?:\d{1,2}[.)]\s*|[-•✓✅]\s*|`[^`]{1,80}`\s*[-—–:]\s*|[A-Z][\w ]{0,20}:\s*)?(?:[A-Z][a-z]+ed|Set|Put|Made|Built|Wrote|Bug|Root cause|Problem|Cause|Fix|Issue)\b/

const NODS =
  'done|perfect|great|good(?: (?:point|call|catch))?|clean|found it|all (?:tests )?pass(?:ing|ed)?|yes|no|ok(?:ay)?|excellent|exactly|right|sure|got it|(?:that )?makes sense|committed|pushed|fixed|no issues|all (?:good|clean)'
const NOD = new RegExp(`^\\W*(?:(?:${NODS})\\W+)*(?:${NODS})\\W*$`, 'iu')
/** Where a text names who speaks. */
const SPEAKER = /^[A-Z]\w{0,20}: /
const WORD = /[\p{L}\p{N}]{2}/u

export function givesReason(sentence: string): boolean {
  return REASON.test(sentence)
}

export function announces(sentence: string): boolean {
  return ANNOUNCES.test(sentence.replace(SPEAKER, ''))
}

export function statesDeed(sentence: string): boolean {
  return DEED.test(sentence.replace(SPEAKER, ''))
}

/** A nod, or the signs of a line of code. */
export function saysNothing(sentence: string): boolean {
  return !WORD.test(sentence) || NOD.test(sentence.replace(SPEAKER, ''))
}
