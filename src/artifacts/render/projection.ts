/** Writes MEMORY.md and LEDGER.md under a lease, never over a foreign file. Reads no artifact bodies. */
import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { notDone, readText, writeAtomic } from '../../core/atomic-file.ts'
import type { Clock } from '../../core/clock.ts'
import { MnemonicError } from '../../core/error.ts'
import { given } from '../../core/given.ts'
import type { OnProgress } from '../../core/progress.ts'
import { pauseToStop } from '../../core/stopped.ts'
import { plural } from '../../core/text.ts'
import { runJob } from '../../store/job.ts'
import type { Lease } from '../../store/lease.ts'
import { type MetaKey, readMeta, readMetas, writeMeta } from '../../store/meta.ts'
import type { Store } from '../../store/store.ts'
import type { TombstoneReader } from '../../tombstones/tombstones.ts'
import { besidePath, entryRef, fileOfRef, isOurMemory, ledgerPath, memoryPath, refIn } from '../format/memory-paths.ts'
import { changeManifest } from '../publish/manifest-file.ts'
import { headFacts } from './head-facts.ts'
import { isInWindow, type LedgerRow } from './ledger-row.ts'
import { type MemoryBudget, renderLedgerMd, renderMemoryMd } from './memory-md.ts'
import { projectedRows } from './projected-rows.ts'

export interface ProjectionContext {
  readonly store: Store
  readonly workspace: string
  readonly clock: Clock
  readonly tombstones: TombstoneReader
  readonly budget: MemoryBudget
  /** Excluded from lists, not from ledger and search. */
  readonly isTemporary: (project: string | null) => boolean
  readonly onProgress?: OnProgress
  readonly signal?: AbortSignal
}

export interface Rendered {
  readonly agent_id: string
  /** Relative to the workspace root. */
  readonly path: string
  /** beside: MEMORY.md is foreign. */
  readonly status: 'written' | 'unchanged' | 'beside'
  readonly rows: number
  readonly clipped: number
  readonly warnings: readonly string[]
}

const WAIT_MS = 5 * 60_000

export interface RenderOptions {
  /** Takes over a foreign MEMORY.md after a backup. */
  readonly adopt?: boolean
  /** Never shares a rendering; rereads every head of the window. */
  readonly force?: boolean
}

/** Skips if MEMORY.md was rendered after the request. */
export async function renderMemory(
  context: ProjectionContext,
  agentId: string,
  { adopt = false, force = false }: RenderOptions = {},
): Promise<Rendered> {
  const { store, clock, signal, onProgress } = context
  const asked = await nextTicket(store, agentId)
  return runJob(store, { job: 'memory', lease: `memory-md:${agentId}`, clock, waitMs: WAIT_MS, signal, onProgress }, async (lease) => {
    const { asked: all, done } = await tickets(store, agentId)
    const path = memoryPath(agentId)
    if (!force && !adopt && done >= asked && existsSync(join(context.workspace, path))) {
      return { agent_id: agentId, path, status: 'unchanged', rows: 0, clipped: 0, warnings: [] }
    }
    const rendered = await render(context, lease, { agentId, adopt, heads: force || adopt })
    await setTicket(store, agentId, 'done', all)
    return rendered
  })
}

async function render(
  context: ProjectionContext,
  lease: Lease,
  { agentId, adopt, heads }: { agentId: string; adopt: boolean; heads: boolean },
): Promise<Rendered> {
  const now = context.clock()
  const { rows, warnings } = await projectedRows(context, { agentId, now, heads })
  const ledger = targetFor(context.workspace, ledgerPath(agentId), { adopt, now })
  const { older, warnings: olderWarnings } = await olderRows(context, rows, { agentId, now, heads })
  const listed = [...rows, ...older]
  const nothing = listed.length > 0 ? undefined : await whyNothing(context.store, agentId)
  const head = await headFacts(context.store, listed, { agentId, now, isTemporary: context.isTemporary })
  const input = { rows, older, ...given({ nothing }), head, now, budget: context.budget, ledgerPath: ledger.path }
  const memory = renderMemoryMd(input)
  const write = writeWhileLeased(context, lease)
  await write(ledger.path, renderLedgerMd(input))
  const target = targetFor(context.workspace, memoryPath(agentId), { adopt, now })
  const changed = await write(target.path, memory.text)
  const noted = await noteRefs(context, { agentId, path: target.path, shown: memory.shown, now })
  if (!ledger.beside) dropBeside(context.workspace, ledger.path)
  if (!target.beside && dropBeside(context.workspace, target.path)) {
    noted.push(...(await noteRefs(context, { agentId, path: besidePath(target.path), shown: [], now })))
  }
  return {
    agent_id: agentId,
    path: target.path,
    status: target.beside ? 'beside' : changed ? 'written' : 'unchanged',
    rows: memory.shown.length,
    clipped: memory.clipped,
    warnings: [...new Set([...warnings, ...olderWarnings, ...ledger.warnings, ...target.warnings, ...noted])],
  }
}

/** Older rows fill up a smaller window. */
const ENOUGH = 50

async function olderRows(
  context: ProjectionContext,
  rows: readonly LedgerRow[],
  options: { agentId: string; now: number; heads: boolean },
): Promise<{ older: LedgerRow[]; warnings: string[] }> {
  if (rows.length >= ENOUGH) return { older: [], warnings: [] }
  const newest = await projectedRows(context, { ...options, newest: ENOUGH })
  return { older: newest.rows.filter(({ membershipTs }) => !isInWindow(membershipTs, options.now)), warnings: newest.warnings }
}

