/** Cleans reasons and receipts of earlier forgets, which may contain the text. */
import type { Store, WriteTx } from '../store/store.ts'
import { markSettled } from '../tombstones/settled.ts'
import { writeTombstoneFile } from '../tombstones/tombstone-file.ts'
import { blankReasons, listTombstones, NO_REASON } from '../tombstones/write-tombstones.ts'
import { listReceipts, type Receipt, writeReceipt } from './receipt.ts'
import type { TextMatch } from './select/text-match.ts'

export async function clearNotes(
  { store, home, workspace }: { readonly store: Store; readonly home: string; readonly workspace: string },
  match: TextMatch,
): Promise<void> {
  if (await store.write((tx) => blankHeldReasons(tx, match))) {
    await writeTombstoneFile(workspace, await listTombstones(store.read))
    await markSettled(store, workspace)
  }
  for (const receipt of await listReceipts(home)) {
    const clean = withoutText(receipt, match)
    if (JSON.stringify(clean) !== JSON.stringify(receipt)) await writeReceipt(home, clean)
  }
}

export async function blankHeldReasons(tx: WriteTx, match: TextMatch): Promise<boolean> {
  const reasons = await tx.db.selectFrom('tombstones').select('reason').distinct().execute()
  const holding = reasons.map(({ reason }) => reason).filter((reason) => match.holds(reason))
  if (holding.length > 0) await blankReasons(tx, holding)
  return holding.length > 0
}

const HIDDEN = '(a path that holds it)'

export function withoutText(receipt: Receipt, match: TextMatch): Receipt {
  const shown = (path: string) => (match.holds(path) ? HIDDEN : path)
  const { scan, still_held, backups, warnings, reason, removed_paths } = receipt
  return {
    ...receipt,
    reason: match.holds(reason) ? NO_REASON : reason,
    removed_paths: removed_paths.map(shown),
    scan: { ...scan, unreadable: scan.unreadable.map(shown), undecoded: (scan.undecoded ?? []).map(shown) },
    still_held: still_held.map((one) => ({ ...one, path: shown(one.path) })),
    git: (receipt.git ?? []).map((one) => (match.holds(one.command) ? { ...one, path: HIDDEN, command: HIDDEN } : one)),
    ...(receipt.subagents && { subagents: receipt.subagents.filter((id) => !match.holds(id)) }),
    backups: backups.map((one) => ({ ...one, path: shown(one.path) })),
    warnings: warnings.filter((warning) => !match.holds(warning)),
  }
}
