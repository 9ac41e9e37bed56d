/** Cuts prose into sentences. A full stop inside a name, a number or a path ends none. */

const END = /[.!?。！？]+["'”’)\]]*(?=\s|$)|[。！？]+|\n+/g
/** What a full stop may belong to. */
const ABBREVIATION = /(?:^|[\s(“"'])(?:e\.g|i\.e|etc|vs|cf|mr|mrs|ms|dr|prof|st|no|nr|fig|approx|incl)\.$/i
const MOST = 400

/** The sentences of a text in order, each trimmed, its own punctuation kept; at most 400 of them. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = []
  let start = 0
  for (const match of text.matchAll(END)) {
    const end = match.index + match[0].length
    if (match[0] === '.' && ABBREVIATION.test(text.slice(Math.max(start, end - 12), end))) continue
    const sentence = text.slice(start, end).trim()
    if (sentence !== '') sentences.push(sentence)
    start = end
    if (sentences.length === MOST) return sentences
  }
  const rest = text.slice(start).trim()
  return rest === '' ? sentences : [...sentences, rest]
}
