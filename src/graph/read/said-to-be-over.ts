/** Finds names that a sentence says are over: "used to work at Google", "switched from MySQL to PostgreSQL". English. Pure. */

/** Ends the name after it. */
const OVER =
  /\b(?:used to|formerly|previously|no longer|not\s+(?:\p{L}+\s+){0,2}any\s?more|ex-|former|was (?:working|living|employed|studying)|quit|left(?! (?:is|are|to|in|on|over|of|side|hand|with)\b)|stopped|dropped|abandoned|ditched|gave up|instead of|rather than|in place of|replac(?:ed|es|ing)|(?:switch|mov|migrat|chang|convert|port)(?:ed|es|ing)?(?:\s+(?:away|over|it|us|them|everything))?\s+from)\b/giu
/** Ends the name before it: "we don't use MySQL any more". */
const OVER_BEFORE = /\b(?:any\s?more|any longer|until (?:last|20\d\d|\p{Lu}))/gu
/** Most characters between marker and name. */
const FAR = 60

export function saidToBeOver(fact: string, names: readonly string[]): Set<string> {
  const places = names.flatMap((name) => placesOf(fact, name))
  const over = new Set<string>()
  for (const mark of fact.matchAll(OVER)) {
    const end = mark.index + mark[0].length
    const next = nearest(places.filter(({ at }) => at >= end && at - end <= FAR && !hasEnd(fact.slice(end, at))))
    if (next !== undefined) over.add(next.name)
  }
  for (const mark of fact.matchAll(OVER_BEFORE)) {
    const last = places.filter(({ at, name }) => at + name.length <= mark.index && mark.index - at <= FAR).at(-1)
    if (last !== undefined) over.add(last.name)
  }
  return over
}

const CORRECTION =
  /^\W*(?:(?:sorry|oops|wait|oh|ah|hmm+)\b[,!.]? )*(?:scratch that|correction|i was wrong|i misspoke|my mistake|my bad|i meant?|make that|actually,? no|no)\b\s*[,:;.!–—-]|\bstill (?:at|in|with|works?|lives?|uses?|prefers?)\b/iu
const SELF_CORRECTION = /^\W*(?:actually|rather)\b/iu

/** "scratch that, Tyler is still at Acme". Within one message a bare "actually" counts too. */
export function takesBack(fact: string, { sameMessage }: { readonly sameMessage: boolean }): boolean {
  return CORRECTION.test(fact) || (sameMessage && SELF_CORRECTION.test(fact))
}

interface Place {
  readonly name: string
  readonly at: number
}

function placesOf(fact: string, name: string): Place[] {
  if (name.trim() === '') return []
  const found: Place[] = []
  const [text, wanted] = [fact.toLowerCase(), name.toLowerCase()]
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1))
    if (isWord(text, at, wanted.length)) found.push({ name, at })
  return found
}

function isWord(text: string, at: number, length: number): boolean {
  const letter = /[\p{L}\p{N}]/u
  return !letter.test(text[at - 1] ?? ' ') && !letter.test(text[at + length] ?? ' ')
}

/** The longer of two at one place: "Google Cloud" before "Google". */
function nearest(places: readonly Place[]): Place | undefined {
  return [...places].sort((a, b) => a.at - b.at || b.name.length - a.name.length)[0]
}

function hasEnd(between: string): boolean {
  return /[.;!?]|\b(?:but|now|and (?:now|is|works|lives|uses))\b/i.test(between)
}