async function whyNothing(store: Store, agentId: string): Promise<string | undefined> {
  const { count } = await store.read
    .selectFrom('agent_sessions')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('agent_id', '=', agentId)
    .where('status', '<>', 'deleted')
    .where('is_subagent', '=', 0)
    .executeTakeFirstOrThrow()
  if (Number(count) === 0) return undefined
  const published = await store.read.selectFrom('artifacts').select('source_path').where('agent_id', '=', agentId).limit(1).execute()
  if (published.length > 0)
    return 'Sessions of temporary folders, of projects that `memory.exclude` names, and those in which nothing was done or said, stand in no list.'
  return `None of the ${plural(Number(count), 'session')} in the ledger is published yet. Publish those that have ended: \`mnemonic memory publish\`.`
}

interface Target {
  readonly path: string
  readonly beside: boolean
  readonly warnings: readonly string[]
}

/** Only the owner may let us take over a foreign file. */
function targetFor(workspace: string, path: string, { adopt, now }: { adopt: boolean; now: number }): Target {
  const file = join(workspace, path)
  const text = readText(file)
  if (text === undefined || isOurMemory(text)) return { path, beside: false, warnings: [] }
  if (adopt) return { path, beside: false, warnings: [`your ${path} was copied to ${copyOf(file, now)}`] }
  const beside = besidePath(path)
  return {
    path: beside,
    beside: true,
    warnings: [`${path} is not ours and was left as it is; ours is ${beside}. Take it over: mnemonic memory render --adopt`],
  }
}

function copyOf(file: string, now: number): string {
  for (let n = now; ; n++) {
    const copy = `${file}.before-mnemonic-${n}`
    if (existsSync(copy)) continue
    try {
      copyFileSync(file, copy)
      return copy
    } catch (error) {
      throw notDone('write', copy, error)
    }
  }
}

/** Our file beside would become stale. */
function dropBeside(workspace: string, path: string): boolean {
  const file = join(workspace, besidePath(path))
  const text = readText(file)
  if (text === undefined || !isOurMemory(text)) return false
  rmSync(file, { force: true })
  return true
}

/** Fails if the lease was lost. */
function writeWhileLeased({ workspace, store }: ProjectionContext, lease: Lease): (path: string, text: string) => Promise<boolean> {
  return async (path, text) => {
    const file = join(workspace, path)
    if (readText(file) === text) return false
    await writeAtomic(file, [text], {
      commit: (rename) =>
        store.write(async (tx) => {
          await lease.check(tx)
          rename()
        }),
    })
    return true
  }
}

/** Returns problems instead of throwing. */
async function noteRefs(
  { store, workspace, signal }: ProjectionContext,
  { agentId, path, shown, now }: { agentId: string; path: string; shown: readonly LedgerRow[]; now: number },
): Promise<string[]> {
  const listed = new Map(shown.map((row) => [row.manifestPath, entryRef(path, row.membershipTs)]))
  const refs = await knownRefs(store, agentId, path)
  const problems: string[] = []
  for (const manifest of new Set([...refs.keys(), ...listed.keys()])) {
    const entry = listed.get(manifest)
    if (refs.get(manifest) === entry) continue
    await pauseToStop(signal, 'rendering')
    try {
      await changeManifest({ store, workspace, now }, manifest, (current) => {
        const [others, own] = [current?.memory_md_refs.filter((ref) => fileOfRef(ref) !== path), refIn(current?.memory_md_refs, path)]
        if (current === undefined || others === undefined || own === entry) return undefined
        return { ...current, memory_md_refs: entry === undefined ? others : [...others, entry] }
      })
    } catch (error) {
      // A broken manifest must not block the others.
      if (!(error instanceof MnemonicError) || error.code !== 'VALIDATION_ERROR') throw error
      problems.push(error.message)
    }
  }
  return problems
}

async function knownRefs(store: Store, agentId: string, path: string): Promise<Map<string, string>> {
  const rows = await store.read
    .selectFrom('artifacts')
    .select(['source_path', 'links_json'])
    .where('agent_id', '=', agentId)
    .where('source_kind', '=', 'manifest')
    .where('links_json', 'like', `%"${path}%`)
    .execute()
  return new Map(
    rows.flatMap(({ source_path, links_json }) => {
      const { memory_md_refs } = JSON.parse(links_json ?? '{}') as { memory_md_refs?: string[] }
      const ref = refIn(memory_md_refs, path)
      return ref === undefined ? [] : [[source_path, ref] as const]
    }),
  )
}

const key = (agentId: string, what: 'asked' | 'done'): MetaKey => `memory_md_${what}:${agentId}`

async function tickets(store: Store, agentId: string): Promise<{ asked: number; done: number }> {
  const found = await readMetas(store.read, [key(agentId, 'asked'), key(agentId, 'done')])
  const of = (what: 'asked' | 'done') => Number(found.get(key(agentId, what)) ?? 0)
  return { asked: of('asked'), done: of('done') }
}

async function nextTicket(store: Store, agentId: string): Promise<number> {
  return store.write(async (tx) => {
    const next = Number((await readMeta(tx.db, key(agentId, 'asked'))) ?? 0) + 1
    await writeMeta(tx.db, key(agentId, 'asked'), String(next))
    return next
  })
}

async function setTicket(store: Store, agentId: string, what: 'asked' | 'done', ticket: number): Promise<void> {
  await store.write((tx) => writeMeta(tx.db, key(agentId, what), String(ticket)))
}
