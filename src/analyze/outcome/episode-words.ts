/** Summary of an episode: the outcome of agents, or the subject of people. */
import { plural } from '../../core/text.ts'
import type { EpisodeMessage, EpisodeText } from '../analyzer.ts'
import { plainLine, plainText, sentencesOf } from '../plain-line.ts'
import { isCourtesy } from './courtesy.ts'
import type { Outcome } from './deed.ts'
import { listed } from './deed-words.ts'
import { outcomeOf } from './outcome.ts'
import { placeOf } from './place.ts'
import { quotedPart } from './quoted-part.ts'
import { type Told, turnSummary } from './turn-words.ts'

const MOST_NAMES = 3
const LONGEST_NAME = 40
const READ = 4_000
const LEAST_WORDS = 4

export function episodeSummary(episode: EpisodeText, outcome?: Outcome): Told | undefined {
  const isAgents = episode.messages.some(({ by }) => by === 'agent') || episode.calls.length > 0
  return isAgents ? turnSummary(outcome ?? outcomeOf(episode)) : ofPeople(episode)
}

function ofPeople({ messages, people }: EpisodeText): Told | undefined {
  const who = names(messages, people)
  const first = firstTelling(messages)
  const last = firstTelling([...messages].reverse())
  const about = [first, last !== undefined && last.message !== first?.message ? last : undefined].filter((line) => line !== undefined)
  if (messages.length === 0 || (who === '' && about.length === 0)) return undefined
  const quotes = listed(about.map(({ text }) => `“${quotedPart(text, 16)}”`))
  return {
    text: `${who === '' ? 'Somebody' : who}${quotes === '' ? '' : ` about ${quotes}`}, in ${plural(messages.length, 'message')}.`,
    from: about.map(({ message, start, end }) => ({ message, start, end })),
  }
}

function names(messages: readonly EpisodeMessage[], people: EpisodeText['people']): string {
  const spoke = messages.map(({ speaker, handle, isOwner }) => (isOwner ? 'the owner' : (speaker ?? handle ?? '')))
  const others = people.map(({ name, handle }) => name ?? handle)
  const all = [...new Set([...spoke, ...(new Set(spoke).size > 1 ? [] : others)])]
    .map((name) => quotedPart(plainLine(name, LONGEST_NAME), 5))
    .filter((name) => name !== '')
  const more = all.length - MOST_NAMES
  const shown = listed(more > 0 ? [...all.slice(0, MOST_NAMES), plural(more, 'other')] : all)
  return shown.replace(/^the owner/, 'The owner')
}

interface Telling {
  readonly text: string
  readonly message: string
  readonly start: number
  readonly end: number
}

function firstTelling(messages: readonly EpisodeMessage[]): Telling | undefined {
  for (const { message, text, ownWords } of messages) {
    const [from, to] = ownWords?.[0] ?? [0, text.length]
    const own = text.slice(from, Math.min(to, from + READ))
    const sentence = sentencesOf(plainText(own, { spoken: true })).find(
      (one) => one.split(/\s+/).length >= LEAST_WORDS && /\p{L}/u.test(one) && !isCourtesy(one),
    )
    if (sentence === undefined) continue
    const place = placeOf(own, sentence)
    return { text: sentence, message, start: from + place.start, end: from + place.end }
  }
  return undefined
}
