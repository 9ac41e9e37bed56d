/** Relatives and colleagues of the owner in a text: "my manager", "a card for mom". English only. */
import { ONLY_ONE_WORDS, onlyOne, RELATIVE_WORDS, relationOf } from '../../graph/relatives.ts'

export interface RelativeNamed {
  readonly word: string
  /** Type of the observation `<person> TYPE <owner>`. */
  readonly type: string
  /** Name of an entity without another one: `Mom`. */
  readonly name: string | undefined
}

/** General words cover others of their type: a boss is a manager. A brother is no sister. */
const GENERAL =
  /^(?:kids|children|parents|spouse|partner|boss|manager|supervisor|co-?workers?|colleagues?|teammates?|friends?|buddy|room ?mates?|flatmate|housemate|neighbou?rs?)$/i

/** Whether the text that states the relation uses this word or a synonym. */
export function saysSo({ word, name, type }: RelativeNamed, text: string): boolean {
  if (GENERAL.test(word)) return true
  const said = text.toLowerCase().match(/[a-z-]+/g) ?? []
  return said.some((one) => one === word || (name !== undefined && onlyOne(one) === name && relationOf(one) === type))
}

/** Terms of code: "my manager class", "my parent component". */
const NO_CODE =
  "(?![\\w-]*[-_./]\\w|(?:'s)? (?:class|component|element|node|process|service|module|object|function|thread|type|table|row|id|api|package|app|code|directory|folder|repo|branch|commit|dashboard|page|view|hook|test)s?\\b)"
const MINE = new RegExp(`\\b[Mm]y (?:\\p{L}+ ){0,1}?(?<word>${RELATIVE_WORDS})\\b${NO_CODE}`, 'giu')
/** Without "my" it must be a name: capitalized, or after certain verbs and prepositions. */
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

/** Without "my", other relation words are no names: "the wife of", "a husband". */
const SURE = new Set(['mom', 'mum', 'mommy', 'dad', 'daddy'])
