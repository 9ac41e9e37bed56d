/** Exported documents are byte-identical to the index. Never touches other files. */

import { lstat, mkdir, readFile, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { writeAtomic } from '../core/atomic-file.ts'
import { MnemonicError } from '../core/error.ts'
import { pauseToStop } from '../core/stopped.ts'
import type { Indexer } from '../index/indexer.ts'
import type { Store } from '../store/store.ts'
import { qmdFile } from './qmd-file.ts'
import { announce, readManifest, saveManifest, type Written } from './qmd-manifest.ts'

/** snake_case: the JSON of `export qmd`. */
export interface QmdReport {
  readonly dir: string
  readonly written: number
  readonly unchanged: number
  readonly removed: number
  readonly duration_ms: number
  readonly warnings: readonly string[]
}

export interface QmdExport {
  readonly store: Store
  readonly buildDocument: Indexer['buildDocument']
  /** Absolute. */
  readonly dir: string
  readonly agentId: string | undefined
  readonly signal?: AbortSignal | undefined
}

interface Run extends QmdExport {
  readonly manifest: Map<string, Written>
  readonly warnings: string[]
  written: number
  unchanged: number
}

const BATCH = 500
/** UTF-16 units per batch. */
const BATCH_TEXT = 8 << 20

/** Skips abandoned branches: QMD cannot mark them. */
export async function exportQmd(options: QmdExport): Promise<QmdReport> {
  const started = performance.now()
  await makeFolder(options.dir)
  const run: Run = { ...options, manifest: await readManifest(options.dir), warnings: [], written: 0, unchanged: 0 }
  const known = run.manifest.size
  const documents = await listDocuments(options)
  for (let i = 0; i < documents.length; i += BATCH) {
    await exportBatch(run, documents.slice(i, i + BATCH))
  }
  const wanted = new Set(documents.map(({ file }) => file))
  const stale = [...run.manifest.keys()].filter((file) => !wanted.has(file))
  for (const file of stale) await removeFile(run, file)
  if (run.written > 0 || stale.length > 0 || run.manifest.size !== known) await saveManifest(run.dir, run.manifest)
  const { dir, written, unchanged, warnings } = run
  return { dir, written, unchanged, removed: stale.length, duration_ms: Math.round(performance.now() - started), warnings }
}

interface Listed {
  readonly turnId: string
  readonly hash: string
  readonly file: string
}

async function listDocuments({ store, agentId }: QmdExport): Promise<Listed[]> {
  const all = store.read
    .selectFrom('files as f')
    .innerJoin('agent_turns as t', 't.id', 'f.turn_id')
    .select(['f.path', 'f.turn_id', 'f.hash'])
    .where('f.source', '=', 'sessions')
    .where('t.status', '<>', 'superseded')
  const rows = await (agentId === undefined ? all : all.where('f.agent_id', '=', agentId)).orderBy('f.path').execute()
  return rows.flatMap(({ path, turn_id, hash }) => {
    const file = qmdFile(path)
    return file === undefined || turn_id === null ? [] : [{ turnId: turn_id, hash, file }]
  })
}

interface Change {
  readonly file: string
  readonly text: string
  readonly hash: string
}

async function exportBatch(run: Run, batch: readonly Listed[]): Promise<void> {
  let changes: Change[] = []
  let held = 0
  for (const listed of batch) {
    await pauseToStop(run.signal, 'the export')
    const change = await changeOf(run, listed)
    if (change === undefined) continue
    changes.push(change)
    held += change.text.length
    if (held < BATCH_TEXT) continue
    await writeChanges(run, changes)
    changes = []
    held = 0
  }
  await writeChanges(run, changes)
}

async function writeChanges(run: Run, changes: readonly Change[]): Promise<void> {
  await announce(
    run.dir,
    changes.map(({ file }) => file),
    run.manifest,
  )
  for (const { file, text, hash } of changes) {
    await pauseToStop(run.signal, 'the export')
    await makeFolder(dirname(join(run.dir, file)))
    await writeAtomic(join(run.dir, file), [text], { durable: false })
    run.manifest.set(file, { hash, bytes: Buffer.byteLength(text) })
    run.written++
  }
}

/** Undefined if current or not ours. */
async function changeOf(run: Run, { turnId, file, hash }: Listed): Promise<Change | undefined> {
  const there = await sizeOf(join(run.dir, file))
  const known = run.manifest.get(file)
  const whole = known !== undefined && known.hash !== '' && known.bytes === there
  const keep = () => void run.unchanged++
  if (whole && known.hash === hash) return keep()
  const document = await run.buildDocument(turnId)
  if (document === undefined) return undefined // replaced by a sync meanwhile
  if (whole && known.hash === document.hash) return keep()
  if (there === 'no file' || (there !== undefined && known === undefined && !(await isSame(join(run.dir, file), document.text)))) {
    run.warnings.push(`${join(run.dir, file)} is not ours and was left alone`)
    return undefined
  }
  if (there !== undefined && known === undefined) {
    run.manifest.set(file, { hash: document.hash, bytes: Buffer.byteLength(document.text) })
    return keep()
  }
  return { file, text: document.text, hash: document.hash }
}

async function isSame(file: string, text: string): Promise<boolean> {
  return (await readFile(file, 'utf8')) === text
}

async function sizeOf(file: string): Promise<number | 'no file' | undefined> {
  try {
    const info = await lstat(file)
    return info.isFile() ? info.size : 'no file'
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}

async function removeFile({ dir, manifest }: Run, file: string): Promise<void> {
  if ((await sizeOf(join(dir, file))) !== 'no file') await rm(join(dir, file), { force: true })
  manifest.delete(file)
  for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) {
    const removed = await rmdir(join(dir, folder)).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
    )
    if (!removed) return
  }
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw new MnemonicError('STORAGE_ERROR', `cannot make the folder ${folder}`, {
      details: { path: folder, reason: (cause as NodeJS.ErrnoException).code },
      hint: 'Check that it is no file and that you may write there, or choose another with --dir or qmd.dir.',
      cause,
    })
  }
}
