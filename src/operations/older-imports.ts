/**
 * Which sources were read by an older version that stored less of them. Only what is still there counts: of a file that is gone nothing
 * more can be learnt, and nobody is told about it again and again.
 */
import { existsSync } from 'node:fs'
import { plural } from '../core/text.ts'
import type { Store } from '../store/store.ts'
import type { HealthCheck } from './report.ts'

/** Adapters by name, and how much of their sources this version stores (Adapter.reads). */
export type ReaderVersions = readonly { readonly name: string; readonly reads?: number }[]

/** What an older version of each did not store. */
const LACKS: Readonly<Record<string, string>> = {
  codex: 'the times of tool calls',
  opencode: 'the times of tool calls',
  'gemini-cli': 'the ends of tool calls',
  nexus: 'names of turns, times of tool calls, deleted sessions',
  openclaw: 'deleted sessions',
  chatgpt: 'the times of tool calls',
  'claude-ai': 'the times of tool calls',
  'aix-agents': 'the other ledger’s counts, times and states',
}

export async function olderImports(store: Store, adapters: ReaderVersions): Promise<Omit<HealthCheck, 'name'>> {
  const found: string[] = []
  for (const { name, reads = 0 } of adapters) {
    if (reads === 0) continue
    const rows = await store.read
      .selectFrom('sync_state')
      .select('path')
      .where('adapter', '=', name)
      .where('status', '=', 'done')
      .where('records', '>', 0)
      .where('reads', '<', reads)
      .execute()
    const left = rows.filter(({ path }) => existsSync(path)).length
    if (left > 0) found.push(`${name} (${plural(left, 'file')}: ${LACKS[name] ?? 'some details'})`)
  }
  if (found.length === 0) return { status: 'OK', message: 'all that could be read of the sources is stored' }
  const message = `read by an older version, which did not store everything: ${found.join(', ')}`
  return { status: 'DEGRADED', message, hint: 'Run mnemonic sync --reread once. Search works without it.' }
}
