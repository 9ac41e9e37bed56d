/** How a rollout is known by its first lines. */
import { isFields } from '../fields.ts'
import type { HeadFormat } from '../judged-lines.ts'
import { isRolloutLine } from './rollout-line.ts'

export const ROLLOUT: HeadFormat = {
  name: 'a Codex rollout',
  reason: 'it does not begin as a Codex rollout does',
  isRecord: isFields,
  isOurs: ([first]) => isRolloutLine(first?.values[0]),
}
