/** `state.vscdb`, global or per workspace. Must read only conversation rows: the same tables hold credentials. */
import { basename, dirname } from 'node:path'
import { MnemonicError } from '../../../core/error.ts'
import { sha256 } from '../../../core/hash.ts'
import type { SourceDatabase } from '../../../store/source-database.ts'
import type { Checkpoint, ReadItem, SourceUnit, UnitReader } from '../../adapter.ts'
import { type Fields, fieldsOf, textOf } from '../fields.ts'
import { bubbleList } from './bubble-list.ts'
import { composerItems } from './composer.ts'
import { bubbleRows, bubbleSignature, composerRows, composerValue, type HeaderRow, headerRow } from './composer-rows.ts'
import type { Family } from './composer-session.ts'
import { folderOf } from './folder-uri.ts'
import { OLD_KEYS, readOldChats } from './old-chats.ts'
import { type Projects, projects, workspaceOf } from './projects.ts'
import { rowFields, rowText, textsOf } from './row-value.ts'
import { type Signatures, signatures } from './signatures.ts'

export interface StateOptions {
  readonly database: SourceDatabase
  readonly since: Checkpoint | undefined
  readonly reader: UnitReader
  readonly addTexts: (session: string, names: readonly string[]) => void
  readonly slugs: ReadonlyMap<string, string>
}

const SAMPLE = 40

interface Reading {
  readonly database: SourceDatabase
  readonly seen: Signatures
  readonly projects: Projects
  readonly options: StateOptions
  readonly headerColumns: ReadonlySet<string>
  /** Child → parent that lists it. */
  readonly subagents: Map<string, string>
  readonly tries: Map<string, string>
  bytes: number
  messages: number
  composers: number
}

export async function* readState(unit: SourceUnit, options: StateOptions): AsyncGenerator<ReadItem, void, undefined> {
  const { database, since, reader } = options
  const tables = database.tables()
  judge(unit, database, tables)
  const reading: Reading = {
    database,
    seen: signatures(since?.carry),
    projects: projects(unit.path, reader, options.slugs),
    options,
    headerColumns: tables.has('composerHeaders') ? database.columns('composerHeaders') : new Set(),
    subagents: new Map(),
    tries: new Map(),
    bytes: 0,
    messages: 0,
    composers: 0,
  }
  if (tables.has('cursorDiskKV')) yield* counted(readComposers(reading), reading)
  if (tables.has('ItemTable')) {
    const workspace = {
      folder: await workspaceOf(unit.path, reader),
      name: basename(dirname(unit.path)),
      hasComposers: reading.composers > 0,
    }
    yield* counted(
      readOldChats({ database, seen: reading.seen, addTexts: options.addTexts, bytes: () => reading.bytes, ...workspace }),
      reading,
    )
  }
  yield { type: 'checkpoint', offset: reading.bytes, carry: reading.seen.carry() }
  if (reading.messages === 0 && since === undefined) yield { type: 'warning', message: `no conversation in ${unit.path}` }
}

async function* counted(items: AsyncIterable<ReadItem> | Iterable<ReadItem>, reading: Reading): AsyncGenerator<ReadItem, void, undefined> {
  for await (const item of items) {
    if (item.type === 'record' && item.record.type === 'message') reading.messages += 1
    yield item
  }
}

/** Throws NOT_THIS_FORMAT for other programs' databases; VS Code uses the same tables. */
function judge({ path }: SourceUnit, database: SourceDatabase, tables: ReadonlySet<string>): void {
  if (tables.has('cursorDiskKV')) return
  const keys = Object.values(OLD_KEYS)
  const sql = `select count(*) as n from ItemTable where key in (${keys.map(() => '?').join(', ')})`
  if (tables.has('ItemTable') && (database.first<{ n: number }>(sql, ...keys)?.n ?? 0) > 0) return
  if (tables.has('ItemTable') && /[\\/]Cursor[\\/]User[\\/]/.test(path)) return
  throw new MnemonicError('NOT_THIS_FORMAT', `not a database of Cursor: ${path}`, {
    details: { path, reasons: ['no table or key of Cursor in it'] },
  })
}

interface Changed {
  readonly id: string
  readonly row: number
  readonly created: number
  readonly own: string
}

