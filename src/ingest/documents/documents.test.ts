/** Workspace documents as a source. */
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { runAdapter } from '../../../test/helpers/run-adapters.ts'
import { NOON, tempFolder, tempStore } from '../../../test/helpers/store.ts'
import { tombstonesOf } from '../../tombstones/tombstones.ts'
import { addTombstones } from '../../tombstones/write-tombstones.ts'
import type { Adapter } from '../adapter.ts'
import { documentRoots } from './document-roots.ts'
import { documents } from './documents.ts'

async function workspace() {
  const store = await tempStore()
  const root = tempFolder()
  const write = (path: string, text: string | Buffer) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const adapter = documents({ roots: documentRoots(root, []), exclude: [], ignore: () => false })
  const rows = () => store.read.selectFrom('documents').selectAll().orderBy('path').execute()
  const paths = async () => (await rows()).map(({ path }) => path)
  const states = async () => await store.read.selectFrom('sync_state').select(['path', 'status']).orderBy('path').execute()
  return { store, root, write, adapter, rows, paths, states, sync: (given: Adapter = adapter) => runAdapter(store, given) }
}

it('a file is a unit: read once, and mirrored under its name, redacted', async () => {
  const { write, sync, rows } = await workspace()
  write('agents/reviewer/notes.md', 'key AKIAIOSFODNN7EXAMPLE <private>diary</private>')
  expect(await sync()).toMatchObject({ name: 'memory', found: 1, imported: 1, records: 1, skipped_lines: 0, warnings: [] })
  expect(await rows()).toMatchObject([
    { path: 'agents/reviewer/notes.md', kind: 'document', agent_id: 'reviewer', session_id: null, revision: 1 },
  ])
  expect((await rows())[0]?.text).toMatch(/^key \[REDACTED:[^\]]+\]\s*$/)
  expect(await sync()).toMatchObject({ found: 1, imported: 0, unchanged: 1, bytes_read: 0 })
})

it('old copies of what was forgotten are set aside and named, whatever they are called', async () => {
  const { store, root, write, sync, paths } = await workspace()
  const published = (session: string, body: string) =>
    `---\nkind: "summary"\nsession_id: "${session}"\ncontent_sha256: "${body}"\n---\n# Session summary\nbluebird`
  const dossier = (id: string) => `---\nmnemonic: dossier-v1\nkind: entity\n---\n# Orla\n\n- “bluebird” [c1:3 ${id}#0-8]\n`
  write('memory/one--summary (conflict).md', published('jsonl:gone', 'b1'))
  write('old/two.md', published('jsonl:kept', 'b2'))
  write('dossiers/message.md', dossier('jsonl:kept/m1'))
  write('dossiers/session.md', dossier('jsonl:gone/m7'))
  write('dossiers/kept.md', dossier('jsonl:kept/m2'))
  write('notes.md', `My note on jsonl:gone [c1:3 jsonl:kept/m1#0-8]`)
  await store.write((tx) =>
    addTombstones(
      tx,
      [
        { kind: 'session', agentId: 'main', id: 'jsonl:gone' },
        { kind: 'artifact', agentId: 'main', id: 'b2' },
        { kind: 'message', agentId: 'main', id: 'jsonl:kept/m1' },
      ],
      { reason: 'test', removedAt: NOON },
    ),
  )
  const adapter = documents({
    ...{ roots: documentRoots(root, []), exclude: [], ignore: () => false },
    tombstones: () => tombstonesOf({ db: store.read }),
  })
  expect(await sync(adapter)).toMatchObject({ found: 6, imported: 2, quarantined: 4 })
  expect(await paths()).toEqual(['dossiers/kept.md', 'notes.md'])
  const reasons = await store.read.selectFrom('quarantine').select('reasons_json').execute()
  for (const { reasons_json } of reasons) expect(reasons_json).toContain('forgotten; remove the file')
})

