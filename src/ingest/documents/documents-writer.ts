/** Files are authoritative: deleted ones are removed from the mirror. */
import { MnemonicError } from '../../core/error.ts'
import { sha256 } from '../../core/hash.ts'
import { cutMarked } from '../../core/marked-text.ts'
import { redactVisible } from '../../core/redact.ts'
import { compiledOnce } from '../../store/compiled-once.ts'
import { META, readMeta, writeMeta } from '../../store/meta.ts'
import type { WriteTx } from '../../store/store.ts'
import type { DocumentsTable } from '../../store/tables.ts'
import type { DocumentRecord } from '../adapter.ts'

export function documentsWriter(unit: string) {
  const given = new Set<string>()
  let changed = false
  return {
    async apply(tx: WriteTx, records: readonly DocumentRecord[]) {
      let added = 0
      for (const record of records) {
        if (record.path !== unit)
          throw new MnemonicError('VALIDATION_ERROR', `${unit} holds a document of another name`, {
            details: { reasons: ['another name'] },
          })
        given.add(record.path)
        if (await putDocument(tx, record)) added += 1
      }
      changed ||= added > 0
      return { added, repeated: 0 }
    },
    async finish(tx: WriteTx) {
      if (!given.has(unit)) changed = (await removeDocument(tx, unit)) || changed
    },
    changed: () => changed,
  }
}

/** Returns whether the text changed. A touched file keeps its row. */
async function putDocument(tx: WriteTx, { path, agentId, text: given, timestamp }: DocumentRecord): Promise<boolean> {
  const text = documentText(given)
  const hash = sha256(text)
  const [before] = await mirrored(tx.db, { path })
  if (before?.hash === hash && before.agent_id === agentId && before.kind === 'document') return false
  await put(tx.db, { path, agent_id: agentId, timestamp, revision: await nextRevision(tx), hash, text })
  return true
}

const mirrored = compiledOnce((db, { path }: { path: string }) =>
  db.selectFrom('documents').select(['hash', 'agent_id', 'kind']).where('path', '=', path),
)

const put = compiledOnce(
  (db, { path, agent_id, timestamp, revision, hash, text }: Omit<DocumentsTable, 'kind' | 'session_id' | 'session_token'>) => {
    const row = {
      ...{ path, kind: 'document' as const, agent_id, session_id: null, session_token: null },
      ...{ timestamp, revision, hash, text },
    }
    return db
      .insertInto('documents')
      .values(row)
      .onConflict((conflict) => conflict.column('path').doUpdateSet(row))
  },
)

const REVISION = META.documentsRevision

/** Revisions are never reused, even if the newest document was removed: a cursor over them misses nothing. */
export async function nextRevision({ db }: WriteTx): Promise<number> {
  const next = Number((await readMeta(db, REVISION)) ?? 0) + 1
  await writeMeta(db, REVISION, String(next))
  return next
}

/** Keeps published files of that name. Returns whether one was removed. */
export async function removeDocument(tx: WriteTx, path: string): Promise<boolean> {
  const { numDeletedRows } = await tx.db.deleteFrom('documents').where('path', '=', path).where('kind', '=', 'document').executeTakeFirst()
  return numDeletedRows > 0n
}

/** Cut private passages before redacting: a redaction must not swallow their end mark. Keeps other line breaks. */
function documentText(raw: string): string {
  const safe = redactVisible(cutMarked(raw))
  const rest = cutMarked(safe)
  return rest === safe ? safe : redactVisible(rest)
}