/** Oldest first, so that a copied bubble is stored with its original. */
async function* readComposers(reading: Reading): AsyncGenerator<ReadItem, void, undefined> {
  const { database, seen } = reading
  const all: Changed[] = []
  const bad: { row: number; id: string }[] = []
  let row = 0
  for (const { id, value } of composerRows(database)) {
    row += 1
    const text = rowText(value)
    reading.bytes += text?.length ?? 0
    if (id === '' || text === undefined) continue
    if (!text.trimStart().startsWith('{')) bad.push({ row, id })
    noteChildren(id, text, reading)
    all.push({ id, row, created: firstTime(text), own: sha256(text) })
  }
  reading.composers = all.length
  for (const { row, id } of bad) yield { type: 'bad_line', line: row, reason: `composer ${id} is not JSON` }
  all.sort((a, b) => a.created - b.created || (a.id < b.id ? -1 : 1))
  for (const changed of all) {
    const header = headerRow(database, reading.headerColumns, changed.id)
    const parent = reading.subagents.get(changed.id) ?? reading.tries.get(changed.id)
    const signature = [changed.own, bubbleSignature(database, changed.id), header?.workspaceId, parent].join(' ')
    if (seen.isKnown(changed.id, signature)) continue
    yield* readComposer(changed, header, reading)
    seen.note(changed.id, signature)
    yield { type: 'checkpoint', offset: reading.bytes, carry: seen.carry() }
  }
}

async function* readComposer(
  { id, row }: Changed,
  header: HeaderRow | undefined,
  reading: Reading,
): AsyncGenerator<ReadItem, void, undefined> {
  const { database, options } = reading
  const value = composerValue(database, id)
  const composer = rowFields(value)
  if (composer === undefined) {
    if (rowText(value)?.trimStart().startsWith('{')) yield { type: 'bad_line', line: row, reason: `composer ${id} is not JSON` }
    return
  }
  const stored = bubbleRows(database, id)
  const list = bubbleList(composer, id, stored)
  const family = familyOf(id, composer, header, reading)
  const said = { ...header?.value, ...composer }
  const files = () => filesIn([rowText(value), ...list.bubbles.slice(0, SAMPLE).map((one) => rowText(stored.value(one.id)))])
  const asked = { session: id, workspaceId: header?.workspaceId, composer: said, parent: family.parent, files }
  const folder = list.bubbles.length === 0 ? undefined : await reading.projects.folderOf(asked)
  const addTexts = (names: readonly string[]) => options.addTexts(id, names)
  reading.bytes += yield* composerItems({ session: id, composer: said, list, folder, family, stored, row, addTexts })
}

function familyOf(id: string, composer: Fields, header: HeaderRow | undefined, { subagents, tries }: Reading): Family {
  const bestOfN = composer.isBestOfNSubcomposer === true || tries.has(id)
  const info = fieldsOf(composer.subagentInfo) ?? fieldsOf(header?.value?.subagentInfo)
  const named = textOf(info?.parentComposerId)
  const parent = named ?? subagents.get(id) ?? tries.get(id)
  const subagent = !bestOfN && (named !== undefined || subagents.has(id) || header?.isSubagent === true || id.startsWith('task-'))
  return { parent: parent === id ? undefined : parent, subagent, bestOfN }
}

/** Only parents list their children in every version. */
function noteChildren(id: string, text: string, { subagents, tries }: Reading): void {
  if (!/"sub(?:agentC|C)omposerIds":\s*\[\s*"/.test(text)) return
  const composer = rowFields(text)
  for (const child of textsOf(composer?.subagentComposerIds)) if (child !== id) subagents.set(child, id)
  for (const child of textsOf(composer?.subComposerIds)) if (child !== id) tries.set(child, id)
}

function firstTime(text: string): number {
  let first = Number.MAX_SAFE_INTEGER
  for (const [, time] of text.matchAll(/"createdAt":\s*(\d{12,14})\b/g)) first = Math.min(first, Number(time))
  return first
}

const MOST = 400
const URI = /(?:file|vscode-remote):\/\/[^"\\\s<>|]+/g
const PATH =
  /\\?"(?:fsPath|path|target_file|targetFile|file_path|filePath|relative_workspace_path|effectiveUri)\\?"\s*:\s*\\?"((?:\/|[A-Za-z]:[\\/])[^"\n]{2,400}?)\\?"/g

/** Files named in raw rows: the last resort for finding the folder. */
function filesIn(rows: readonly (string | undefined)[]): string[] {
  const files = new Set<string>()
  for (const row of rows) {
    if (row === undefined) continue
    for (const [uri] of row.matchAll(URI)) add(files, folderOf(uri)?.path)
    for (const [, path] of row.matchAll(PATH)) add(files, path?.replace(/\\+/g, '\\'))
    if (files.size >= MOST) break
  }
  return [...files]
}

/** Only paths with an extension: a folder would lose its last part. */
function add(files: Set<string>, path: string | undefined): void {
  if (path !== undefined && files.size < MOST && /\.[A-Za-z0-9]{1,8}$/.test(path)) files.add(path)
}
