/** The CLI's `store.db`: one session as a tree of blobs. Its meta row also holds a key, which must not be stored. */
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { MnemonicError } from '../../../core/error.ts'
import { given } from '../../../core/given.ts'
import { shortHash } from '../../../core/hash.ts'
import { parseTimestamp } from '../../../core/time.ts'
import type { SessionRecord } from '../../../ledgers/agent-record.ts'
import type { SourceDatabase } from '../../../store/source-database.ts'
import type { Checkpoint, ReadItem, SourceUnit, UnitReader } from '../../adapter.ts'
import { type Fields, fieldsOf, textOf } from '../fields.ts'
import { loneBlobs, type MessageBlob, messageBlobs, rootFolder } from './blob-tree.ts'
import { titleRecord } from './composer-session.ts'
import { conversation } from './conversation.ts'
import { folderOf } from './folder-uri.ts'
import { isUuid } from './names.ts'
import { parsedJson, type RowValue, rowFields, rowText } from './row-value.ts'

const META_BYTES = 64 * 1024
/** Cursor's default title. */
const UNNAMED = 'New Agent'

export interface StoreOptions {
  readonly database: SourceDatabase
  readonly since: Checkpoint | undefined
  readonly reader: UnitReader
  readonly addTexts: (session: string, names: readonly string[]) => void
}

export async function* readStore(unit: SourceUnit, options: StoreOptions): AsyncGenerator<ReadItem, void, undefined> {
  const { database, since, reader, addTexts } = options
  const meta = metaOf(database, unit)
  const root = textOf(meta.latestRootBlobId) ?? ''
  if (root !== '' && fieldsOf(since?.carry)?.root === root) return
  const side = await sideFile(unit, reader)
  const session = textOf(meta.agentId) ?? basename(dirname(unit.path))
  yield* storeItems({ database, root, unit, addTexts, session, meta, side })
  yield { type: 'checkpoint', offset: unit.size, carry: { root } }
}

interface Store {
  readonly database: SourceDatabase
  readonly root: string
  readonly unit: SourceUnit
  readonly session: string
  readonly meta: Fields
  readonly side: Fields | undefined
  readonly addTexts: (session: string, names: readonly string[]) => void
}

/** Hex-encoded JSON. */
function metaOf(database: SourceDatabase, { path }: SourceUnit): Fields {
  const row = database.first<{ value: RowValue }>("select value from meta where key = '0'")
  const text = rowText(row?.value) ?? ''
  const meta = rowFields(/^(?:[0-9a-f]{2})+$/i.test(text) ? Buffer.from(text, 'hex') : text)
  if (meta !== undefined && ('agentId' in meta || 'latestRootBlobId' in meta)) return meta
  const details = { path, reasons: ['no session in its meta table'] }
  throw new MnemonicError('NOT_THIS_FORMAT', `not a store of the Cursor CLI: ${path}`, { details })
}

async function sideFile({ path }: SourceUnit, reader: UnitReader): Promise<Fields | undefined> {
  const side = join(dirname(path), 'meta.json')
  return existsSync(side) ? rowFields(await reader.slice(side, 0, META_BYTES)) : undefined
}

function* storeItems(store: Store): Generator<ReadItem, void, undefined> {
  const { database, root, unit, session, meta, addTexts } = store
  const convert = conversation({ session, scope: session, subagent: store.side?.isSubagent === true })
  const times = timesOf(store)
  const seen = new Map<string, number>()
  let row = 0
  let opened = false
  for (const blob of blobsOf(store)) {
    row += 1
    const fields = fieldsOf(parsedJson(blob.text))
    const role = textOf(fields?.role)
    if (fields === undefined || role === undefined) {
      if (fields === undefined) yield { type: 'bad_line', line: row, reason: `blob ${blob.id} is not JSON` }
      else yield { type: 'unknown', name: 'a blob without a role' }
      continue
    }
    const n = seen.get(blob.id) ?? 0
    seen.set(blob.id, n + 1)
    const id = blob.id.slice(0, 32) + (n === 0 ? '' : `-${n}`)
    const metadata = given({ request: requestOf(fields), time_from: 'session' })
    const converted = convert({
      role,
      content: fields.content,
      id,
      timestamp: opened ? times.last : times.first,
      model: textOf(meta.lastUsedModel),
      metadata,
    })
    if (converted === undefined) {
      yield { type: 'bad_line', line: row, reason: `blob ${blob.id} is a message without content` }
      continue
    }
    for (const name of converted.unknown) yield { type: 'unknown', name }
    for (const message of converted.messages) {
      if (!opened) yield* opening(store)
      opened = true
      addTexts(session, message.aliases ?? [])
      yield { type: 'record', record: message }
    }
  }
  if (!opened) yield { type: 'warning', message: `no conversation in ${unit.path}` }
  else if (root === '' || !hasBlob(database, root)) yield { type: 'warning', message: `${unit.path}: the root of its tree is gone` }
}

/** Without its root the tree is lost: fall back to write order. */
function blobsOf({ database, root }: Store): Iterable<MessageBlob> {
  return root !== '' && hasBlob(database, root) ? messageBlobs(database, root) : loneBlobs(database)
}

function hasBlob(database: SourceDatabase, id: string): boolean {
  return database.first('select 1 from blobs where id = ?', id) !== undefined
}

/** Messages have no times: the first gets the session's, the others the last change. */
function timesOf({ meta, side, unit }: Store): { first: number; last: number } {
  const last = parseTimestamp(side?.updatedAtMs) ?? Math.trunc(unit.mtimeMs)
  return { first: parseTimestamp(meta.createdAt) ?? parseTimestamp(side?.createdAtMs) ?? last, last }
}

function requestOf(fields: Fields): string | undefined {
  return textOf(fieldsOf(fieldsOf(fields.providerOptions)?.cursor)?.requestId)
}

function* opening({ database, root, session, meta, side }: Store): Generator<ReadItem, void, undefined> {
  const named = textOf(side?.cwd) ?? rootFolder(database, root)
  const project = named === undefined ? undefined : folderOf(named)?.path
  const record: SessionRecord = given({
    type: 'session' as const,
    session,
    firstHash: shortHash(16, session),
    weakName: isUuid(session) ? undefined : true,
    project,
    workspacePath: project,
    model: textOf(meta.lastUsedModel),
    isSubagent: side?.isSubagent === true || undefined,
    isAgentic: true,
    forceMode: textOf(meta.mode),
    context: given({ entrypoint: 'cli', run_everything: meta.isRunEverything === true || undefined }),
    raw: given({ agentId: meta.agentId, name: meta.name, mode: meta.mode, createdAt: meta.createdAt, lastUsedModel: meta.lastUsedModel }),
  })
  yield { type: 'record', record }
  const name = textOf(side?.title) ?? (meta.name === UNNAMED ? undefined : meta.name)
  const title = titleRecord(session, name)
  if (title !== undefined) yield { type: 'record', record: title }
}
