import type { Store } from '../../store/store.ts'
import { stemOf } from '../history/terms.ts'
import { asksForFacts, COMMAND_LABELS, definedIn, kindsOf, labelsAsked, listAsked, onlyByName, SENTENCE_LABELS } from './asked-labels.ts'
import type { ProjectCard } from './card.ts'
import type { CardItem } from './card-item.ts'
import { type CardLine, cardSections } from './card-sections.ts'
import { loadCard } from './load-card.ts'
import { purposeOfTask } from './purpose.ts'
import type { FactScope } from './read-facts.ts'

export interface ProjectFact {
  /** `integration test: mise run test:integration (passed 44×, …)` */
  readonly text: string
  readonly from: CardItem
}

const MOST = 3
const MOST_TERMS = 2
const LONGEST_LIST = 12
/** Least share of the question's weighted words in a line, and in further lines relative to the best. */
const LEAST_SHARE = 0.2
const OF_BEST = 0.75
const MEANT = 1
const FUNCTION_WORDS = new Set(
  `a an and are as at be been being but by can could did do does done for from had has have how i if in into is it its may me must my not of on one or
  our ours shall should so than that the their them then there these they this those through to us use used uses using was we were what when where
  which who whom whose why will with would you your now today here again still also just any all some each every s t re`.split(/\s+/),
)
const OF_WORK = new Set(
  'how run running ran do does can i we you it the all tests test tested testing build built lint linted linter format formatted formatter code command project repo repository here work use integration unit suite type types check checks release releases released way should'
    .split(' ')
    .map((word) => stemOf(word)),
)
/** Words that name a kind of fact but select none. */
const OF_LABELS = new Set(
  'environment variable pull request merge branch issue ticket file folder directory library package dependency module tool framework author contributor maintainer developer reviewer review account name email number'
    .split(' ')
    .map((word) => stemOf(word)),
)
const ONE_TEST = /\b(?:single|one|individual|specific|particular) tests?\b|\bjust (?:one|a) test\b/i

export async function projectFactsFor(store: Store, question: string, whose: FactScope): Promise<ProjectFact[]> {
  if (!asksForFacts(question)) return []
  const defined = definedIn(question)
  const labels = labelsAsked(question)
  const kinds = [...(defined.length === 0 ? [] : ['term' as const]), ...kindsOf(labels)]
  const hasFiles = ['files', 'folders', 'together'].some((label) => labels.has(label))
  const card = await loadCard(store, { ...whose, kinds: [...new Set(kinds)] }, hasFiles)
  const terms = termsFor(card, defined)
  if (terms.length > 0) return terms
  const lines = linesOf(card, labels)
  const named = lines.filter(({ from }) => from.key !== undefined && isNamedIn(from.key, question))
  if (named.length > 0) return named.slice(0, MOST).map(factOf)
  const best = bestOf(
    lines.filter(({ label }) => !onlyByName(label, question)),
    question,
  )
  return best.length > 0 ? best.map(factOf) : listed(question, lines)
}

const factOf = ({ label, text, from }: CardLine): ProjectFact => ({ text: `${label}: ${text}`, from })

type Defined = ReturnType<typeof definedIn>
const KEPT = /\b(?:stored|kept|saved|written|recorded|lives?|named|keyed)\b/

function termsFor(card: ProjectCard, defined: Defined): ProjectFact[] {
  const { allTerms } = card
  const asked = defined.map(({ words }) => wordsOf(words)).filter((words) => words.length > 0)
  const flags = flagsFor(card, defined)
  if (flags.length > 0) return flags
  const own = allTerms.filter(({ term, text }) =>
    defined.some(({ words, isPlace }) => sameWords(wordsOf(term), wordsOf(words)) && (!isPlace || KEPT.test(text))),
  )
  if (own.length === 0) return []
  const others = allTerms.filter(
    (one) => !own.includes(one) && asked.some((words) => words.length > 1 && words.every((word) => wordsOf(one.text).includes(word))),
  )
  return [...own, ...others].slice(0, MOST_TERMS).map((from) => ({ text: from.text, from }))
}

function flagsFor({ allTerms }: ProjectCard, defined: Defined): ProjectFact[] {
  const words = defined.map((one) => one.words).join(' ')
  const asked: readonly string[] = words.match(/--[a-z][\w-]+/g) ?? []
  const beside = wordsOf(words.replace(/--[a-z][\w-]+/g, ' '))
  const shared = (text: string) => wordsOf(text.split(': ', 1)[0] ?? '').filter((word) => beside.includes(word)).length
  return allTerms
    .filter(({ term }) => asked.includes(term))
    .sort((a, b) => shared(b.text) - shared(a.text))
    .slice(0, MOST_TERMS)
    .map((from) => ({ text: from.text, from }))
}

