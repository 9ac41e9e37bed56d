/** Exports are redacted and deterministic. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { redactStored } from '../browse/redact-stored.ts'
import type { Paths } from '../config/paths.ts'
import type { Clock } from '../core/clock.ts'
import { MnemonicError } from '../core/error.ts'
import type { OnProgress } from '../core/progress.ts'
import { pauseToStop } from '../core/stopped.ts'
import { noteCopies } from '../store/copies.ts'
import { runJob } from '../store/job.ts'
import type { Store } from '../store/store.ts'
import { type ExportedFile, readExport, removeStale, writeCounted, writeManifest } from './export-manifest.ts'
import { type Lines, messages, PARTS } from './export-rows.ts'
import { sweepLeftovers } from './leftovers.ts'
import { isInside, real, targetFile } from './target-file.ts'

/** snake_case: the JSON of `export`. */
export interface ExportReport {
  readonly path: string
  readonly agent: string
  readonly redacted: boolean
  readonly files: readonly ExportedFile[]
  readonly duration_ms: number
  readonly warnings: readonly string[]
}

export interface ExportOptions {
  /** Either `dir` (everything) or `file` (messages). */
  readonly dir?: string
  readonly file?: string
  readonly force?: boolean
  readonly onProgress?: OnProgress
  readonly signal?: AbortSignal
}

export interface ExportContext {
  readonly store: Store
  readonly paths: Paths
  readonly clock: Clock
  readonly agentId: string
}

export async function exportAll(context: ExportContext, options: ExportOptions): Promise<ExportReport> {
  const { store, paths, clock, agentId } = context
  const { dir, file, signal } = options
  if ((dir === undefined) === (file === undefined)) {
    throw new MnemonicError('USAGE', 'an export needs one target: a folder or a file', { hint: 'Give --dir DIR or --file FILE.jsonl.' })
  }
  const started = performance.now()
  const path = file === undefined ? folderFor(dir as string, paths) : targetFile(file, { paths, force: options.force ?? false })
  const run: Run = { ...context, ...options, warnings: [], done: 0, total: 0 }
  // Under the writers' lease: the files must agree.
  const files = await runJob(store, { job: 'export', clock, signal, onProgress: options.onProgress }, async () => {
    run.total = await countMessages(run)
    await store.write((tx) => noteCopies(tx, 'exports', [path]))
    await sweepLeftovers(store, paths, clock())
    return file === undefined ? exportFolder(run, path) : [await exportLines(run, path, messages)]
  })
  const duration_ms = Math.round(performance.now() - started)
  return { path, agent: agentId, redacted: true, files, duration_ms, warnings: run.warnings }
}

interface Run extends ExportContext, ExportOptions {
  readonly warnings: string[]
  done: number
  total: number
}

async function exportFolder(run: Run, dir: string): Promise<ExportedFile[]> {
  const before = readExport(dir)?.files ?? []
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const head = { format: 'mnemonic-export', version: 1, agent: run.agentId } as const
  await writeManifest(dir, { ...head, complete: false, files: before })
  const files: ExportedFile[] = []
  for (const [name, { lines }] of Object.entries(PARTS)) files.push(await exportLines(run, join(dir, name), lines))
  files.push(...(await exportArtifacts(run, dir)), ...(await exportConfig(run, dir)))
  files.sort((a, b) => (a.path < b.path ? -1 : 1))
  removeStale(dir, before, files)
  await writeManifest(dir, { ...head, complete: true, files })
  return files
}

async function exportLines(run: Run, path: string, lines: Lines): Promise<ExportedFile> {
  const scope = { store: run.store, agentId: run.agentId === 'all' ? undefined : run.agentId }
  let records = 0
  async function* text(): AsyncGenerator<string, void, undefined> {
    for await (const line of lines(scope)) {
      records += 1
      await pauseToStop(run.signal, 'the export')
      if (lines === messages) run.onProgress?.({ stage: 'export', done: ++run.done, total: run.total })
      yield `${JSON.stringify(line)}\n`
    }
  }
  const written = await writeCounted(path, text())
  return { path: basename(path), records, ...written }
}

/** Copies bytes: published files are already redacted. */
async function exportArtifacts({ store, paths, agentId, warnings, signal }: Run, dir: string): Promise<ExportedFile[]> {
  const all = store.read.selectFrom('artifacts').select('source_path').orderBy('source_path')
  const rows = await (agentId === 'all' ? all : all.where('agent_id', '=', agentId)).execute()
  const files: ExportedFile[] = []
  for (const { source_path } of rows) {
    await pauseToStop(signal, 'the export')
    const from = join(paths.workspace, source_path)
    if (existsSync(from)) {
      files.push({ path: source_path, records: 1, ...(await writeCounted(join(dir, source_path), [readFileSync(from)])) })
    } else warnings.push(`${from} is gone; mnemonic memory reindex puts that right`)
  }
  return files
}

/** The configuration's comments may contain secrets. */
async function exportConfig({ paths }: Run, dir: string): Promise<ExportedFile[]> {
  if (!existsSync(paths.config)) return []
  const text = redactStored(readFileSync(paths.config, 'utf8'))
  return [{ path: 'config.yaml', records: 1, ...(await writeCounted(join(dir, 'config.yaml'), [text])) }]
}

async function countMessages({ store, agentId }: ExportContext): Promise<number> {
  const { sum } = store.read.fn
  const all = store.read.selectFrom('agent_sessions').select(sum<number | null>('message_count').as('n'))
  const row = await (agentId === 'all' ? all : all.where('agent_id', '=', agentId)).executeTakeFirst()
  return row?.n ?? 0
}

function folderFor(dir: string, paths: Paths): string {
  const path = real(resolve(dir)) ?? resolve(dir)
  if (isInside(path, real(paths.memory) ?? paths.memory)) {
    throw new MnemonicError('USAGE', `cannot export into ${path}: the memory folder of the workspace holds published files only`, {
      details: { path },
      hint: 'Name another folder.',
    })
  }
  readExport(path)
  return path
}
