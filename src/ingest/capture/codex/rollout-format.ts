/** How a rollout is known by its first lines. */
import { isFields } from '../fields.ts'
import type { HeadFormat } from '../judged-lines.ts'
import { isRolloutLine, rolloutLine } from './rollout-line.ts'

export const ROLLOUT: HeadFormat = {
  name: 'a Codex rollout',
  reason: 'it does not begin as a Codex rollout does',
  isRecord: isFields,
  isOurs: ([first]) => isRolloutLine(first?.values[0]),
  lacks(lines) {
    const known = lines.flatMap(({ values }) => values).filter((value) => rolloutLine(value)?.type !== undefined)
    if (known.length === 0) return undefined
    return known.some(isRolloutLine) ? 'it does not begin with its header' : 'its lines have no time'
  },
}
