import type { HookFailures } from '../../core/hook-failures.ts'
import { plural } from '../../core/text.ts'

const MEANING: Readonly<Record<string, string>> = {
  LATE: 'over the time budget',
  DATABASE_BUSY: 'the database was locked',
  DATABASE_OLDER: 'the database waits for mnemonic sync to bring it up to date',
  DATABASE_NEWER: 'the database was written by a newer version',
  NOT_A_DATABASE: 'the database file is damaged',
  NOT_FOUND: 'there is no database yet',
  CONFIG_INVALID: 'config.yaml is not valid',
  PARSE_ERROR: 'the harness sent something else than expected',
  STORAGE_ERROR: 'the database could not be read or written',
}

export function failureMeaning(code: string): string {
  return MEANING[code] ?? code
}

export function failureNotice(failures: HookFailures | undefined): string | undefined {
  if (failures === undefined || failures.failed === 0) return undefined
  const last = failures.last.at(-1)
  const why = last === undefined ? '' : ` (last ${last.at.slice(0, 16).replace('T', ' ')} UTC, ${last.event}: ${failureMeaning(last.code)})`
  const now = failures.recovered_at === null ? 'mnemonic health says more' : 'it works again'
  return `Mnemonic: ${plural(failures.failed, 'hook')} gave no memory since the last start${why}; ${now}.`
}
