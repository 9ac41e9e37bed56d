/** `time_gap`: what was said in a thread without a pause. */
import type { GroupingRule } from './definitions.ts'

const DEFAULT_GAP_SECONDS = 5400

/** The pause that ends an episode, in milliseconds. */
export function gapOf({ config }: Pick<GroupingRule, 'config'>): number {
  const seconds = config.gap_seconds
  return (typeof seconds === 'number' && seconds > 0 ? seconds : DEFAULT_GAP_SECONDS) * 1000
}
