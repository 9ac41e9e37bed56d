import { escapeMarks } from '../core/marked-text.ts'
import { oneLine, plural, stripControls } from '../core/text.ts'
import { ago } from '../core/time.ts'
import type { AgentStatus } from '../library/index.ts'
import type { SyncState } from './background-sync.ts'

const LONGEST_WARNING = 2000

export interface StatusText extends AgentStatus {
  readonly version: string
  readonly error: { readonly code: string; readonly message: string } | null
  readonly sync: SyncState
}

export function memoryStatusText(status: StatusText, now: number): string {
  const { sessions, turns, documents, chunks, waiting_sessions, last_sync, sync, error } = status
  const counts = [plural(sessions, 'session'), plural(turns, 'turn'), plural(documents, 'document'), plural(chunks, 'chunk')]
  return [
    error === null
      ? `Mnemonic ${status.version}: ${counts.join(', ')}`
      : `Mnemonic ${status.version} cannot read its memory: ${escapeMarks(error.message)}`,
    last_sync === null ? 'no sync has ended yet' : `last sync ${ago(Date.parse(last_sync), now)}`,
    ...(waiting_sessions === 0 ? [] : [`${plural(waiting_sessions, 'session')} not yet indexed`]),
    `background sync: ${syncText(sync)}`,
    ...sync.warnings.map((warning) => `warning: ${escapeMarks(oneLine(warning, LONGEST_WARNING))}`),
  ].join('\n')
}

function syncText({ state, error, imported }: SyncState): string {
  switch (state) {
    case 'off':
      return 'off'
    case 'running':
      return 'running'
    case 'elsewhere':
      return 'another process is syncing'
    case 'done':
      return `done, ${plural(imported ?? 0, 'file')} read`
    case 'failed':
      return `failed, ${error?.code}: ${stripControls(error?.message ?? '')}${error?.hint === undefined ? '' : ` Try: ${stripControls(error.hint)}`}`
  }
}
