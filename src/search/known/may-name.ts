/** Whether a text may name an entity or ask about the owner. Decided before the database opens. */
import { kindsAsked } from '../../graph/read/fact-kinds.ts'
import { isStopWord } from '../stop-words.ts'
import { asksForOwner, asksForProject } from './owner-asked.ts'
import { relativesIn } from './relatives-in.ts'
import { spokenNames } from './spoken-names.ts'

export function mayNameSomebody(text: string): boolean {
  return asksForOwner(text) || asksForProject(text) || relativesIn(text).length > 0 || namesWritten(text).length > 0
}

/** Capitalized names; small letters only in a question for a fact: "where does tyler work". */
export function namesWritten(text: string): string[] {
  const inSmall = askedInSmall(text)
  return spokenNames(text).filter((name) => isWrittenAsName(name) || isNameInside(name, text) || inSmall.has(name))
}

/** Words that are also names: "will you", but "where does Will work". */
function isNameInside(name: string, text: string): boolean {
  if (name.length < 3 || !isStopWord(name) || !/^\p{Lu}\p{Ll}+$/u.test(name)) return false
  return new RegExp(`(?<=[\\p{Ll}\\p{N}'’,] )${name}(?![\\p{L}\\p{N}])`, 'u').test(text)
}

const SMALL = '\\p{Ll}[\\p{L}-]{2,}(?: \\p{Ll}[\\p{L}-]{2,})??'
const SUBJECT = new RegExp(
  `(?:\\b(?:[Dd]oes|[Dd]id|[Ii]s|[Ww]as|[Hh]as|[Aa]bout|[Ww]here['’]?s|[Ww]ho['’]?s|[Ww]hen['’]?s|[Ww]hat['’]?s) (?<who>${SMALL})(?= |[?.!,]|$)|\\b(?<whose>${SMALL})['’]s\\b|\\b[Ww]hen(?:['’]?s| is| are| was| were| does| do| did| will) (?:the|our|my) (?<what>${SMALL})(?=[?.!,]|$| (?:due|planned|scheduled|happening|start|end|begin)))`,
  'gu',
)
const WHO =
  /\bwho(?:['’]?s| is| was| are)\b|\bup to\b|\b(?:tell me|know|knows|heard?|remember) (?:anything |something |more )?(?:about|of|from)\b/i

function askedInSmall(text: string): Set<string> {
  if (kindsAsked(text).length === 0 && !WHO.test(text)) return new Set()
  const words = [...text.matchAll(SUBJECT)].flatMap(({ groups }) => groups?.who ?? groups?.whose ?? groups?.what ?? [])
  return new Set(words.flatMap((said) => [said, said.split(' ')[0] ?? '']).filter((word) => !word.split(' ').some(isStopWord)))
}

export function isWrittenAsName(name: string): boolean {
  const words = name.split(' ')
  if (name.length < 3 || isStopWord(words[0] ?? '') || isStopWord(words.at(-1) ?? '')) return false
  return words.every((word) => /^[\p{Lu}\p{N}\p{Lo}]/u.test(word))
}