function linesOf(card: ProjectCard, labels: ReadonlySet<string>): CardLine[] {
  const lines = [
    ...cardSections(card, 'whole').flatMap((section) => section.lines),
    ...card.commits.map((from) => ({ label: 'commit', text: from.text, from })),
    ...card.allFiles.map((from) => ({ label: 'files', text: from.text, from })),
  ]
  const once = new Set<string>()
  return lines.filter(({ label, text }) => labels.has(label) && !once.has(text) && once.add(text))
}

/** Numbers, tickets, branches and variables are unambiguous. */
function isNamedIn(name: string, question: string): boolean {
  const bare = name.replace(/^#/, '')
  if (!/[\d/_]/.test(bare)) return false
  const at = /^\d+$/.test(bare)
    ? `(?:#|\\b(?:pull request|PR|MR|merge request|issue|number|no\\.?) ?#?)${bare}\\b`
    : `(?<![\\w/-])${escaped(bare)}(?![\\w/-])`
  return new RegExp(at, /^\d+$/.test(bare) ? 'i' : '').test(question)
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

function bestOf(lines: readonly CardLine[], question: string): CardLine[] {
  const wanted = wordsOf(question).filter((word) => !OF_LABELS.has(word))
  const plain = question
    .toLowerCase()
    .replace(/\bset up\b/g, 'setup')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
  const byStems = purposeOfTask(wanted.join('-'))
  const purpose = ONE_TEST.test(question) ? 'one test' : byStems === 'task' ? purposeOfTask(plain) : byStems
  const known = wanted.filter((word) => OF_WORK.has(word)).length
  const own = lines.map((line) => wordsOf(ownText(line)))
  const worth = new Map(
    wanted.map((word) => [word, Math.log(1 + lines.length / Math.max(1, own.filter((some) => some.includes(word)).length))]),
  )
  const whole = wanted.reduce((sum, word) => sum + (worth.get(word) ?? 0), 0) || 1
  const scored = lines
    .map((line, at) => {
      const shared = wanted.filter((word) => own[at]?.some((other) => isSame(word, other, line.label)))
      const share = shared.reduce((sum, word) => sum + (worth.get(word) ?? 0), 0) / whole
      const isMeant = purpose !== 'task' && line.label === purpose && (shared.length + known) * 2 >= wanted.length
      return { line, at, share: isMeant ? share + MEANT : share }
    })
    .filter(({ share, line: { label } }) => share >= (COMMAND_LABELS.has(label) && label !== 'task' ? MEANT : LEAST_SHARE))
    .sort((a, b) => b.share - a.share || a.at - b.at)
  const naming = /\bwho\b/i.test(question) ? scored.filter(({ line }) => namesSomebody(line)) : []
  const most = (naming[0] ?? scored[0])?.share ?? 0
  return (naming.length > 0 ? naming : scored)
    .filter(({ share }) => share >= OF_BEST * most)
    .slice(0, MOST)
    .map(({ line }) => line)
}

function namesSomebody({ label, text }: CardLine): boolean {
  return label === 'authors' || label === 'reviewers' || /[(, ](?:by|branch of) [^()]*(?:\([^()]*\))?\)$/.test(text)
}

/** A task counts by its name only: its command contains arbitrary words. A list label stands in every line. */
function ownText({ label, text }: CardLine): string {
  if (label === 'task') return text.split(': ', 1)[0] ?? ''
  return COMMAND_LABELS.has(label) ? `${label} ${text}` : text
}

/** The whole list on one line, if no item shares a word with the question. */
function listed(question: string, lines: readonly CardLine[]): ProjectFact[] {
  const label = listAsked(question)
  const own = lines.filter((line) => line.label === label).slice(0, LONGEST_LIST)
  if (label !== undefined && SENTENCE_LABELS.has(label)) return own.slice(0, MOST).map(factOf)
  const [first] = own
  const names = own.map(({ text, from }) => from.key ?? text.replace(/^(?:github|gitlab)\.com\//, ''))
  return first === undefined ? [] : [{ text: `${label}: ${names.join(', ')}`, from: first.from }]
}

/** A task matches by prefix: `dup`. A tool matches by a word of its kind: `GoReleaser` for releases. */
function isSame(word: string, other: string, label: string): boolean {
  if (word === other) return true
  if (label === 'task') return other.length >= 3 && word.length > other.length && word.startsWith(other)
  return label === 'built with' && word.length >= 5 && other.startsWith(word)
}

function wordsOf(text: string): string[] {
  const plain = text.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return [...new Set(plain.match(/[\p{L}\p{N}]{2,}/gu) ?? [])].filter((word) => !FUNCTION_WORDS.has(word)).map((word) => stemOf(word))
}

function sameWords(a: readonly string[], b: readonly string[]): boolean {
  return a.length > 0 && a.length === b.length && a.every((word) => b.includes(word))
}
