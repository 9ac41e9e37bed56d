import type { DecisionLine, DecisionList, ShownDecision } from '../../library/index.ts'
import { whoOf } from './events.ts'
import { shorten, wrap } from './layout.ts'
import { printable } from './printable.ts'
import { localTime } from './quantity.ts'
import type { Style } from './style.ts'

const INDENT = '  '
const DEEPER = '      '
const LONGEST = 400

export function formatDecisions({ lines, terms }: DecisionList, width: number, style: Style): string {
  return lines.map((line) => formatLine(terms.length === 0 ? { ...line, related: [] } : line, width, style)).join('\n')
}

function formatLine({ holds, before, related }: DecisionLine, width: number, style: Style): string {
  const parts = [
    ...holds.map((one) => formatOne(one, { width, style, indent: INDENT, label: 'holds' })),
    ...before.map((one) => formatOne(one, { width, style, indent: DEEPER, label: 'before' })),
    ...(related.length === 0 ? [] : [`${INDENT}${style.dim(`perhaps related: ${related.join(', ')}`)}`]),
  ]
  return parts.join('\n')
}

/** Not a decision yet: an agent may decide, but not state the owner's preferences; others may do neither. */
function isProposal({ session_id, trust, type }: ShownDecision): boolean {
  return session_id !== null && trust !== 'owner' && (type === 'preference_stated' || trust !== 'agent')
}

interface Layout {
  readonly width: number
  readonly style: Style
  readonly indent: string
  readonly label: 'holds' | 'before'
}

function formatOne(one: ShownDecision, { width, style: { dim, bold }, indent, label }: Layout): string {
  const lead = label === 'holds' ? '' : '    '
  const when = localTime(one.decided_at)
  const word = label === 'before' ? 'before' : isProposal(one) ? 'proposed' : one.type === 'preference_stated' ? 'preferred' : 'decided'
  const where = [one.id, whoOf(one), one.cite ?? one.channel, one.said > 1 ? `said ${one.said} times` : '', one.title ?? '']
  const left = width - lead.length - when.length - word.length - 4
  const head = `${lead}${dim(when)}  ${bold(word)}  ${dim(shorten(printable(where.filter((part) => part !== '').join(' · ')), Math.max(left, 12)))}`
  const text = wrap(shorten(printable(one.words), LONGEST), width, indent)
  const by = one.superseded_by
  const replaced =
    by === null
      ? []
      : [dim(wrap(printable(`replaced on ${localTime(by.decided_at).slice(0, 10)} by ${by.id} (${by.cite ?? ''})`), width, indent))]
  return [head, text, ...replaced].join('\n')
}
