import { oldestWords, retentionWords } from '../../core/retention-words.ts'
import { plural, stripControls } from '../../core/text.ts'
import type { SourceInfo, TimerState } from '../../library/index.ts'
import { wrap } from './layout.ts'
import { bytes } from './quantity.ts'
import type { Style } from './style.ts'

export function formatSources(sources: readonly SourceInfo[], timer: TimerState, style: Style, columns = 100): string {
  const here = sources.filter((source) => source.available && !isAbsent(source))
  const absent = sources.filter(isAbsent).map(({ name, enabled }) => (enabled ? name : `${name} (off)`))
  const later = sources.filter(({ available }) => !available).map(({ name }) => name)
  return [
    ...here.map((source) => formatSource(source, style, columns)),
    ...(absent.length === 0 ? [] : [style.dim(`not on this machine: ${absent.join(', ')}`)]),
    ...(here.some(({ kind, enabled }) => kind === 'personal' && !enabled) ? [style.dim(NAMED)] : []),
    ...(later.length === 0 ? [] : [style.dim(`not in this version yet: ${later.join(', ')}`)]),
    timer.running === false ? style.yellow(timerWords(timer)) : timerWords(timer),
  ].join('\n\n')
}

/** Harnesses delete their logs, so an hourly sync matters. */
export function timerWords({ installed, running }: TimerState): string {
  if (running === false) return 'Sync every hour: installed, and not running: mnemonic install timer'
  return `Sync every hour: ${installed ? 'on' : 'off; mnemonic install timer keeps what harnesses delete'}`
}

function isAbsent({ available, kind, units, places, unknown, warnings }: SourceInfo): boolean {
  const nothing = units === 0 && unknown.length === 0 && warnings.length === 0
  return available && kind === 'harness' && nothing && places.every(({ exists }) => !exists)
}

function formatSource(source: SourceInfo, style: Style, columns: number): string {
  const state = source.enabled ? style.green('on') : style.dim('off')
  const nowhere = isNowhere(source) && source.enabled && source.units === 0
  const hint = source.hint === undefined ? [] : [style.dim(`  switch it on: ${source.hint}`)]
  const late = oldestWords(source, Date.now())
  return [
    `${style.bold(source.name)}  ${state}  ${amount(source)}`,
    ...source.places.map(({ path, exists }) => `  ${stripControls(path)}${exists ? '' : style.dim('  (not there)')}`),
    ...(source.retention === null || !source.enabled ? [] : [style.dim(`  ${retentionWords(source.retention)}`)]),
    ...(late === undefined || !source.enabled ? [] : [style.yellow(wrap(late, columns, '  '))]),
    ...source.unknown.map(({ name, count, files }) =>
      style.yellow(`  ${plural(count, 'record')} of an unknown type ${stripControls(JSON.stringify(name))} in ${plural(files, 'file')}`),
    ),
    ...(nowhere ? [style.dim(`  ${whereFrom(source.name)}`)] : []),
    ...hint,
  ].join('\n')
}

const NAMED = 'to read one file of a private source without switching it on: mnemonic sync --path FILE'

/** Exports have no standard place. */
export function isNowhere({ kind, places }: SourceInfo): boolean {
  return kind === 'personal' && places.every(({ exists }) => !exists)
}

export function whereFrom(name: string): string {
  return `read a folder: mnemonic sync --adapter ${name} --path FOLDER; read it in every sync: sources.${name}.paths in config.yaml`
}

function amount({ name, kind, enabled, units, bytes: size, waiting }: SourceInfo): string {
  if (kind === 'derived' && units === 0) return STEPS[name] ?? 'a step of sync'
  if (kind === 'personal' && !enabled) return 'private: not read until you enable it'
  const news = waiting === 0 ? 'nothing new' : `${waiting.toLocaleString('en-US')} new or changed`
  return `${plural(units, 'file')}, ${bytes(size)}, ${news}`
}

const STEPS: Readonly<Record<string, string>> = {
  'aix-agents': 'all sources of AI sessions; with --path, another ledger',
  'aix-events': 'the turns of all sessions as events',
}
