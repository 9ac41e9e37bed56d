import { notOfAgents } from './of-people.ts'
import type { EventStrategy } from './strategy.ts'

export const singleEvent: EventStrategy = {
  groups: notOfAgents,
  widen: async (_events, span) => span,
  async *split(events) {
    for await (const event of events) yield [event]
  },
}
