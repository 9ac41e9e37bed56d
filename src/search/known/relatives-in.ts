/** The owner's relatives and colleagues that a text speaks of as such: "my manager", "a card for mom". English; pure. */
import { ONLY_ONE_WORDS, onlyOne, RELATIVE_WORDS, relationOf } from '../../graph/relatives.ts'

export interface RelativeNamed {
  /** As it is written: `manager`. */
  readonly word: string
  /** The type of the observation `<person> TYPE <owner>`. */
  readonly type: string
  /** What an entity is called that has no other name: `Mom`. */
  readonly name: string | undefined
}

/** Who is said to be one of these may be called by another word of the same type: a boss is a manager, and no brother is a sister. */
const GENERAL =
  /^(?:kids|children|parents|spouse|partner|boss|manager|supervisor|co-?workers?|colleagues?|teammates?|friends?|buddy|room ?mates?|flatmate|housemate|neighbou?rs?)$/i

/** Whether a text that makes somebody a relative does so by this word, or one that means the same. */
export function saysSo({ word, name, type }: RelativeNamed, text: string): boolean {
  if (GENERAL.test(word)) return true
  const said = text.toLowerCase().match(/[a-z-]+/g) ?? []
  return said.some((one) => one === word || (name !== undefined && onlyOne(one) === name && relationOf(one) === type))
}

/** What code is made of: "my manager class" and "my parent component" are nobody. */
const NO_CODE =
  "(?![\\w-]*[-_./]\\w|(?:'s)? (?:class|component|element|node|process|service|module|object|function|thread|type|table|row|id|api|package|app|code|directory|folder|repo|branch|commit|dashboard|page|view|hook|test)s?\\b)"
const MINE = new RegExp(`\\b[Mm]y (?:\\p{L}+ ){0,1}?(?<word>${RELATIVE_WORDS})\\b${NO_CODE}`, 'giu')
/** Said without "my", it is a name: in capitals anywhere, in small letters only of somebody to whom something is done. */
const ALONE = new RegExp(`(?<![\\w./-])(?<word>${ONLY_ONE_WORDS})\\b${NO_CODE}`, 'giu')
const BEFORE_A_NAME =
  /(?:^|\b(?:for|to|with|from|about|and|is|was|does|did|when|call|text|email|mail|ask|tell|remind|visit|invite|me and)\s+)$/i

export function relativesIn(text: string): RelativeNamed[] {
  const plain = text.replaceAll('’', "'")
  const mine = [...plain.matchAll(MINE)].map(({ groups }) => groups?.word ?? '')
  const alone = [...plain.matchAll(ALONE)].flatMap(({ 0: word, index }) =>
    /^\p{Lu}/u.test(word) || BEFORE_A_NAME.test(plain.slice(0, index)) ? [word] : [],
  )
  const words = [...new Set([...mine, ...alone.filter((word) => SURE.has(word.toLowerCase()))].map((word) => word.toLowerCase()))]
  return words.flatMap((word) => {
    const type = relationOf(word)
    return type === undefined ? [] : [{ word, type, name: onlyOne(word) }]
  })
}

/** Without "my" the others are words like any other: "the wife of", "a husband". */
const SURE = new Set(['mom', 'mum', 'mommy', 'dad', 'daddy'])
