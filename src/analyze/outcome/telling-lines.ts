/** Finds the request and the report that share the most words with files and commits. The first request is often unrelated. */
import { STOP_WORDS } from '../stop-words.ts'
import type { Deed, Outcome, Report } from './deed.ts'

/** Bonus for the turn with the most changes, and for the first request. */
const BUSIEST = 3
const FIRST = 1
/** Caps the shared words, since long lines share some by chance. */
const MOST_SHARED = 5

/** Status without content: "Both files have been updated", "the changes are ready to be committed". */
const OF_THE_WORK =
  /\b(?:ready (?:to|for)\b|(?:has|have) been (?:updated|completed|fixed|implemented|applied)(?: successfully)?\W*$|(?:is|are) (?:now )?(?:complete|done|finished|committed|pushed)\W*$|(?:changes?|work) (?:is|are) ready\b|review(?:ed|er)? (?:has |have )?(?:the (?:code|codebase|changes)|approved)|you (?:may|might|can|could|should|want)\b|^\W*(?:all|both|the|these) (?:\w+ )?(?:tests?|checks?|steps?|subtests)\b.{0,40}\b(?:pass|run|green)|all green|^try (?:running|it|again)\b|would you|added imports?\b|run in parallel|lint clean|tests? (?:runs? |now )?.{0,60}\bpass(?:es)?\W*$)/i

const DEED = 2
const TELLS_DEED =
  /^(?:\W*(?:done|perfect|great|ok(?:ay)?)\b\W+)?(?:(?:i|we)(?:['’]ve| have)? (?:\w+ )?\w+ed\b|(?:added|fixed|changed|updated|implemented|removed|created|wrote|moved|renamed|refactored|replaced|reverted|merged|rebased|resolved|extracted|addressed|simplified|switched|dropped|split|introduced|made|built)\b)|\b(?:now|no longer)\b|\b(?:root )?cause\b/i
const ON_THE_WAY =
  /^(?:current(?:ly)?\b|before\b|expected\b|neither\b|lint\b|the (?:file|branch|code) already\b|you already\b|problem:|used \d)/i
/** Questions ask for information, not for work. */
const QUESTION =
  /^(?:(?:hm+|ok(?:ay)?|so|and|but|also|q|question|quick question|wondering|presumably)\b[:,.\s]*)*(?:presumably|is|are|was|were|do|does|did|what|why|how|where|when|which|who|whose|explain|tell me|nothing)\b/i
const ONLY_ASKED = 4

export function aimOf({ asked, files, commits, reports, decisions, busiest }: Outcome): Deed | undefined {
  const evidence = wordsOf([...files.map(({ path }) => path), ...texts(commits), ...texts(reports), ...texts(decisions)])
  const changed = files.length + commits.length > 0
  return best(asked, (request, place) => {
    const named = shared(request.text, evidence)
    // "Follow through with your recommendations" names nothing, even if it changed much.
    const own = named + (named > 0 && isOf(request, busiest) ? BUSIEST : 0) + (place === 0 ? FIRST : 0)
    return changed && QUESTION.test(request.text) ? own - ONLY_ASKED : own
  })
}

export function tellingReport({ reports, files, commits, busiest }: Outcome, aim: Deed | undefined): Report | undefined {
  const evidence = wordsOf([...files.map(({ path }) => path), ...texts(commits), aim?.text ?? ''])
  const told = reports.filter(({ tells }) => tells)
  const telling = (told.length > 0 ? told : reports).filter(({ text }) => !isOfTheWork(text))
  return best(telling, ({ text, ...report }) => {
    const tells = (TELLS_DEED.test(text) ? DEED : 0) - (ON_THE_WAY.test(text) ? DEED : 0)
    return shared(text, evidence) + tells + (isOf({ text, ...report }, busiest) ? BUSIEST : 0)
  })
}

export const isOfTheWork = (text: string): boolean => OF_THE_WORK.test(text)

const texts = (deeds: readonly Deed[]): string[] => deeds.map(({ text }) => text)
const isOf = ({ turn }: Deed, busiest: string | null): boolean => turn !== null && turn === busiest

function best<T>(all: readonly T[], score: (one: T, place: number) => number): T | undefined {
  let found: { readonly one: T; readonly points: number } | undefined
  all.forEach((one, place) => {
    const points = score(one, place)
    if (found === undefined || points > found.points) found = { one, points }
  })
  return found?.one
}

function shared(text: string, evidence: ReadonlySet<string>): number {
  let count = 0
  for (const word of wordsOf([text])) if (evidence.has(word)) count += 1
  return Math.min(count, MOST_SHARED)
}

const WORD = /[\p{L}\p{N}_]{3,}/gu

function wordsOf(all: readonly string[]): Set<string> {
  const words = new Set<string>()
  for (const text of all)
    for (const [word] of text.matchAll(WORD))
      for (const part of word
        .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1_$2')
        .toLowerCase()
        .split('_'))
        if (part.length > 2 && !STOP_WORDS.has(part)) words.add(part.replace(/(?<=\w{3})s$/, ''))
  return words
}
