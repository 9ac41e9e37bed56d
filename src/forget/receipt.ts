/** A receipt never contains the text, nor an id or path that contains it. */
import { mkdirSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeAtomic } from '../core/atomic-file.ts'
import { toIso } from '../core/time.ts'
import type { GitHistory } from './prove/git-histories.ts'
import { quoted, rewriteScript } from './prove/rewrite-history.ts'
import type { ScanReport } from './prove/scan.ts'

/** snake_case: the JSON of the receipt and of `forget`. */
export interface Receipt {
  readonly id: string
  readonly selector: string
  readonly whole: string | null
  readonly reason: string
  readonly at: string
  /** removed: nothing could be searched, because the text is unknown, short or also elsewhere. */
  readonly status: 'gone' | 'still_held' | 'removed'
  readonly removed: Readonly<Record<string, number>>
  readonly tables: Readonly<Record<string, number>>
  readonly tombstones: number
  /** They remain. Absent in older receipts. */
  readonly subagents?: readonly string[]
  readonly removed_paths: readonly string[]
  readonly scan: {
    readonly files: number
    readonly bytes: number
    readonly needles: number
    readonly database_rewritten: boolean
    readonly log_emptied: boolean
    readonly unreadable: readonly string[]
    /** Compressed or encrypted. */
    readonly undecoded: readonly string[]
  }
  readonly still_held: readonly { readonly path: string; readonly owner: 'mnemonic' | 'other' | 'backup' | 'export' | 'git' }[]
  readonly git: readonly GitCopy[]
  readonly backups: readonly { readonly path: string; readonly status: 'clean' | 'failed' | 'missing' }[]
  readonly warnings: readonly string[]
}

export interface GitCopy {
  readonly path: string
  readonly blobs: number
  /** In messages and file names; the command keeps these. */
  readonly others: number
  /** Removes the blobs from every commit. */
  readonly command: string
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

export async function listReceipts(home: string): Promise<Receipt[]> {
  const names = await readdir(join(home, RECEIPTS)).catch(() => [] as string[])
  const receipts: Receipt[] = []
  for (const name of names
    .filter((one) => one.endsWith('.json'))
    .sort()
    .reverse()) {
    receipts.push(JSON.parse(await readFile(join(home, RECEIPTS, name), 'utf8')) as Receipt)
  }
  return receipts
}

export async function gitCopies(home: string, id: string, histories: readonly GitHistory[]): Promise<GitCopy[]> {
  const copies: GitCopy[] = []
  for (const [i, { path, blobs, others }] of histories.entries()) {
    const list = join(home, RECEIPTS, `${id}.git-${i + 1}.txt`)
    mkdirSync(join(home, RECEIPTS), { recursive: true, mode: 0o700 })
    await writeAtomic(
      list,
      blobs.map((blob) => `${blob}\n`),
    )
    const script = join(home, RECEIPTS, `${id}.git-${i + 1}.sh`)
    await writeAtomic(script, [rewriteScript(path, list)])
    copies.push({ path, blobs: blobs.length, others, command: `sh ${quoted(script)}` })
  }
  return copies
}

export function receiptId(now: number, random: string): string {
  return `${toIso(now).replace(/[:.]/g, '-')}-${random}`
}

export function scanOf(report: ScanReport, erased: { rewritten: boolean; logEmptied: boolean }): Receipt['scan'] {
  const { files, bytes, needles, unreadable, undecoded } = report
  return { files, bytes, needles, database_rewritten: erased.rewritten, log_emptied: erased.logEmptied, unreadable, undecoded }
}

/** Absent in older receipts. */
export function undecodedOf({ scan }: Receipt): readonly string[] {
  return scan.undecoded ?? []
}

function subagentsText({ subagents = [] }: Receipt): string[] {
  if (subagents.length === 0) return []
  const commands = subagents.map((id) => `mnemonic forget --session ${quoted(id)}\n`).join('')
  return [
    `## Not removed\n\nSubagents that the session started: ${subagents.length}. These commands take them too:\n\n\`\`\`sh\n${commands}\`\`\`\n`,
  ]
}

function gitText({ git = [] }: Receipt): string[] {
  const others = (count: number) => (count === 0 ? '' : `${count} messages or names hold it too, and the command does not change them.\n`)
  return git.map(
    ({ path, blobs, others: more, command }) =>
      `## Git history of ${path}\n\n${blobs} versions of files hold it. This takes them out of every commit; copies elsewhere (remotes, clones) keep them:\n\n\`\`\`sh\n${command}\n\`\`\`\n\n${AFTER_REWRITE}\n\n${others(more)}`,
  )
}

const AFTER_REWRITE = 'Then run `mnemonic memory recover`: published files that went with old versions are written again.'

const NOT_DECODED = 'Compressed, encrypted or damaged: only their bytes as they are were read'

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
    ...subagentsText(receipt),
    `## Rows by table\n\n${rows(tables)}`,
    ...(removed_paths.length === 0 ? [] : [`## Files removed or made again\n\n${list(removed_paths)}`]),
    `## Scan\n`,
    `${scan.files} files, ${scan.bytes} bytes under home and workspace, ${scan.needles} texts in UTF-8, UTF-16, UTF-32, JSON, HTML and percent escapes, quoted-printable, hex and base64 forms, in compressed files too.`,
    `${proof}\n${list(still_held.map(({ path, owner }) => `${path} (${owner})`))}${list(scan.unreadable)}`,
    ...gitText(receipt),
    ...(undecodedOf(receipt).length === 0 ? [] : [`## Not looked into\n\n${NOT_DECODED}:\n${list(undecodedOf(receipt))}`]),
    ...(backups.length === 0 ? [] : [`## Backups\n\n${list(backups.map(({ path, status }) => `${path}: ${status}`))}`]),
    ...(receipt.warnings.length === 0 ? [] : [`## Warnings\n\n${list(receipt.warnings)}`]),
  ].join('\n')
}
