/** Which sources a search can be narrowed to. A name that nothing has is a mistake, not a question without an answer. */
import { DERIVED_SOURCES, HARNESS_SOURCES, PERSONAL_SOURCES } from '../config/source-names.ts'
import { MnemonicError } from '../core/error.ts'
import { oneLine } from '../core/text.ts'
import type { Store } from '../store/store.ts'

/** Of documents, as the index has them. */
const KINDS = ['sessions', 'memory', 'events'] as const
const ADAPTERS: readonly string[] = [...HARNESS_SOURCES, ...PERSONAL_SOURCES, ...DERIVED_SOURCES]

/** Throws USAGE for a source that neither the program nor the ledger knows. */
export async function checkSources(store: Store, sources: readonly string[] | undefined): Promise<void> {
  const strange = (sources ?? []).filter((name) => !(KINDS as readonly string[]).includes(name) && !ADAPTERS.includes(name))
  if (strange.length === 0) return
  const rows = await store.read.selectFrom('agent_sessions').select('source').distinct().orderBy('source').execute()
  const held = rows.map(({ source }) => source)
  const unknown = strange.filter((name) => !held.includes(name))
  if (unknown.length === 0) return
  const names = unknown.map((name) => JSON.stringify(oneLine(name, 60))).join(', ')
  const known = [...KINDS, ...held]
  throw new MnemonicError('USAGE', `no source is called ${names}`, {
    details: { unknown, known },
    hint: `There are: ${known.join(', ')}.`,
  })
}
