/**
 * MEMORY.md and LEDGER.md on disk: rendered from the heads of artifacts, under a lease, written only when something changed, and never over
 * a file that is not ours. Reads no body of an artifact.
 */
import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../core/clock.ts'
import { withLease } from '../store/lease.ts'
import type { Store } from '../store/store.ts'
import { writeAtomic } from './atomic-file.ts'
import { headFacts } from './head-facts.ts'
import type { LedgerRow } from './ledger-row.ts'
import { changeManifest } from './manifest-file.ts'
import { isOurMemory, type MemoryBudget, renderLedgerMd, renderMemoryMd } from './memory-md.ts'
import { ledgerPath, memoryPath } from './memory-paths.ts'
import { projectedRows } from './projected-rows.ts'

export interface ProjectionContext {
  readonly store: Store
  readonly workspace: string
  readonly clock: Clock
  readonly budget: MemoryBudget
  /** Sessions of these projects stay in ledger and search, and out of every rendered list. */
  readonly isTemporary: (project: string | null) => boolean
  readonly signal?: AbortSignal
}

export interface Rendered {
  readonly agent_id: string
  /** Relative to the workspace root. */
  readonly path: string
  /** unchanged: the file says so already; beside: MEMORY.md is somebody else's, and ours stands beside it. */
  readonly status: 'written' | 'unchanged' | 'beside'
  readonly rows: number
  readonly clipped: number
  readonly warnings: readonly string[]
}

const LEASE = { ttlMs: 30_000, waitMs: 5 * 60_000 }

export interface RenderOptions {
  /** Takes over a MEMORY.md that is not ours, after a copy of it was made. */
  readonly adopt?: boolean
  /** Renders even when another process did so after this call began. */
  readonly force?: boolean
}

/** Several that wait at once become one rendering: whoever comes in and finds that it was done since goes away again. */
export async function renderMemory(
  context: ProjectionContext,
  agentId: string,
  { adopt = false, force = false }: RenderOptions = {},
): Promise<Rendered> {
  const { store, clock } = context
  const asked = await nextTicket(store, agentId)
  return withLease(store, { name: `memory-md:${agentId}`, clock, ...LEASE, signal: context.signal }, async () => {
    const { asked: all, done } = await tickets(store, agentId)
    const path = memoryPath(agentId)
    if (!force && !adopt && done >= asked && existsSync(join(context.workspace, path))) {
      return { agent_id: agentId, path, status: 'unchanged', rows: 0, clipped: 0, warnings: [] }
    }
    const rendered = await render(context, agentId, adopt)
    await setTicket(store, agentId, 'done', all)
    return rendered
  })
}

async function render(context: ProjectionContext, agentId: string, adopt: boolean): Promise<Rendered> {
  const now = context.clock()
  const { rows, warnings } = await projectedRows(context, agentId, now)
  const head = await headFacts(context.store, agentId, rows)
  const input = { rows, head, now, budget: context.budget, ledgerPath: ledgerPath(agentId) }
  const memory = renderMemoryMd(input)
  await writeIfChanged(join(context.workspace, ledgerPath(agentId)), renderLedgerMd(input))
  const place = await placeFor(context.workspace, agentId, { adopt, now })
  const changed = await writeIfChanged(join(context.workspace, place.path), memory.text)
  await noteRefs(context, { agentId, path: place.path, rows, shown: memory.shown, now })
  return {
    agent_id: agentId,
    path: place.path,
    status: place.beside ? 'beside' : changed ? 'written' : 'unchanged',
    rows: memory.shown.length,
    clipped: memory.clipped,
    warnings: [...warnings, ...place.warnings],
  }
}

interface Place {
  readonly path: string
  readonly beside: boolean
  readonly warnings: readonly string[]
}