it('a change gives a revision that was never there before, and what is gone is removed with its state', async () => {
  const { root, write, sync, rows, paths, states } = await workspace()
  write('a.md', 'one')
  write('b.md', 'two')
  await sync()
  rmSync(join(root, 'b.md'))
  write('c.md', 'three')
  expect(await sync()).toMatchObject({ found: 2, imported: 1, unchanged: 1, removed: 1 })
  expect((await rows()).map(({ path, revision }) => [path, revision])).toEqual([
    ['a.md', 1],
    ['c.md', 3],
  ])
  expect((await states()).map(({ path }) => path)).toEqual(['a.md', 'c.md'])
  write('c.md', '<!-- mnemonic: memory v1 -->\nrendered')
  expect(await sync()).toMatchObject({ found: 1, imported: 0, unchanged: 1 })
  expect(await paths()).toEqual(['a.md'])
})

it('one that cannot be mirrored is set aside with the reason, is no news the second time, and loses the row it had', async () => {
  const { store, write, sync, paths, states } = await workspace()
  write('a.md', 'one')
  write('b.md', 'two')
  await sync()
  write('b.md', Buffer.from([0x66, 0xfc, 0x72, 0x0a])) // A different size: mtime alone has two milliseconds of tolerance.
  const report = await sync()
  expect(report).toMatchObject({ found: 2, unchanged: 1, quarantined: 1, removed: 1 })
  expect(report.warnings).toEqual([expect.stringMatching(/b\.md is left out: not UTF-8 text/)])
  expect(await paths()).toEqual(['a.md'])
  expect(await states()).toEqual([
    { path: 'a.md', status: 'done' },
    { path: 'b.md', status: 'quarantined' },
  ])
  const aside = () => store.read.selectFrom('quarantine').select(['adapter', 'path', 'code', 'reasons_json']).execute()
  expect(await aside()).toEqual([{ adapter: 'memory', path: 'b.md', code: 'VALIDATION_ERROR', reasons_json: '["not UTF-8 text"]' }])
  expect(await sync()).toMatchObject({ found: 2, unchanged: 2, quarantined: 0 })
  expect(await aside()).toHaveLength(1)
  write('b.md', 'two again')
  expect(await sync()).toMatchObject({ found: 2, imported: 1, unchanged: 1 })
  expect(await aside()).toEqual([])
})

it('one that is gone is no longer set aside', async () => {
  const { store, root, write, sync } = await workspace()
  write('big.md', Buffer.alloc(3 << 20, 'x'))
  expect(await sync()).toMatchObject({ found: 1, quarantined: 1, bytes_read: 0 })
  rmSync(join(root, 'big.md'))
  expect(await sync()).toMatchObject({ found: 0 })
  expect(await store.read.selectFrom('quarantine').select('path').execute()).toEqual([])
  expect(await store.read.selectFrom('sync_state').select('path').execute()).toEqual([])
})

it('a folder that cannot be listed keeps its rows, and so does a source that fails while it is searched', async () => {
  const { write, sync, adapter, paths, root } = await workspace()
  write('locked/a.md', 'one')
  write('locked-out.md', 'two')
  await sync()
  const without = (message: string, unlisted: string): Adapter => ({
    ...adapter,
    async *discover(asked) {
      asked.warn(message)
      asked.unlisted?.(unlisted)
      yield* []
    },
  })
  expect(await sync(without('cannot list locked', 'locked'))).toMatchObject({ found: 0, warnings: ['cannot list locked'] })
  expect(await paths()).toEqual(['locked/a.md'])
  const failing: Adapter = {
    ...adapter,
    discover() {
      throw new RangeError('too deep')
    },
  }
  expect(await sync(failing)).toMatchObject({ found: 1, quarantined: 1 })
  expect(await paths()).toEqual(['locked/a.md'])
  if (process.getuid?.() === 0) return
  chmodSync(join(root, 'locked'), 0)
  const { warnings } = await sync()
  chmodSync(join(root, 'locked'), 0o700)
  expect(warnings).toEqual([expect.stringContaining('cannot list')])
  expect(await paths()).toEqual(['locked-out.md', 'locked/a.md'])
})

it('one that was forgotten stays out, and no trace of its name is kept', async () => {
  const { store, write, sync, paths, states } = await workspace()
  write('a.md', 'one')
  write('b.md', 'two')
  await store.write((tx) => addTombstones(tx, [{ kind: 'document', agentId: 'main', id: 'b.md' }], { removedAt: NOON, reason: 'owner' }))
  expect(await sync()).toMatchObject({ found: 1, imported: 1 })
  expect(await paths()).toEqual(['a.md'])
  expect((await states()).map(({ path }) => path)).toEqual(['a.md'])
})
