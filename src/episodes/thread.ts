import { notOfAgents } from './of-people.ts'
import { ALWAYS, type EventStrategy, type Member } from './strategy.ts'

export const wholeThread: EventStrategy = {
  groups: notOfAgents,
  widen: async () => ALWAYS,
  async *split(events) {
    const all: Member[] = []
    for await (const event of events) all.push(event)
    if (all.length > 0) yield all
  },
}
