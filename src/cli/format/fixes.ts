import { plural } from '../../core/text.ts'
import type { FixAnswer, Friction, HowAnswer, HowForm } from '../../library/index.ts'
import { printable } from './printable.ts'

export function formatHow({ passed, failed, tasks }: HowAnswer): string {
  const lines = passed.map((form) => {
    const counts = `passed ${plural(form.passed, 'time')}${form.failed > 0 ? `, failed ${form.failed}` : ''}, last ${form.last.slice(0, 10)}`
    return `${printable(form.command)}\n  ${form.purpose}${place(form)}; ${counts}${cite(form.id)}`
  })
  const failing = failed.map((form) => {
    const lacked =
      form.lacked.length === 0 || form.instead === null
        ? ''
        : `\n  lacks ${printable(form.lacked.join(' '))} (passes: ${printable(form.instead)})`
    const error = form.error === null ? '' : `\n  ${printable(form.error)}`
    return `fails: ${printable(form.command)}\n  ${form.purpose}${place(form)}; failed ${plural(form.failed, 'time')}, last ${form.last.slice(0, 10)}${cite(form.id)}${lacked}${error}`
  })
  const defined = tasks.map(({ command, runs, id }) => `${printable(command)}\n  runs ${printable(runs)}${cite(id)}`)
  return [...lines, ...failing, ...(defined.length === 0 ? [] : ['tasks', ...defined])].join('\n')
}

function place({ folder, environment }: Pick<HowForm, 'folder' | 'environment'>): string {
  return `${folder === '' ? '' : `, in ${printable(folder)}`}${environment.length === 0 ? '' : `, with ${printable(environment.join(', '))}`}`
}

function cite(id: string | null): string {
  return id === null ? '' : `  [${id}]`
}

export function formatFix({ occurrences, matched, total }: FixAnswer): string {
  const head = matched === 'words' ? ['No such error was seen. Errors that contain these words:'] : []
  const shown = occurrences.map((one) => {
    const what = one.fix ?? (one.outcome === 'open' ? 'never seen to pass after' : 'passed later, after too much to tell')
    return [
      `${one.at.slice(0, 10)}  ${printable(one.error)}${cite(one.id)}`,
      `  ${printable(one.command)}${one.failures > 1 ? `  (failed ${one.failures} times)` : ''}`,
      `  → ${printable(what)}`,
      ...(one.cause === null ? [] : [`  cause: ${printable(one.cause)}`]),
    ].join('\n')
  })
  return [...head, ...shown, ...(total > occurrences.length ? [`${total} sessions in all; more: --limit`] : [])].join('\n')
}

export function formatFriction({ friction, total }: { friction: readonly Friction[]; total: number }): string {
  const lines = friction.map((one) =>
    [
      `${printable(one.error)}${cite(one.id)}`,
      `  ${printable(one.program)}; ${plural(one.sessions, 'session')}, ${plural(one.failures, 'failure')}, ${plural(one.turns, 'turn')}, ${plural(one.calls, 'call')}, last ${one.last.slice(0, 10)}`,
      `  ${one.fix === null ? 'no fix is known' : `known: ${printable(one.fix)}`}${one.unchanged > 0 ? `; passed again without a change ${plural(one.unchanged, 'time')}` : ''}`,
    ].join('\n'),
  )
  return [...lines, ...(total > friction.length ? [`${total} in all; more: --limit`] : [])].join('\n')
}
