/** Decides by words and known names. No model. */
import { isWrittenAsName } from '../../search/known/may-name.ts'
import { spokenNames } from '../../search/known/spoken-names.ts'
import { ASSISTANT_NAMES, type Owner, people } from '../../search/person.ts'
import { planQuery } from '../../search/plan.ts'
import type { ChunkFilter } from '../../store/lexical.ts'
import type { Store } from '../../store/store.ts'
import type { FirstLook } from './first-look.ts'
import type { KnownNames } from './known-names.ts'
import { REQUEST } from './recall.ts'

export interface Need {
  readonly needed: boolean
  readonly reason: string
  /** The search results decide. */
  readonly ifFound?: boolean
}

export interface NeedOptions {
  readonly store: Store
  readonly owner: Owner
  readonly filter: ChunkFilter
  readonly session: string | undefined
}

/** Share of the question's weighted words that one chunk must hold, and the least number of words. */
const COVERED = 0.5
const FEWEST = 3
/** Least weight, above that of one unique word: common words are in every chunk. */
const WORTH = 1.2
const LOOKED_AT = 12
/** Longer questions tell a story, and some chunk covers half of any story. */
const LONGEST = 40

export async function needOf(look: FirstLook, known: KnownNames, options: NeedOptions): Promise<Need> {
  if (look.says !== 'ask') return { needed: look.says === 'recall', reason: look.reason }
  const [ticket] = known.tickets
  if (ticket !== undefined) return { needed: true, reason: `it names ${ticket}, which memory knows` }
  // Names in a request are for the agent to look at.
  const questions = look.questions.filter((question) => !REQUEST.test(question) && !TO_THE_AGENT.test(question))
  const [project] = known.projects
  if (project !== undefined && questions.length > 0)
    return { needed: true, reason: `it names another project: ${project.project_name ?? project.project}` }
  const [entity] = known.entities
  if (entity !== undefined && questions.length > 0) return { needed: true, reason: `it asks about ${entity.name}, whom memory knows` }
  const asked = questions.join(' ')
  const speaker = await speakerIn(asked, options)
  if (speaker !== undefined) return { needed: true, reason: `it asks about ${speaker}, who speaks in memory` }
  const code = known.codes.find((name) => asked.includes(name))
  if (code !== undefined) return { needed: true, reason: `it asks about ${code}, which memory knows` }
  for (const question of questions.filter((one) => wantsToKnow(one) && !AT_HAND.test(one))) {
    const covered = await coveredBy(question, options)
    if (covered !== undefined) return { needed: true, reason: `earlier sessions speak of what it asks: ${covered}` }
  }
  if (standsAlone(look) && questions.some(asksOfMemory))
    return { needed: true, reason: 'earlier sessions speak of what it asks', ifFound: true }
  return {
    needed: false,
    reason:
      look.questions.length === 0
        ? 'it asks nothing, and names nothing that memory knows'
        : 'it asks for something to be done, or about the work at hand',
  }
}

/** A speaker in the ledger named by the prompt. An agent's name means the asked agent. */
async function speakerIn(asked: string, { store, owner }: NeedOptions): Promise<string | undefined> {
  const names = spokenNames(asked).filter((name) => isWrittenAsName(name) && !ASSISTANT_NAMES.has(name.toLowerCase()))
  if (names.length === 0) return undefined
  const everybody = people(store, owner)
  for (const name of names) if ((await everybody.named(name)) !== undefined) return name
  return undefined
}

const WANTS_TO_KNOW =
  /(?:^|[,:;–-] )(?:and |but |so |question:? |q:? )*(?:(?:in|on|at|for|from|with|by|to|of|since|under|during) )?(?:what|which|who|whom|whose|when|where|why|how)\b/i
/** Things that the agent sees itself. */
const AT_HAND =
  /\b(?:current(?:ly)?|my (?:branch|changes?|code|commits?|diff|pr|pull request|tests?|build)|this|that|these|those|here|it|them|they|above|below|then|just|right now|so far|next|left|else|wrong|problems?|issues?|errors?|status|happen(?:s|ed|ing)?|fail(?:s|ed|ing)?|broken|missing)\b/i
const ELSEWHERE = /\bhow (?:to|do i|can i|would i)\b/i
/** The agent knows its own actions and thoughts better. */
const TO_THE_AGENT = /\b(?:you|your|yourself)\b/i

function wantsToKnow(question: string): boolean {
  return WANTS_TO_KNOW.test(question) && !ELSEWHERE.test(question)
}

const ADVICE = /\b(?:should|shall|best|better|recommend(?:ed|s)?|suggest(?:ed|s)?|make sense)\b/i

/** Least share of questions in a prompt; below it, they concern its request. */
const OWN_PART = 0.6

function standsAlone({ text, questions }: FirstLook): boolean {
  return questions.reduce((sum, question) => sum + question.length, 0) >= OWN_PART * text.length
}

function asksOfMemory(question: string): boolean {
  return (
    WANTS_TO_KNOW.test(question) &&
    !AT_HAND.test(question) &&
    !ADVICE.test(question) &&
    !/\bhow to\b/i.test(question) &&
    question.split(/\s+/).length <= LONGEST
  )
}

async function coveredBy(question: string, { store, owner, filter, session }: NeedOptions): Promise<string | undefined> {
  if (question.split(/\s+/).length > LONGEST) return undefined
  const plan = await planQuery(question, store.lexical, people(store, owner))
  const terms = [...plan.any, ...plan.common].filter(({ kind }) => kind !== 'part')
  if (terms.length < FEWEST || plan.any.length === 0) return undefined
  const hits = await store.lexical.search(
    { any: plan.any.map(({ term }) => term), raise: plan.common.map(({ term }) => term) },
    filter,
    LOOKED_AT,
  )
  const rows = (await store.rows.candidates(hits.map(({ chunkId }) => chunkId))).filter(({ session_id }) => session_id !== session)
  const held = await store.lexical.holding(
    terms.map(({ term }) => term),
    rows.map(({ id }) => id),
  )
  const size = await store.lexical.size()
  const least = WORTH * Math.log(1 + size / 1.5)
  const whole = terms.reduce((sum, { weight }) => sum + weight, 0) + plan.absent
  for (const { id } of rows) {
    const own = terms.filter((_, i) => held[i]?.has(id))
    const worth = own.reduce((sum, { weight }) => sum + weight, 0)
    if (own.length >= FEWEST && worth >= least && worth >= COVERED * whole) return own.map(({ text }) => text).join(', ')
  }
  return undefined
}
