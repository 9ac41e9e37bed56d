import { estimateTokens } from '../../core/estimate-tokens.ts'
import type { Price } from '../../store/spend.ts'
import type { Store } from '../../store/store.ts'
import type { EpisodeText } from '../analyzer.ts'
import { type EpisodeToRead, loadEpisodes } from '../run/load-episodes.ts'
import { conversationOf, type Unit, unitsOf } from './conversation.ts'
import type { ConversationReader } from './conversation-reader.ts'
import { recordedText, weightOf } from './recorded-text.ts'

export interface Estimate {
  readonly calls: number
  readonly tokens: number
  /** Null if the price is unknown. */
  readonly usd: number | null
}

export interface QuestionKind {
  readonly question: string
  /** `conversation`: per window of turns; `session`: at most one call each; `text`: per part. */
  readonly of: 'conversation' | 'session' | 'text'
  readonly instructions: string
}

export interface EstimateOptions {
  readonly store: Store
  readonly conversations: ConversationReader
  readonly price: Price | undefined
}

const UNITS_PER_TOKEN = 4
const TOKENS_OF_TURN = 120
const TOKENS_OF_ANSWER = 400
const SESSION_UNITS = 44_000

interface Call {
  readonly key: string
  readonly units: number
  readonly turns: number
}

/** Per plan: a question counted for one type is free for the next. */
export function callEstimator({ store, conversations, price }: EstimateOptions) {
  const counted = new Set<string>()

  return async ({ question, of, instructions }: QuestionKind, episodes: readonly EpisodeToRead[]): Promise<Estimate> => {
    const asked = of === 'conversation' ? windowCalls(episodes) : textCalls(episodes, of)
    let [calls, input, output] = [0, 0, 0]
    for await (const { key, units, turns } of asked) {
      if (counted.has(`${question} ${key}`)) continue
      counted.add(`${question} ${key}`)
      calls += 1
      input += estimateTokens(instructions) + units / UNITS_PER_TOKEN
      output += TOKENS_OF_ANSWER + turns * TOKENS_OF_TURN
    }
    const usd = price === undefined ? null : (input * price.input + output * price.output) / 1e6
    return { calls, tokens: Math.round(input + output), usd }
  }

  async function* textCalls(episodes: readonly EpisodeToRead[], of: 'session' | 'text'): AsyncGenerator<Call> {
    for await (const episode of loadEpisodes(store.read, episodes, 'speech')) {
      const own = episode.messages.filter(({ trust }) => trust === 'owner' || trust === 'agent')
      if (of === 'session') {
        const units = Math.min(
          SESSION_UNITS,
          own.reduce((sum, message) => sum + weightOf(message), 0),
        )
        if (own.length > 0) yield { key: episode.id, units, turns: 0 }
      } else
        for (const [at, { text }] of recordedText(episode).parts.entries())
          yield { key: `${episode.id}#${at}`, units: text.length, turns: 0 }
    }
  }

  async function* windowCalls(episodes: readonly EpisodeToRead[]): AsyncGenerator<Call> {
    const groups = new Map<string, Group>()
    for await (const episode of loadEpisodes(store.read, episodes, 'speech')) {
      const turn = episode.messages[0]?.turn ?? null
      const session = turn === null ? episode.id : await sessionOf(store, turn)
      const group = groups.get(session) ?? { wanted: new Map() }
      for (const unit of unitsOf(episode)) group.wanted.set(keyOf(unit), episode)
      groups.set(session, group)
    }
    for (const { wanted } of groups.values()) {
      while (wanted.size > 0) {
        const [[key, episode]] = wanted as unknown as [[string, EpisodeText]]
        wanted.delete(key)
        const conversation = await conversationOf(store.read, episode)
        const isWanted = (unit: Unit) => keyOf(unit) === key || wanted.has(keyOf(unit))
        for (const window of await conversations.unread(conversation, isWanted)) yield callOf(window)
        for (const unit of conversation.units) wanted.delete(keyOf(unit))
      }
    }
  }
}

interface Group {
  readonly wanted: Map<string, EpisodeText>
}

function keyOf({ id, hash }: Unit): string {
  return `${id} ${hash}`
}

function callOf(window: readonly Unit[]): Call {
  const units = window.reduce((sum, { messages }) => sum + messages.reduce((all, message) => all + weightOf(message), 0), 0)
  return { key: window.map(keyOf).join(' '), units, turns: window.length }
}

async function sessionOf({ read }: Store, turn: string): Promise<string> {
  const row = await read.selectFrom('agent_turns').select('session_id').where('id', '=', turn).executeTakeFirst()
  return row?.session_id ?? turn
}
