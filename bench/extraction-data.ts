/** LoCoMo (two people) and LongMemEval (an owner and an agent) as episodes. */
import type { EpisodeMessage, EpisodeText } from '../src/analyze/analyzer.ts'
import { type Haystack, locomo, longMemEval, readFolder, type SessionText } from './retrieval-data.ts'

export type SetName = 'locomo' | 'longmemeval'

export interface LabelledEpisode {
  readonly set: SetName
  readonly episode: EpisodeText
  /** A prompt with its answer, or one message of people. */
  readonly turns: number
}

/** Each conversation once; undefined without the folder. */
export function episodesOf(set: SetName, folder: string): LabelledEpisode[] | undefined {
  const haystacks = readFolder(folder, set === 'locomo' ? locomo : longMemEval)
  if (haystacks === undefined) return undefined
  const once = new Map<string, LabelledEpisode>()
  for (const haystack of haystacks)
    for (const session of haystack.sessions) {
      const id = conversationOf(set, haystack, session)
      if (!once.has(id)) once.set(id, set === 'locomo' ? ofPeople(id, session) : withAgent(id, session))
    }
  return [...once.values()]
}

/** Several haystacks may share a session; one may hold it twice. */
function conversationOf(set: SetName, { name }: Haystack, { id }: SessionText): string {
  return set === 'locomo' ? `${name}/${id}` : (id.split('~')[0] ?? id)
}

const numberOf = (turn: string) => turn.split('#').at(-1) ?? turn

function ofPeople(id: string, { at, turns }: SessionText): LabelledEpisode {
  const messages = turns.map(
    (turn, i): EpisodeMessage => ({
      ...{ message: `${id}#${numberOf(turn.id)}`, text: turn.text, by: 'person', to: 'people', timestamp: at, handle: null, turn: null },
      ...{ trust: turn.speaker === turns[0]?.speaker ? 'owner' : 'contact', speaker: turn.speaker ?? String(i % 2), isOwner: false },
    }),
  )
  return { set: 'locomo', episode: episode(id, at, messages), turns: messages.length }
}

function withAgent(id: string, { at, turns }: SessionText): LabelledEpisode {
  const messages = turns.map(({ id: turn, role, text }): EpisodeMessage => {
    const asks = role === 'user'
    return {
      ...{ message: `${id}#${numberOf(turn)}`, text, by: asks ? 'person' : 'agent', to: asks ? 'agent' : 'people', timestamp: at },
      ...{ trust: asks ? 'owner' : 'agent', handle: null, speaker: null, isOwner: asks, turn: null },
    }
  })
  return { set: 'longmemeval', episode: episode(id, at, messages), turns: turns.filter(({ role }) => role === 'user').length }
}

function episode(id: string, at: number, messages: readonly EpisodeMessage[]): EpisodeText {
  return {
    ...{ id, definition: 'aix_turn', channel: null, thread: null, agentId: 'main', project: null, startTime: at, endTime: at },
    ...{ trust: 'owner', messages, people: [], calls: [], cut: false },
  }
}
