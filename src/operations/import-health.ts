import { existsSync } from 'node:fs'
import { plural } from '../core/text.ts'
import { ago } from '../core/time.ts'
import { formatDrift } from '../ingest/drift.ts'
import { lastDone } from '../store/job.ts'
import type { Store } from '../store/store.ts'
import { countRows } from './counts.ts'
import { type Answer, degraded, ok } from './report.ts'

const DAY = 86_400_000
const STALE = 7 * DAY
const DRIFT_WINDOW = 30 * DAY
const DRIFT_SHOWN = 5

/** See `Adapter.readerVersion`. */
export type ReaderVersions = readonly { readonly name: string; readonly readerVersion?: number }[]

/** Not stored by older versions. */
const LACKS: Readonly<Record<string, string>> = {
  codex: 'the times of tool calls',
  opencode: 'the times of tool calls',
  'gemini-cli': 'the ends of tool calls',
  nexus: 'names of turns, times of tool calls, deleted sessions',
  openclaw: 'deleted sessions',
  chatgpt: 'the times of tool calls',
  'claude-ai': 'the times of tool calls',
  calendar: 'times in UTC and in zones of their own as they were meant',
  contacts: 'names with marks, numbers with extensions',
  'aix-agents': 'the other ledger’s counts, times and states',
}

/** Counts only existing files: others cannot be reread. */
export async function olderImports(store: Store, adapters: ReaderVersions): Promise<Answer> {
  const found: string[] = []
  for (const { name, readerVersion = 0 } of adapters) {
    if (readerVersion === 0) continue
    const rows = await store.read
      .selectFrom('sync_state')
      .select('path')
      .where('adapter', '=', name)
      .where('status', '=', 'done')
      .where('records', '>', 0)
      .where('reads', '<', readerVersion)
      .execute()
    const left = rows.filter(({ path }) => existsSync(path)).length
    if (left > 0) found.push(`${name} (${plural(left, 'file')}: ${LACKS[name] ?? 'some details'})`)
  }
  if (found.length === 0) return ok('all that could be read of the sources is stored')
  const message = `read by an older version, which did not store everything: ${found.join(', ')}`
  return degraded(message, 'Run mnemonic sync --reread once. Search works without it.')
}

export async function quarantined(store: Store): Promise<Answer> {
  const count = await countRows(store, 'quarantine')
  if (count === 0) return ok('no file in quarantine')
  const hint = "Run mnemonic sql 'select adapter, path, code, reasons_json from quarantine'. A file is read again when it changes."
  return degraded(`${plural(count, 'file')} could not be read and ${count === 1 ? 'is' : 'are'} in quarantine`, hint)
}

/** Ignores old findings: the adapter may support them by now. */
export async function unknownRecords(store: Store, now: number): Promise<Answer> {
  const recent = (await formatDrift(store)).filter(({ last_seen }) => last_seen >= now - DRIFT_WINDOW)
  const [first] = recent
  if (first === undefined) return ok('every kind of record is known')
  const count = recent.reduce((sum, one) => sum + one.count, 0)
  const names = recent.slice(0, DRIFT_SHOWN).map((one) => `${one.adapter} ${JSON.stringify(one.name)} (${one.count})`)
  const more = recent.length > DRIFT_SHOWN ? `, and ${recent.length - DRIFT_SHOWN} more` : ''
  const message = `${plural(count, 'record')} of ${plural(recent.length, 'unknown kind')} left out: ${names.join(', ')}${more}`
  return degraded(message, `A newer Mnemonic may know them. One of the files: ${first.example_path}. All of them: mnemonic sources --json.`)
}

export async function lastSync(store: Store, now: number): Promise<Answer> {
  const time = await lastDone(store, 'sync')
  const age = time === undefined ? 'never' : ago(time, now)
  const known = await store.read.selectFrom('agent_sessions').select('id').limit(1).executeTakeFirst()
  if (known === undefined)
    return {
      ...ok(time === undefined ? 'nothing was imported yet' : `the last sync, ${age}, found no session`),
      hint: 'Run mnemonic sync.',
    }
  if (time !== undefined && now - time <= STALE) return ok(`last sync ${age}`)
  return degraded(time === undefined ? 'no sync ever came to its end' : `last sync ${age}`, 'Run mnemonic sync.')
}
