/** Terms of a session or conversation: identifiers, issue references, title words, repeated words. Rarity is unknown here. */

export interface SpokenChunk {
  readonly own: string
  readonly answered: string
}

export interface Term {
  readonly term: string
  readonly shown: string
  readonly salience: number
  readonly isName: boolean
}

const MOST_TERMS = 250
const LONGEST_TERM = 60
const IDENTIFIER =
  /#\d{1,6}\b|\b[A-Z]{2,8}-\d{1,6}\b|\b[A-Za-z][A-Za-z0-9]*(?:[._/-][A-Za-z0-9]+)+\b|\b[a-z]+(?:[A-Z][a-z0-9]+)+\b|\b[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+\b/g
const PULL = /\/(?:pull|issues|merge_requests)\/(\d{1,6})\b/g
const WORD = /\p{L}{5,30}/gu
const TITLE_WORD = /[\p{L}\p{N}_-]{4,40}|#\d{1,6}/gu
/** Floor of the divisor: shorter sessions would overrate every term. */
const LEAST_CHUNKS = 4
const IN_ANSWERS_ONLY = 0.5
const PLAIN_WORD = 0.5
const IN_TITLE = 1.5

export function termsOf(title: string | null, chunks: readonly SpokenChunk[], isCommon: (word: string) => boolean): Term[] {
  const found = new Map<string, { shown: string; chunks: number; own: boolean; isName: boolean; inTitle: boolean }>()
  const add = (
    shown: string,
    seen: Set<string>,
    { own, isName, inTitle = false }: { own: boolean; isName: boolean; inTitle?: boolean },
  ) => {
    const term = shown.toLowerCase()
    if (term.length > LONGEST_TERM || isCommon(term)) return
    const known = found.get(term) ?? { shown, chunks: 0, own: false, isName: false, inTitle: false }
    if (!seen.has(term)) known.chunks += 1
    seen.add(term)
    found.set(term, { ...known, own: known.own || own, isName: known.isName || isName, inTitle: known.inTitle || inTitle })
  }
  for (const { own, answered } of chunks) {
    const seen = new Set<string>()
    for (const [text, isOwn] of [[own, true] as const, [answered, false] as const]) {
      for (const [name] of text.matchAll(IDENTIFIER)) {
        const last = name.slice(name.lastIndexOf('/') + 1)
        if (last.length > 3 || last.startsWith('#')) add(last, seen, { own: isOwn, isName: true })
      }
      for (const [, number = ''] of text.matchAll(PULL)) add(`#${number}`, seen, { own: isOwn, isName: true })
    }
    for (const [word] of own.matchAll(WORD)) add(word, seen, { own: true, isName: false })
  }
  for (const [word] of (title ?? '').matchAll(TITLE_WORD)) add(word, new Set(), { own: true, isName: true, inTitle: true })
  const terms = [...found].flatMap(([term, { shown, chunks: count, own, isName, inTitle }]): Term[] => {
    if (!isName && count < 2) return []
    const often = Math.min(1, Math.sqrt(count / Math.max(LEAST_CHUNKS, chunks.length)))
    const salience = often * (own ? 1 : IN_ANSWERS_ONLY) * (isName ? 1 : PLAIN_WORD) * (inTitle ? IN_TITLE : 1)
    return [{ term, shown, salience, isName }]
  })
  return terms.sort((a, b) => b.salience - a.salience || (a.term < b.term ? -1 : 1)).slice(0, MOST_TERMS)
}
