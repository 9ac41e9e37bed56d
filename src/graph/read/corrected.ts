/**
 * Matches corrections to what they correct: by id, or by wording such as "the port is 5433, not 5432". Less trusted sources correct
 * nothing; a later statement of the owner counts again. Pure.
 */

export interface Weighed {
  readonly of: {
    readonly id: string
    readonly fact: string
    readonly message: string | null
    readonly sourceType: string
    readonly corrects?: string | null
  }
  readonly time: number
  readonly weight: number
}

const BY_ITS_WORDS = '*'
/** The words after these are the wrong value. */
const WRONG =
  /\b(?:not|instead of|rather than|no longer|isn['’]t|wasn['’]t|aren['’]t|never)\s+(?:(?:the|a|an|on|in|at|to|by|with|any\s?more)\s+)*/giu
/** Most words of a wrong value: "not the Berlin office". */
const MOST_WORDS = 3
const LEAST_LETTERS = 3
const SMALL = new Set(
  'the and for not that this with from was were are has have had its his her their our your you actually really now just also'.split(' '),
)

export function correctedIn<T extends Weighed>(seen: readonly T[]): Map<T, T> {
  const corrected = new Map<T, T>()
  for (const by of seen) {
    const { corrects } = by.of
    if (corrects === undefined || corrects === null) continue
    const isMeant = corrects === BY_ITS_WORDS ? contradicts(by.of.fact) : (one: T) => one.of.id === corrects || one.of.message === corrects
    for (const one of seen) if (one !== by && mayCorrect(by, one) && isMeant(one)) corrected.set(one, by)
  }
  // A corrected correction has no effect.
  for (const [one, by] of corrected) if (corrected.has(by) && corrected.get(by) !== one) corrected.delete(one)
  return corrected
}

function mayCorrect(by: Weighed, one: Weighed): boolean {
  return by.weight > one.weight || (by.weight === one.weight && one.time <= by.time)
}

/** Matches observations that contain a wrong value and share another word, the subject, with the correction. */
function contradicts(fact: string): (one: Weighed) => boolean {
  const said = wordsOf(fact)
  const wrong = [...fact.matchAll(WRONG)].flatMap((mark) => {
    const behind = fact.slice(mark.index + mark[0].length).split(/[,;.!?]\s|[,;!?]$|\.$|\b(?:but|and)\b/u)[0] ?? ''
    const words = wordsOf(behind).slice(0, MOST_WORDS)
    return words.length === 0 ? [] : [words]
  })
  return ({ of }) => {
    const words = wordsOf(of.fact)
    return wrong.some((value) => {
      const rest = new Set(said.filter((word) => !value.includes(word) && isTelling(word)))
      return value.every((word) => words.includes(word)) && words.some((word) => rest.has(word)) && !saysRight(words, said, value)
    })
  }
}

/** Contains the right value too: "moved from 5432 to 5433" is correct. */
function saysRight(words: readonly string[], said: readonly string[], wrong: readonly string[]): boolean {
  const right = said.filter((word) => /\d/.test(word) && !wrong.includes(word))
  return right.length > 0 && right.every((word) => words.includes(word))
}

function isTelling(word: string): boolean {
  return word.length >= LEAST_LETTERS && !SMALL.has(word) && !/^\d+$/.test(word)
}

function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+(?:[._:/-][\p{L}\p{N}]+)*/gu) ?? []).map((word) =>
    word.length > 3 ? word.replace(/(?<!s)s$/, '') : word,
  )
}
