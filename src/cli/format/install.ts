import { stripControls } from '../../core/text.ts'
import type { HarnessState, InstalledFile, InstallReport } from '../../library/index.ts'
import { wrap } from './layout.ts'

const LINE = 80

export function formatInstalled(report: InstallReport): string {
  const { title, changed, dry_run, files, commands, notes } = report
  const head = changed ? `${title}: ${dry_run ? 'would be installed' : 'installed'}` : `${title}: is installed already, nothing to change`
  return lines(head, files, dry_run, commands, changed ? notes : [])
}

export function formatRemoved({ title, changed, dry_run, files, commands, notes }: InstallReport): string {
  const head = changed ? `${title}: ${dry_run ? 'would be removed' : 'removed'}` : `${title}: nothing of Mnemonic is in its files`
  return lines(head, files, dry_run, commands, notes)
}

function lines(
  head: string,
  files: readonly InstalledFile[],
  dryRun: boolean,
  commands: readonly string[],
  notes: readonly string[],
): string {
  const touched = files.filter(({ change }) => change !== 'unchanged')
  return [
    head,
    ...touched.flatMap(({ path, what, change, backup, diff }) => [
      `  ${stripControls(path)} (${what}, ${dryRun ? WOULD[change] : change})`,
      ...(backup === null || dryRun ? [] : [`    before: ${stripControls(backup)}`]),
      ...(diff === null ? [] : [stripControls(diff).replace(/^/gm, '    ')]),
    ]),
    ...commands.map((command) => `  ${dryRun ? 'would run' : 'ran'}: ${stripControls(command)}`),
    // Commands are not wrapped: they must be copyable.
    ...notes.map((note) => (note.startsWith('$ ') ? `  ${stripControls(note)}` : wrap(stripControls(note), LINE, '  '))),
  ].join('\n')
}

const WOULD: Readonly<Record<InstalledFile['change'], string>> = {
  created: 'new',
  changed: 'changes',
  unchanged: 'unchanged',
  removed: 'goes',
}

export function formatHarnesses(harnesses: readonly HarnessState[]): string {
  const widest = Math.max(...harnesses.map(({ name }) => name.length))
  const rows = harnesses.flatMap(({ name, detected, installed, files }) => [
    `${name.padEnd(widest)}  ${installed ? 'installed' : detected ? 'not installed' : name === 'timer' ? 'nothing here that runs timers' : 'not on this machine'}`,
    ...files.map(({ path, what }) => `${' '.repeat(widest)}  ${stripControls(path)} (${what})`),
  ])
  const open = harnesses.filter(({ detected, installed }) => detected && !installed).map(({ name }) => name)
  return [...rows, ...(open.length === 0 ? [] : ['', `To install: mnemonic install ${open.join(' ')}`])].join('\n')
}
