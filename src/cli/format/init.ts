import { oldestWords, retentionWords } from '../../core/retention-words.ts'
import { plural, stripControls } from '../../core/text.ts'
import type { FirstHit, InitPlan, InstallReport, SyncReport } from '../../library/index.ts'
import type { Output } from '../output.ts'
import { formatInstalled } from './install.ts'
import { wrap } from './layout.ts'
import { bytes } from './quantity.ts'
import { timerWords } from './sources.ts'
import type { Style } from './style.ts'
import { formatSync } from './sync.ts'

const LINE = 80

export interface InitReport {
  readonly installed: readonly InstallReport[]
  readonly enabled: readonly string[]
  readonly auto_publish: boolean
  readonly sync: SyncReport | null
  readonly first_hit: FirstHit | null
}

export function formatInitPlan({ home, sources, personal, harnesses, timer }: InitPlan): string {
  const widest = Math.max(0, ...[...sources, ...personal, ...harnesses].map(({ name }) => name.length))
  const row = (name: string, text: string) => `  ${name.padEnd(widest)}  ${text}`
  const read = sources.flatMap((source) => {
    const { name, files, bytes: size, waiting, retention } = source
    const late = oldestWords(source, Date.now())
    return [
      row(name, `${plural(files, 'file')}, ${bytes(size)}${waiting === files ? '' : waiting === 0 ? ', imported' : `, ${waiting} new`}`),
      ...(retention === null ? [] : [row('', retentionWords(retention))]),
      ...(late === undefined ? [] : [row('', late)]),
    ]
  })
  const asked = personal.map(({ name, path, enabled }) =>
    row(name, enabled ? `on: ${stripControls(path)}` : `off; mnemonic sources enable ${name}`),
  )
  const into = harnesses
    .filter(({ detected }) => detected)
    .map(({ name, installed, warnings }) => row(name, installed ? 'installed already' : (warnings[0] ?? `mnemonic install ${name}`)))
  return [
    `Into ${stripControls(home)} would be imported:`,
    ...(read.length === 0 ? ['  no session log was found on this machine'] : read),
    ...(asked.length === 0 ? [] : ['Yours, read only if you say so:', ...asked]),
    timerWords(timer),
    'The memory would be installed into:',
    ...(into.length === 0 ? ['  no harness was found on this machine'] : into),
  ].join('\n')
}

export function formatDone(
  { installed, enabled, auto_publish, sync, first_hit }: InitReport,
  { style, ours }: Pick<Output, 'style' | 'ours'>,
): string {
  const hit = first_hit === null ? [] : [formatHit({ ...first_hit, command: ours(first_hit.command) }, style)]
  return [
    ...(installed.length === 0 ? [] : [installed.map((report) => formatInstalled(report)).join('\n')]),
    ...(enabled.length === 0 ? [] : [`Read from now on: ${enabled.join(', ')}`]),
    ...(sync === null ? [] : [formatSync(sync)]),
    ...hit,
    ours(
      [
        style.bold('Next'),
        '  mnemonic search "what you remember half"',
        '  mnemonic timeline      what happened today',
        '  mnemonic health        whether all is well',
        ...(sync === null ? ['  mnemonic sync          import now'] : []),
        ...(auto_publish ? [] : ['  mnemonic memory publish   sessions as markdown, and MEMORY.md']),
        ...(installed.some(({ name }) => name !== 'timer') ? ['  Start a new session in your harness: it knows where you left off.'] : []),
      ].join('\n'),
    ),
  ].join('\n\n')
}

function formatHit({ question, answer, date, project, cite, command }: FirstHit, style: Style): string {
  const when = [date?.slice(0, 10), project].filter((part) => part != null).join(', ')
  return [
    style.bold(wrap(`Asked of your own history: ${stripControls(question)}`, LINE)),
    wrap(stripControls(answer), LINE, '  '),
    `  ${when}${when === '' ? '' : '  '}[${cite}]`,
    `  $ ${stripControls(command)}`,
  ].join('\n')
}
