/** Queues text redacted by an older version. Queues and version change in one transaction: a crash loses nothing. */
import { MEMORY_SENTENCE_VERSION } from '../analyze/memory-sentence.ts'
import { REDACTION_VERSION, redact } from '../core/redact.ts'
import { nameAllAgain } from '../ledgers/names/name-waiting.ts'
import { META, readMeta, removeMeta, writeMeta } from '../store/meta.ts'
import type { Store, WriteTx } from '../store/store.ts'

/** Deleting an identity restarts its step. */
const IDENTITIES = [META.derivedIdentity, META.labelsIdentity, META.analysesIdentity, META.episodesIdentity] as const

export async function followRedaction(store: Store, { guard }: { readonly guard: (tx: WriteTx) => Promise<void> }): Promise<void> {
  if ((await readMeta(store.read, META.redactionVersion)) === REDACTION_VERSION) return
  await store.write(async (tx) => {
    await guard(tx)
    const { db } = tx
    for (const key of IDENTITIES) await removeMeta(db, key)
    await nameAllAgain(tx)
    // No rule has version '', so all rerun.
    await db.updateTable('analysis_runs').set({ version: '' }).where('implementation', '=', 'rules').execute()
    // Rewritten only by the next publication.
    await db
      .updateTable('analysis_runs')
      .set({ output_text: null })
      .where('implementation', '=', 'rules')
      .where('analysis_type_id', '=', MEMORY_SENTENCE_VERSION)
      .execute()
    await dropAnswersWithSecrets(tx)
    await db
      .insertInto('remembered_waiting')
      .columns(['event_id'])
      .expression((eb) => eb.selectFrom('events').select('id').where('source_adapter', '=', 'owner').where('thread_id', 'is not', null))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await db
      .insertInto('discussion_waiting')
      .columns(['unit'])
      .expression((eb) => eb.selectFrom('discussions').select('unit').where('unit', 'is not', null))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await writeMeta(db, META.redactionVersion, REDACTION_VERSION)
  })
}

/** Models cost money, so only answers with secrets are dropped. Rules stand in. */
async function dropAnswersWithSecrets({ db }: WriteTx): Promise<void> {
  const runs = await db
    .selectFrom('analysis_runs as r')
    .leftJoin('facets as f', 'f.analysis_run_id', 'r.id')
    .select(['r.id', 'r.output_text', 'f.value'])
    .where('r.implementation', '<>', 'rules')
    .execute()
  const stale = new Set(runs.filter(({ output_text, value }) => hasSecret(output_text) || hasSecret(value)).map(({ id }) => id))
  for (const id of stale) await db.deleteFrom('analysis_runs').where('id', '=', id).execute()
  const answers = await db.selectFrom('llm_answers').select(['key', 'answer_json']).execute()
  for (const { key, answer_json } of answers)
    if (hasSecret(answer_json)) await db.deleteFrom('llm_answers').where('key', '=', key).execute()
}

function hasSecret(text: string | null): boolean {
  return text !== null && redact(text).spans.length > 0
}
