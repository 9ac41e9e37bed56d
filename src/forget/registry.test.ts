/** The register of everything that can hold content, against the schema as migrations make it. */
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { tempStore } from '../../test/helpers/store.ts'
import { FOLDERS, TABLES } from './registry.ts'
import { LEDGER_FINDERS } from './select/text-in-ledgers.ts'
import { OTHER_FINDERS } from './select/text-in-other-tables.ts'

/** Columns that say nothing a person said: ids made of hashes, numbers, names of ours. A new text column is none of them. */
const HARMLESS =
  /^(id|.*_id|.*_ids|kind|role|status|source|source_adapter|channel|direction|content_types|trust|trigger|turn_type|provider|model|agent_id|adapter|hash|.*_hash|.*_sha256|identity|ledger|embed_status|code|error_code|flow|step|key|session_token|source_kind|memory_sentence_quality|first_hash|native_id|source_id|conversation_state|alias_type|source_type|type|facet_type|implementation|asked|version|holder|title_origin|content_hash|extractor|decided_by|given_by|tool_name|corrects)$/

it('every table and view of the schema is registered, and nothing else', async () => {
  const store = await tempStore()
  const names = (await store.tables()).map(({ name }) => name)
  const known = Object.keys(TABLES)
  expect(
    names.filter((name) => !known.includes(name)),
    'register these in src/forget/registry.ts',
  ).toEqual([])
  expect(
    known.filter((name) => !names.includes(name)),
    'these exist no more',
  ).toEqual([])
})

it('every text column of a table that holds content is registered, or is known to say nothing', async () => {
  const store = await tempStore()
  const db = new Database(store.location, { readonly: true })
  const missing: string[] = []
  for (const { name, columns } of await store.tables()) {
    const holder = TABLES[name]
    if (holder === undefined || holder.kind === 'none') continue
    for (const column of holder.columns) expect(columns, `${name}.${column}`).toContain(column)
    const types = db.prepare('select name, type from pragma_table_info(?)').all(name) as { name: string; type: string }[]
    const texts = types.filter(({ type }) => type.toLowerCase() === 'text').map((column) => column.name)
    missing.push(
      ...texts.filter((column) => !holder.columns.includes(column) && !HARMLESS.test(column)).map((column) => `${name}.${column}`),
    )
  }
  db.close()
  expect(missing, 'name these columns in src/forget/registry.ts').toEqual([])
})

it('for every table that holds content something says what to do with it', () => {
  const holding = Object.entries(TABLES).flatMap(([name, { kind }]) => (kind === 'none' ? [] : [name]))
  expect(Object.keys({ ...LEDGER_FINDERS, ...OTHER_FINDERS }).sort()).toEqual(holding.sort())
  for (const [name, holder] of Object.entries(TABLES)) {
    expect(holder.kind === 'none' ? holder.because : holder.removal, name).not.toBe('')
    if (holder.kind === 'ledger') expect(Object.keys(LEDGER_FINDERS)).toContain(name)
  }
})

it('this test can fail: a migration that adds a table is noticed', async () => {
  const store = await tempStore()
  const db = new Database(store.location)
  db.exec('create table diary (entry text)')
  db.close()
  expect((await store.tables()).map(({ name }) => name).filter((name) => TABLES[name] === undefined)).toEqual(['diary'])
})

it('the folders of home and workspace are registered', () => {
  const paths = FOLDERS.map(({ root, path }) => join(root, path))
  for (const path of [
    'home/mnemonic.db',
    'home/logs',
    'home/models',
    'home/receipts',
    'home/answers',
    'home/qmd',
    'workspace/memory',
    'workspace/MEMORY.md',
  ]) {
    expect(paths).toContain(path)
  }
})
