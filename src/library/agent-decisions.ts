import type { DecisionLine, ShownDecision } from '../browse/decisions/decision.ts'
import type { DecisionList } from '../browse/decisions/decisions.ts'
import { markMemory, NOTICE } from '../core/marked-text.ts'
import { named, safe } from '../core/named.ts'
import { AGENT_SAID } from '../core/stated-as.ts'
import { oneLine, plural, printable } from '../core/text.ts'
import type { Hints } from './agent-text.ts'

const WORDS = 300
const MOST_BEFORE = 3

export interface DecisionsText {
  readonly text: string
  readonly cited: readonly string[]
}

export function decisionsForAgent({ lines, total, as_of }: DecisionList, { hints }: { readonly hints: Hints }): DecisionsText {
  const when = as_of === null ? '' : ` as of ${as_of.slice(0, 10)}`
  if (lines.length === 0) return { text: `no decisions${when}`, cited: [] }
  const shown = total > lines.length ? `${lines.length} of ${plural(total, 'decision')}` : plural(total, 'decision')
  const cited = lines.map(citeOf)
  const said = markMemory(lines.map((line, i) => lineText(line, i + 1)).join('\n'))
  return { text: [`${shown}${when}. ${NOTICE}`, said, `More of one: ${hints.readHit(1, cited[0] ?? '')}`].join('\n'), cited }
}

function citeOf({ holds, before }: DecisionLine): string {
  const one = holds[0] ?? before[0]
  return one?.cite ?? one?.session_id ?? ''
}

function lineText({ holds, before }: DecisionLine, number: number): string {
  const [first, ...more] = holds
  const older = before.slice(0, MOST_BEFORE).map((one) => `   before: ${said(one)}`)
  const rest = before.length > MOST_BEFORE ? [`   and ${before.length - MOST_BEFORE} before`] : []
  const head = first === undefined ? `${number}. holds no longer` : `${number}. ${said(first)}`
  return [head, ...more.map((one) => `   also: ${said(one)}`), ...older, ...rest].join('\n')
}

function said({ cite, decided_at, words, trust, speaker, project, type }: ShownDecision): string {
  const facts = [
    ...(cite === null ? [] : [named(cite)]),
    decided_at.slice(0, 10),
    ...(project === null ? [] : [safe(project.split(/[\\/]/).at(-1) ?? project)]),
    ...(speaker === null ? [] : [safe(speaker)]),
    ...(trust === 'owner' || trust === 'agent' ? [] : [`[${trust}]`]),
  ]
  return `${facts.join(' ')}: ${oneLine(printable(words), WORDS)}${type === 'decision' && trust === 'agent' ? AGENT_SAID : ''}`
}
