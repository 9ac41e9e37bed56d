/** `time_gap`: a pause ends an episode. A late message can only extend or join its neighbours. */
import type { GroupingRule } from './definitions.ts'
import { notOfAgents } from './of-people.ts'
import { ALWAYS, type EventStrategy, type Member } from './strategy.ts'

const DEFAULT_GAP_SECONDS = 5400

/** Milliseconds. */
export function gapOf({ config }: Pick<GroupingRule, 'config'>): number {
  const seconds = config.gap_seconds
  return (typeof seconds === 'number' && seconds > 0 ? seconds : DEFAULT_GAP_SECONDS) * 1000
}

export const timeGap: EventStrategy = {
  groups: notOfAgents,
  async widen(events, { from, to }, rule) {
    const gap = gapOf(rule)
    const before = await endOfPause(events.timesBefore(from), from, gap)
    const after = await endOfPause(events.timesAfter(to), to, gap)
    return { from: before === undefined ? ALWAYS.from : before + 1, to: after === undefined ? ALWAYS.to : after - 1 }
  },
  async *split(events, rule) {
    const gap = gapOf(rule)
    let run: Member[] = []
    for await (const event of events) {
      if (run.length > 0 && event.timestamp - (run.at(-1) as Member).timestamp >= gap) {
        yield run
        run = []
      }
      run.push(event)
    }
    if (run.length > 0) yield run
  },
}

async function endOfPause(times: AsyncIterable<number>, start: number, gap: number): Promise<number | undefined> {
  let last = start
  for await (const time of times) {
    if (Math.abs(time - last) >= gap) return time
    last = time
  }
  return undefined
}
