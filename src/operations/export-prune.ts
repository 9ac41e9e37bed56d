/** After a forget: drops lines and files without a record and rewrites the rest. Adds nothing. */
import { createReadStream, existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { asMnemonicError } from '../core/error.ts'
import { listCopies } from '../store/copies.ts'
import type { Store } from '../store/store.ts'
import { type ExportedFile, readExport, writeCounted, writeManifest } from './export-manifest.ts'
import { PARTS, type Part } from './export-rows.ts'

export interface PrunedExport {
  readonly path: string
  readonly status: 'clean' | 'missing' | 'failed'
}

const AT_ONCE = 100

/** Call under the writers' lease. */
export async function pruneExports(store: Store, workspace: string): Promise<PrunedExport[]> {
  const pruned: PrunedExport[] = []
  for (const path of await listCopies(store, 'exports')) pruned.push({ path, status: await prune({ store, workspace }, path) })
  return pruned
}

interface Kept {
  readonly store: Store
  readonly workspace: string
}

async function prune(kept: Kept, path: string): Promise<PrunedExport['status']> {
  if (!existsSync(path)) return 'missing'
  try {
    if (statSync(path).isDirectory()) await pruneFolder(kept, path)
    else await pruneLines(kept.store, path, PARTS['messages.jsonl'] as Part)
    return 'clean'
  } catch (error) {
    // If pruning fails, the scan reports what the export still contains.
    if (asMnemonicError(error).code === 'INTERRUPTED') throw error
    return 'failed'
  }
}

async function pruneFolder({ store, workspace }: Kept, dir: string): Promise<void> {
  const manifest = readExport(dir)
  if (manifest === undefined) return
  const files: ExportedFile[] = []
  for (const file of manifest.files) {
    const [part, there] = [PARTS[file.path], join(dir, file.path)]
    if (!existsSync(there)) continue
    if (part !== undefined) files.push({ path: file.path, ...(await pruneLines(store, there, part)) })
    else if (!file.path.startsWith('memory/')) files.push(file)
    else if (await isPublished(store, file.path)) files.push(await publishedNow(workspace, dir, file))
    else rmSync(there, { force: true })
  }
  await writeManifest(dir, { ...manifest, files: files.filter(({ path }) => existsSync(join(dir, path))) })
}

/** A republished set keeps its names. */
async function publishedNow(workspace: string, dir: string, file: ExportedFile): Promise<ExportedFile> {
  const [from, to] = [join(workspace, file.path), join(dir, file.path)]
  if (!existsSync(from)) {
    rmSync(to, { force: true })
    return file
  }
  const now = readFileSync(from)
  return now.equals(readFileSync(to)) ? file : { ...file, ...(await writeCounted(to, [now])) }
}

async function isPublished(store: Store, path: string): Promise<boolean> {
  const row = await store.read.selectFrom('artifacts').select('source_path').where('source_path', '=', path).executeTakeFirst()
  return row !== undefined
}

async function pruneLines(store: Store, path: string, part: Part): Promise<Omit<ExportedFile, 'path'>> {
  let records = 0
  async function* kept(): AsyncGenerator<string, void, undefined> {
    for await (const lines of batches(path)) {
      for (const line of await linesNow(store, lines, part)) {
        records += 1
        yield `${JSON.stringify(line)}\n`
      }
    }
  }
  const written = await writeCounted(path, kept())
  return { records, ...written }
}

type Line = Readonly<Record<string, unknown>>

async function linesNow(store: Store, lines: readonly Line[], { table, key, line, again }: Part): Promise<object[]> {
  if (again !== undefined) return again(store, lines)
  const ids = lines.map((one) => String(one[key]))
  // The query builder cannot infer the table.
  const rows = await store.read
    .selectFrom(table as 'agent_messages')
    .selectAll()
    .where('id', 'in', ids)
    .execute()
  const known = new Map(rows.map((row) => [row.id, row]))
  return lines.flatMap((before, i) => {
    const row = known.get(ids[i] as string)
    return row === undefined ? [] : [line(row as never, before)]
  })
}

async function* batches(path: string): AsyncGenerator<Line[], void, undefined> {
  let batch: Line[] = []
  for await (const text of createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY })) {
    if (text === '') continue
    batch.push(JSON.parse(text) as Line)
    if (batch.length < AT_ONCE) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
