/** The receipt of forgetting: when, how much, and what the scan proved. Never contains the text, nor an id or path that holds it. */
import { mkdirSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeAtomic } from '../core/atomic-file.ts'
import { toIso } from '../core/time.ts'
import type { ScanReport } from './prove/scan.ts'

/** snake_case: this is the JSON of the receipt and of `forget`. */
export interface Receipt {
  readonly id: string
  readonly selector: string
  readonly whole: string | null
  readonly reason: string
  readonly at: string
  /** removed: nothing could be looked for. An interrupted forgetting was completed without its text; or all texts are short, or in other records too. */
  readonly status: 'gone' | 'still_held' | 'removed'
  /** Removed records, by kind. */
  readonly removed: Readonly<Record<string, number>>
  /** Rows that were removed or changed, by table. */
  readonly tables: Readonly<Record<string, number>>
  readonly tombstones: number
  /** Mnemonic's own files that were removed, relative to the workspace. */
  readonly removed_paths: readonly string[]
  readonly scan: {
    readonly files: number
    readonly bytes: number
    readonly needles: number
    readonly database_rewritten: boolean
    readonly log_emptied: boolean
    readonly unreadable: readonly string[]
  }
  /** Files that still hold it. */
  readonly still_held: readonly { readonly path: string; readonly owner: 'mnemonic' | 'other' | 'backup' | 'export' }[]
  readonly backups: readonly { readonly path: string; readonly status: 'clean' | 'failed' | 'missing' }[]
  readonly warnings: readonly string[]
}

export const RECEIPTS = 'receipts'

export async function writeReceipt(home: string, receipt: Receipt): Promise<string> {
  const folder = join(home, RECEIPTS)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, `${receipt.id}.json`)
  await writeAtomic(join(folder, `${receipt.id}.md`), [receiptText(receipt)])
  await writeAtomic(path, [`${JSON.stringify(receipt, undefined, 2)}\n`])
  return path
}

/** Newest first. */
export async function listReceipts(home: string): Promise<Receipt[]> {
  const names = await readdir(join(home, RECEIPTS)).catch(() => [] as string[]) // nothing was ever forgotten
  const receipts: Receipt[] = []
  for (const name of names
    .filter((one) => one.endsWith('.json'))
    .sort()
    .reverse()) {
    receipts.push(JSON.parse(await readFile(join(home, RECEIPTS, name), 'utf8')) as Receipt)
  }
  return receipts
}

export function receiptId(now: number, random: string): string {
  return `${toIso(now).replace(/[:.]/g, '-')}-${random}`
}

export function scanOf(report: ScanReport, erased: { rewritten: boolean; logEmptied: boolean }): Receipt['scan'] {
  const { files, bytes, needles, unreadable } = report
  return { files, bytes, needles, database_rewritten: erased.rewritten, log_emptied: erased.logEmptied, unreadable }
}

export function receiptText(receipt: Receipt): string {
  const { scan, still_held, removed, tables, removed_paths, backups } = receipt
  const rows = (counts: Readonly<Record<string, number>>) => {
    const some = Object.entries(counts).filter(([, count]) => count > 0)
    return some.length === 0 ? '- nothing\n' : some.map(([name, count]) => `- ${name}: ${count}\n`).join('')
  }
  const list = (paths: readonly string[]) => paths.map((path) => `- ${path}\n`).join('')
  const proof =
    receipt.status === 'removed'
      ? `Nothing could be looked for${scan.database_rewritten ? ': the database was rewritten instead' : ''}.`
      : still_held.length === 0 && scan.unreadable.length === 0
        ? 'Nothing of it was found.'
        : `Still held by ${still_held.length} and unreadable ${scan.unreadable.length}:`
  return [
    `# Forgotten on ${receipt.at}\n`,
    `Receipt ${receipt.id}. Selector: ${receipt.selector}${receipt.whole === null ? '' : `, whole ${receipt.whole}`}. Reason: ${receipt.reason}.`,
    `The text itself is not written here, nor anywhere else by Mnemonic. ${receipt.tombstones} tombstones keep it out.\n`,
    `## Removed\n\n${rows(removed)}`,
    `## Rows by table\n\n${rows(tables)}`,
    ...(removed_paths.length === 0 ? [] : [`## Files removed or made again\n\n${list(removed_paths)}`]),
    `## Scan\n`,
    `${scan.files} files, ${scan.bytes} bytes under home and workspace, ${scan.needles} texts in UTF-8, UTF-16, JSON, URL and base64 forms.`,
    `${proof}\n${list(still_held.map(({ path, owner }) => `${path} (${owner})`))}${list(scan.unreadable)}`,
    ...(backups.length === 0 ? [] : [`## Backups\n\n${list(backups.map(({ path, status }) => `${path}: ${status}`))}`]),
    ...(receipt.warnings.length === 0 ? [] : [`## Warnings\n\n${list(receipt.warnings)}`]),
  ].join('\n')
}
