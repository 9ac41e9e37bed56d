/** `aix_turn`: a turn's prompt and its final answer. Either may be missing. */
import { AIX_EVENTS } from '../ingest/events/aix-events.ts'
import type { EventStrategy, Member, Span, ThreadEvents } from './strategy.ts'

export const aixTurn: EventStrategy = {
  groups: ({ source_adapter }) => source_adapter === AIX_EVENTS,
  /** The prompt or the answer may lie outside the span, with other turns between. */
  async widen(events, span) {
    for (let within = span; ; ) {
      const wider = await withPairs(events, within)
      if (wider.from === within.from && wider.to === within.to) return wider
      within = wider
    }
  },
  async *split(events) {
    const turns = new Map<string, Member[]>()
    for await (const event of events) {
      const turn = turnOf(event.id)
      const said = turns.get(turn)
      if (said) said.push(event)
      else turns.set(turn, [event])
    }
    // Some sources give both the same time: sort the prompt first.
    for (const said of turns.values()) yield said.sort((a, b) => Number(isAnswer(a.id)) - Number(isAnswer(b.id)))
  },
}

const ASKED = 'aix_turn_user:'
const ANSWERED = 'aix_turn_assistant:'

const isAnswer = (id: string) => id.startsWith(ANSWERED)
const turnOf = (id: string) => id.slice((isAnswer(id) ? ANSWERED : ASKED).length)
const otherOf = (id: string) => (isAnswer(id) ? ASKED : ANSWERED) + turnOf(id)

async function withPairs(events: ThreadEvents, { from, to }: Span): Promise<Span> {
  const others: string[] = []
  for await (const { id } of events.between({ from, to })) others.push(otherOf(id))
  const times = await events.timesOf(others)
  return { from: times.reduce((a, b) => Math.min(a, b), from), to: times.reduce((a, b) => Math.max(a, b), to) }
}
