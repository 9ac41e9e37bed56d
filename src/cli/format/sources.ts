/** What would be read, for people. */
import { plural, stripControls } from '../../core/text.ts'
import type { SourceInfo } from '../../index.ts'
import { bytes } from './quantity.ts'
import type { Style } from './style.ts'

export function formatSources(sources: readonly SourceInfo[], style: Style): string {
  return sources.map((source) => formatSource(source, style)).join('\n\n')
}

function formatSource(source: SourceInfo, style: Style): string {
  const state = source.enabled ? style.green('on') : style.dim('off')
  const waiting = source.waiting === 0 ? 'nothing new' : `${source.waiting.toLocaleString('en-US')} new or changed`
  return [
    `${style.bold(source.name)}  ${state}  ${plural(source.units, 'file')}, ${bytes(source.bytes)}, ${waiting}`,
    ...source.places.map(({ path, exists }) => `  ${stripControls(path)}${exists ? '' : style.dim('  (not there)')}`),
  ].join('\n')
}
