/** Lazily reads workspace.json and one key of workspace databases. */
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { MnemonicError } from '../../../core/error.ts'
import type { UnitReader } from '../../adapter.ts'
import { type Fields, fieldsOf, textOf } from '../fields.ts'
import { commonFolder, type Folder, folderOf } from './folder-uri.ts'
import { folderOfSlug } from './project-slug.ts'
import { listOf, type RowValue, rowFields } from './row-value.ts'

export interface Asked {
  readonly session: string
  readonly workspaceId: string | undefined
  readonly composer: Fields
  readonly parent: string | undefined
  readonly files: () => readonly string[]
}

export interface Projects {
  folderOf(asked: Asked): Promise<Folder | undefined>
}

const JSON_BYTES = 64 * 1024

export function projects(database: string, reader: UnitReader, slugs: ReadonlyMap<string, string>): Projects {
  const storage = join(dirname(dirname(database)), 'workspaceStorage')
  const folders = new Map<string, Folder | undefined>()
  let owners: Map<string, string> | undefined

  async function workspace(id: string): Promise<Folder | undefined> {
    if (!folders.has(id)) folders.set(id, await workspaceFolder(join(storage, id), reader))
    return folders.get(id)
  }
  async function folderOfSession(session: string): Promise<Folder | undefined> {
    owners ??= await composerOwners(storage, reader)
    const id = owners.get(session)
    return id === undefined ? undefined : workspace(id)
  }
  return {
    async folderOf({ session, workspaceId, composer, parent, files }) {
      const named = workspaceId === undefined ? undefined : await workspace(workspaceId)
      const found =
        named ??
        identified(composer) ??
        (await folderOfSession(session)) ??
        (parent === undefined ? undefined : await folderOfSession(parent))
      if (found !== undefined) return found
      const slug = slugs.get(session)
      const fromSlug = slug === undefined ? undefined : folderOfSlug(slug)
      const path = fromSlug ?? commonFolder(files())
      return path === undefined ? undefined : { path }
    },
  }
}

export function workspaceOf(database: string, reader: UnitReader): Promise<Folder | undefined> {
  return workspaceFolder(dirname(database), reader)
}

async function workspaceFolder(folder: string, reader: UnitReader): Promise<Folder | undefined> {
  const path = join(folder, 'workspace.json')
  if (!existsSync(path)) return undefined
  const fields = rowFields(await reader.slice(path, 0, JSON_BYTES))
  const uri = textOf(fields?.folder) ?? textOf(fields?.workspace)
  const found = uri === undefined ? undefined : folderOf(uri)
  // A multi-folder workspace is a file: use its folder.
  return found?.path.endsWith('.code-workspace') ? { ...found, path: dirname(found.path) } : found
}

function identified(composer: Fields): Folder | undefined {
  const uri = fieldsOf(composer.workspaceIdentifier)?.uri
  const text = textOf(uri) ?? textOf(fieldsOf(uri)?.external) ?? textOf(fieldsOf(uri)?.fsPath)
  return text === undefined ? undefined : folderOf(text)
}

/** Until April 2026, each workspace lists its conversations. */
async function composerOwners(storage: string, reader: UnitReader): Promise<Map<string, string>> {
  const owners = new Map<string, string>()
  if (!existsSync(storage)) return owners
  for (const id of (await readdir(storage)).sort()) {
    const path = join(storage, id, 'state.vscdb')
    if (!existsSync(path)) continue
    for (const composer of await listedComposers(path, reader)) if (!owners.has(composer)) owners.set(composer, id)
  }
  return owners
}

async function listedComposers(path: string, reader: UnitReader): Promise<string[]> {
  try {
    const database = await reader.database(path)
    try {
      if (!database.tables().has('ItemTable')) return []
      const row = database.first<{ value: RowValue }>("select value from ItemTable where key = 'composer.composerData'")
      const all = listOf(rowFields(row?.value)?.allComposers)
      return all.map((composer) => textOf(fieldsOf(composer)?.composerId)).filter((name) => name !== undefined)
    } finally {
      database.close()
    }
  } catch (error) {
    // An unreadable workspace is reported when read as a unit.
    if (error instanceof MnemonicError) return []
    throw error
  }
}
