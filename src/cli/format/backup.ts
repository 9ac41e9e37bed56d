import { plural } from '../../core/text.ts'
import type {
  BackupReport,
  ExportReport,
  Holdings,
  RestorePlan,
  RestoreReport,
  UninstallItem,
  UninstallReport,
} from '../../library/index.ts'
import { duration, bytes as size } from './quantity.ts'

export function formatBackup({ path, bytes, duration_ms, left_out, ...held }: BackupReport): string {
  return [
    `${path}: ${size(bytes)}, ${formatHoldings(held)}, in ${duration(duration_ms)}`,
    'It is not redacted: it contains every secret that was typed or printed in a session. Only you can read it (0600).',
    ...(left_out.length === 0 ? [] : [`Not in it: ${left_out.join(', ')}. Back these up like your other files.`]),
  ].join('\n')
}

export function formatHoldings({ sessions, messages, events, last_message_at }: Holdings): string {
  const newest = last_message_at === null ? '' : `, newest ${last_message_at.slice(0, 10)}`
  return `${plural(sessions, 'session')}, ${plural(messages, 'message')}, ${plural(events, 'event')}${newest}`
}

export function formatPlan({ path, backup, current }: RestorePlan): string {
  const now = current === null ? 'there is none yet' : current === 'damaged' ? 'damaged' : formatHoldings(current)
  return [`backup    ${path}: ${formatHoldings(backup)}`, `database  ${now}`].join('\n')
}

export function formatRestore({ path, database, kept, forgotten, duration_ms, ...held }: RestoreReport): string {
  return [
    `${database} is restored from ${path}: ${formatHoldings(held)}, in ${duration(duration_ms)}`,
    ...(forgotten > 0 ? [`${plural(forgotten, 'record')} of the backup had been forgotten since, and stayed out.`] : []),
    ...(kept === null ? [] : [`The replaced database is kept: ${kept}`]),
  ].join('\n')
}

export function formatExport({ path, files, duration_ms }: ExportReport): string {
  const records = files
    .filter((file) => file.path.endsWith('.jsonl'))
    .map((file) => `${file.records.toLocaleString('en-US')} ${nameOf(file.path)}`)
  const published = files.filter((file) => file.path.startsWith('memory/')).length
  const total = files.reduce((sum, file) => sum + file.bytes, 0)
  const parts = files.length === 1 ? [plural(files[0]?.records ?? 0, 'message')] : [...records, `${plural(published, 'published file')}`]
  return `${path}: ${size(total)} in ${plural(files.length, 'file')}, in ${duration(duration_ms)}\n${parts.join(', ')}`
}

function nameOf(file: string): string {
  return file.replace(/\.jsonl$/, '').replaceAll('_', ' ')
}

export function formatUninstall({ removed, kept, dry_run, package: command }: UninstallReport): string {
  return [
    ...section(dry_run ? 'Would be removed:' : 'Removed:', removed),
    ...section(removed.length === 0 ? 'On this machine, not removed:' : dry_run ? 'Would stay:' : 'Still there:', kept),
    `The program itself: ${command}`,
  ].join('\n')
}

const FEW = 10

function section(title: string, items: readonly UninstallItem[]): string[] {
  if (items.length === 0) return []
  const kinds = new Map<string, UninstallItem[]>()
  for (const item of items) kinds.set(item.what, [...(kinds.get(item.what) ?? []), item])
  const lines = [...kinds].flatMap(([what, of]) => {
    if (of.length <= FEW) {
      // Zero bytes: the file belongs to the harness, and only our entries count.
      return of.map((item) => `  ${item.path} (${what}${item.bytes === 0 ? '' : `, ${size(item.bytes)}`})`)
    }
    const bytes = of.reduce((sum, item) => sum + item.bytes, 0)
    return [`  ${plural(of.length, 'file')}, ${of[0]?.path} and others (${what}, ${size(bytes)})`]
  })
  return [title, ...lines]
}
