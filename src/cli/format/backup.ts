/** Backup, restore, export and uninstall as text. */
import { plural } from '../../core/text.ts'
import type { BackupReport, Holdings, RestorePlan, RestoreReport } from '../../index.ts'
import { duration, size } from './quantity.ts'

export function formatBackup({ path, bytes, duration_ms, left_out, ...held }: BackupReport): string {
  return [
    `${path}: ${size(bytes)}, ${formatHoldings(held)}, in ${duration(duration_ms)}`,
    'It is raw: secrets that were typed or printed in a session are in it as they were. Only you can read it (0600); keep it so.',
    `Not in it: ${left_out.join(', ')}. Copy these like other documents of yours.`,
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
    `${database} holds what ${path} held: ${formatHoldings(held)}, in ${duration(duration_ms)}`,
    ...(forgotten > 0 ? [`${plural(forgotten, 'record')} of the backup had been forgotten since, and did not come back.`] : []),
    ...(kept === null ? [] : [`What was there before is kept: ${kept}`]),
  ].join('\n')
}