/** A MEMORY.md without our mark is never overwritten: ours stands beside it until the owner says otherwise. */
async function placeFor(workspace: string, agentId: string, { adopt, now }: { adopt: boolean; now: number }): Promise<Place> {
  const path = memoryPath(agentId)
  const file = join(workspace, path)
  if (!existsSync(file) || isOurMemory(readFileSync(file, 'utf8'))) return { path, beside: false, warnings: [] }
  if (adopt) {
    const copy = `${file}.before-mnemonic-${now}`
    copyFileSync(file, copy)
    return { path, beside: false, warnings: [`your ${path} was copied to ${copy}`] }
  }
  const beside = path.replace(/MEMORY\.md$/, 'MEMORY.mnemonic.md')
  return {
    path: beside,
    beside: true,
    warnings: [`${path} is not ours and was left as it is; ours is ${beside}. Take it over: mnemonic memory render --adopt`],
  }
}

async function writeIfChanged(path: string, text: string): Promise<boolean> {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return false
  await writeAtomic(path, [text])
  return true
}

/** Manifests say in which MEMORY.md their session stands; they change only when it enters or leaves. */
async function noteRefs(
  { store, workspace }: ProjectionContext,
  {
    agentId,
    path,
    rows,
    shown,
    now,
  }: { agentId: string; path: string; rows: readonly LedgerRow[]; shown: readonly LedgerRow[]; now: number },
): Promise<void> {
  const listed = new Set(shown.map(({ manifestPath }) => manifestPath))
  const known = await store.read
    .selectFrom('artifacts')
    .select(['source_path', 'links_json'])
    .where('agent_id', '=', agentId)
    .where('source_kind', '=', 'manifest')
    .where((is) => is.or([is('links_json', 'like', `%"${path}"%`), is('source_path', 'in', [...listed, ''])]))
    .execute()
  const refs = new Map(known.map(({ source_path, links_json }) => [source_path, refsIn(links_json)]))
  for (const { manifestPath } of rows) if (!refs.has(manifestPath) && listed.has(manifestPath)) refs.set(manifestPath, [])
  for (const [manifest, before] of refs) {
    const has = before.includes(path)
    if (has === listed.has(manifest)) continue
    await changeManifest({ store, workspace, now }, manifest, (current) => {
      if (current === undefined) return undefined
      const others = current.memory_md_refs.filter((ref) => ref !== path)
      const next = listed.has(manifest) ? [...others, path] : others
      const { revision: _, updated_at: __, ...rest } = current
      return next.length === current.memory_md_refs.length && listed.has(manifest) === current.memory_md_refs.includes(path)
        ? undefined
        : { ...rest, memory_md_refs: next }
    })
  }
}

function refsIn(links: string | null): string[] {
  return links === null ? [] : ((JSON.parse(links) as { memory_md_refs?: string[] }).memory_md_refs ?? [])
}

const key = (agentId: string, what: 'asked' | 'done') => `memory_md_${what}:${agentId}`

async function tickets(store: Store, agentId: string): Promise<{ asked: number; done: number }> {
  const rows = await store.read
    .selectFrom('meta')
    .selectAll()
    .where('key', 'in', [key(agentId, 'asked'), key(agentId, 'done')])
    .execute()
  const of = (what: 'asked' | 'done') => Number(rows.find((row) => row.key === key(agentId, what))?.value ?? 0)
  return { asked: of('asked'), done: of('done') }
}

async function nextTicket(store: Store, agentId: string): Promise<number> {
  return store.write(async (tx) => {
    const row = await tx.db.selectFrom('meta').select('value').where('key', '=', key(agentId, 'asked')).executeTakeFirst()
    const next = Number(row?.value ?? 0) + 1
    const value = String(next)
    await tx.db
      .insertInto('meta')
      .values({ key: key(agentId, 'asked'), value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute()
    return next
  })
}

async function setTicket(store: Store, agentId: string, what: 'asked' | 'done', ticket: number): Promise<void> {
  const value = String(ticket)
  await store.write((tx) =>
    tx.db
      .insertInto('meta')
      .values({ key: key(agentId, what), value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute(),
  )
}
