/** The demo for people: what was imported, three searches with their hits, where to go next. */
import { plural } from '../../core/text.ts'
import { DEMO_SEARCHES, type DemoReport, NEXT_STEPS } from '../demo-plan.ts'
import { pairs } from './layout.ts'
import { type FormatOptions, formatHit } from './search.ts'
import { formatSync } from './sync.ts'

export interface DemoFormat extends FormatOptions {
  /** How this program was called: what a person types again. */
  readonly binary: string
}

export function formatDemo(report: DemoReport, format: DemoFormat): string {
  const { style, binary } = format
  const searches = report.searches.map((answer, i) => {
    const plan = DEMO_SEARCHES[i]
    const hits = answer.results.map((result, rank) => formatHit(result, rank + 1, format))
    return [`${style.bold(plan?.shows ?? '')}\n$ ${binary} ${plan?.typed ?? ''}`, ...hits].join('\n\n')
  })
  const next = NEXT_STEPS.map(({ command, does }) => [`  ${binary} ${command}`, does] as const)
  const kept = report.kept ? [`The home is kept: ${binary} --home ${report.home} --workspace ${report.workspace} sessions`] : []
  return [
    style.bold('Imported the sample sessions'),
    imported(report),
    ...searches,
    style.bold('Where to go next'),
    pairs(next),
    ...kept,
  ].join('\n\n')
}

function imported({ sync, counts }: DemoReport): string {
  const { sessions, turns, messages, tool_calls, chunks } = counts
  const sums = [plural(sessions, 'session'), plural(turns, 'turn'), plural(messages, 'message'), plural(tool_calls, 'tool call')]
  return `${formatSync(sync)}\n\n${sums.join(', ')}; ${plural(chunks, 'chunk')} in the index`
}
