import { markMemory, NOTICE } from '../core/marked-text.ts'
import { safe } from '../core/named.ts'
import { oneLine, plural, printable } from '../core/text.ts'
import type { ForgetPlan } from '../forget/plan.ts'

const TEXT = 120
const MOST_SHOWN = 10
const CALLED: Readonly<Record<string, string>> = {
  call_params: 'tool call',
  call_result: 'tool result',
  derived: 'derived record',
  operations: 'note of operations',
}

export function forgetPlanForAgent({ would_remove, records, subagents }: ForgetPlan, command: string): string {
  const counts = Object.entries(would_remove).filter(([, count]) => count > 0)
  if (counts.length === 0) return 'Nothing would be forgotten. Nothing was changed.'
  const shown = records.slice(0, MOST_SHOWN)
  const lines = shown.map(({ kind, timestamp, title, text }, i) => {
    const facts = [CALLED[kind] ?? kind, (timestamp ?? 'no date').slice(0, 10), ...(title === null ? [] : [safe(title)])]
    return `${i + 1}. ${facts.join(' ')}${text === '' ? '' : `: ${oneLine(printable(text), TEXT)}`}`
  })
  return [
    `Nothing was changed. Would be forgotten: ${counts.map(([kind, count]) => plural(count, CALLED[kind] ?? kind, kind === 'operations' ? 'notes of operations' : undefined)).join(', ')}.`,
    ...(lines.length === 0 ? [] : [`The first ${lines.length}. ${NOTICE}`, markMemory(lines.join('\n'))]),
    ...(subagents.length === 0
      ? []
      : [`Not with it: ${plural(subagents.length, 'subagent')} that it started. --with-subagents takes them too.`]),
    `Only a person can forget, at a terminal: ${command}`,
  ].join('\n')
}
