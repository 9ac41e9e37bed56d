import type { FixAnswer } from '../browse/fix/find-fixes.ts'
import type { HowAnswer } from '../browse/fix/how.ts'
import { markMemory, NOTICE } from '../core/marked-text.ts'
import { named, safe } from '../core/named.ts'
import { plural } from '../core/text.ts'

export interface CitedText {
  readonly text: string
  readonly cited: readonly string[]
}

export function howForAgent({ passed, failed, tasks }: HowAnswer): CitedText {
  const { cite, cited } = citations()
  const lines = [
    ...passed.map(
      (form) =>
        `${cite(form.id)} ${safe(form.purpose)}: ${safe(form.command)}${where(form)} (passed ${plural(form.passed, 'time')}${form.failed > 0 ? `, failed ${form.failed}` : ''}, last ${form.last.slice(0, 10)})`,
    ),
    ...failed.map(
      (form) =>
        `${cite(form.id)} fails: ${safe(form.command)}${where(form)}${form.lacked.length > 0 && form.instead !== null ? `; it lacks ${safe(form.lacked.join(' '))} of ${safe(form.instead)}` : ''}`,
    ),
    ...tasks.map(({ command, runs, id }) => `${cite(id)} task ${safe(command)}: ${safe(runs)}`),
  ]
  return marked(lines, cited, 'No command for this was seen in this project.')
}

export function fixForAgent({ occurrences, matched, total }: FixAnswer): CitedText {
  const { cite, cited } = citations()
  const lines = occurrences.flatMap((one) => [
    `${cite(one.id)} ${one.at.slice(0, 10)} ${safe(one.command)}: ${safe(one.error)}`,
    `   ${one.fix === null ? (one.outcome === 'open' ? 'never seen to pass after' : 'passed later, after much else') : safe(one.fix)}`,
    ...(one.cause === null ? [] : [`   cause: ${safe(one.cause)}`]),
  ])
  const head = matched === 'words' ? ['No such error was seen; errors that contain its words:'] : []
  return marked(
    lines.length === 0 ? [] : [...head, ...lines, ...(total > occurrences.length ? [`${total} in all`] : [])],
    cited,
    'This error was not seen before.',
  )
}

function where({ folder, environment }: { folder: string; environment: readonly string[] }): string {
  return `${folder === '' ? '' : ` in ${safe(folder)}`}${environment.length === 0 ? '' : ` with ${safe(environment.join(', '))}`}`
}

function citations() {
  const cited: string[] = []
  const cite = (id: string | null): string => {
    if (id === null) return '-'
    cited.push(id)
    return `${cited.length}. ${named(id)}`
  }
  return { cite, cited }
}

function marked(lines: readonly string[], cited: readonly string[], nothing: string): CitedText {
  return { text: lines.length === 0 ? nothing : `${NOTICE}\n${markMemory(lines.join('\n'))}`, cited }
}
