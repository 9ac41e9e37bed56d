import { chmodSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runAdapter } from '../../test/helpers/run-adapters.ts'
import { NOON, tempFolder, tempStore } from '../../test/helpers/store.ts'
import { documentRoots } from '../ingest/documents/document-roots.ts'
import { documents } from '../ingest/documents/documents.ts'
import { indexer } from './indexer.ts'

async function workspace(more: { paths?: readonly string[]; ignore?: (folder: string) => boolean } = {}) {
  const store = await tempStore()
  const root = tempFolder()
  const write = (path: string, text: string | Buffer) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const source = documents({
    roots: documentRoots(root, more.paths ?? []),
    exclude: [join(root, 'home')],
    ignore: more.ignore ?? (() => false),
  })
  const indexing = indexer({ store, clock: () => NOON, owner: { name: 'Jason Wu', timezone: 'UTC' } })
  const index = {
    async read(path: string) {
      return (await store.read.selectFrom('documents').select('text').where('path', '=', path).executeTakeFirst())?.text
    },
    /** Like a sync; with `force`, like `index --all`. */
    async run({ force }: { force?: boolean } = {}) {
      const read = await runAdapter(store, source)
      return { ...read, index: force === undefined ? await indexing.tail() : await indexing.backfill({ force }) }
    },
  }
  const paths = async () => (await store.read.selectFrom('files').select('path').orderBy('path').execute()).map(({ path }) => path)
  const chunks = () => store.read.selectFrom('chunks').selectAll().orderBy('id').execute()
  return { store, root, write, index, paths, chunks }
}

describe('documents of the workspace', () => {
  it('are those that people wrote, wherever they are below it', async () => {
    const { write, index, paths } = await workspace()
    for (const path of ['NOTES.md', 'MEMORY.md', 'workspaces/lantern/docs/plan.md', 'agents/reviewer/notes.md', 'memory/2026-02-03.md'])
      write(path, `# ${path}\n\nwritten by hand`)
    for (const path of ['.hidden/a.md', '.a.md', 'x/node_modules/b/README.md', '.git/c.md', 'home/qmd/d.md', 'skills/e/SKILL.md', 'f.txt'])
      write(path, 'not a document')
    write('memory/2026-03-28T22-34-06.792Z--h7k3n4p9m2x1q8r5--summary.md', 'rendered')
    write('memory/LEDGER.md', 'rendered')
    write('dossiers/jason.md', '<!-- mnemonic: dossier v1 -->\nrendered')
    write('agents/main/MEMORY.md', '---\nkind: projection\n---\n<!-- mnemonic: memory v1 -->\nrendered')
    expect(await index.run()).toMatchObject({ found: 5, imported: 5, unchanged: 0, warnings: [] })
    expect(await paths()).toEqual([
      'MEMORY.md',
      'NOTES.md',
      'agents/reviewer/notes.md',
      'memory/2026-02-03.md',
      'workspaces/lantern/docs/plan.md',
    ])
  })

  it('are spoken by their owner, dated, and belong to no session and no ledger', async () => {
    const { write, index, chunks } = await workspace()
    write('agents/reviewer/2026-02-03 standup.md', '# Standup\n\nWe decided to use sqlite.')
    await index.run()
    expect(await chunks()).toEqual([
      expect.objectContaining({
        source: 'memory',
        ledger: 'memory',
        agent_id: 'reviewer',
        session_id: null,
        turn_id: null,
        timestamp: Date.UTC(2026, 1, 3),
        speakers: '["user"]',
        message_ids: '[]',
        said_user: '# Standup\n\nWe decided to use sqlite.',
        said_assistant: '',
        trust: 'owner',
        has_decision: 1,
        context: expect.stringContaining('[Context: agents/reviewer/2026-02-03 standup.md › Standup]'),
      }),
    ])
  })

  it('hold no secret, no private passage and no injected memory', async () => {
    const { write, index, chunks } = await workspace()
    write('a.md', 'key AKIAIOSFODNN7EXAMPLE\n<private>my diary</private>\n<mnemonic-memory v="1">recalled</mnemonic-memory>\nend')
    await index.run()
    const [chunk] = await chunks()
    expect(chunk?.said_user).toMatch(/^key \[REDACTED:.*\]\n\n\nend$/)
    expect(await index.read('a.md')).toBe(chunk?.said_user)
  })

  it('long ones become several chunks within the limit', async () => {
    const { write, index, chunks } = await workspace()
    write(
      'a.md',
      `# A\n\n${'The quick brown fox jumps over the lazy dog. '.repeat(400)}\n\n# B\n\n${'Other words stand here. '.repeat(40)}`,
    )
    const report = await index.run()
    const all = await chunks()
    expect(all.length).toBeGreaterThan(8)
    expect(report.index.chunks).toBe(all.length)
    expect(Math.max(...all.map((chunk) => chunk.token_count))).toBeLessThanOrEqual(500)
    expect(all.map((chunk) => chunk.chunk_index)).toEqual(all.map((_, i) => i))
    expect(all.at(-1)?.said_user.startsWith('# B')).toBe(true)
  })
})

describe('a second run', () => {
  it('opens nothing that did not change', async () => {
    const { write, index } = await workspace()
    write('a.md', 'one')
    write('big.md', Buffer.alloc(3 << 20, 'x'))
    write('latin.md', Buffer.from([0x66, 0xfc, 0x72]))
    write('ours.md', '<!-- mnemonic: x -->')
    const first = await index.run()
    expect(first).toMatchObject({ found: 3, imported: 1, quarantined: 2, index: { documents: 1 } })
    expect(first.warnings).toEqual([
      expect.stringMatching(/big\.md is left out: larger than 2 MB/),
      expect.stringMatching(/latin\.md is left out: not UTF-8/),
    ])
    expect(await index.run()).toMatchObject({
      ...{ found: 3, imported: 0, unchanged: 3, quarantined: 0, removed: 0, bytes_read: 0, warnings: [] },
      index: { documents: 0, removed: 0, chunks: 0, warnings: [] },
    })
  })

  it('reads what changed, keeps the chunks of what was only touched, removes what is gone', async () => {
    const { root, write, index, chunks, paths } = await workspace()
    write('a.md', 'one')
    write('b.md', 'two')
    write('c.md', 'three')
    await index.run()
    const before = await chunks()
    write('a.md', 'another')
    utimesSync(join(root, 'b.md'), new Date(), new Date(Date.now() + 60_000))
    rmSync(join(root, 'c.md'))
    expect(await index.run()).toMatchObject({ found: 2, imported: 1, unchanged: 1, removed: 1, index: { documents: 1 } })
    expect(await paths()).toEqual(['a.md', 'b.md'])
    expect((await chunks()).find(({ path }) => path === 'b.md')).toEqual(before[1])
    write('b.md', '<!-- mnemonic: now ours -->')
    expect(await index.run()).toMatchObject({ found: 1, removed: 1 })
    expect(await paths()).toEqual(['a.md'])
  })

  it('with force writes all again; after the index was dropped it builds it anew', async () => {
    const { store, write, index, paths } = await workspace()
    write('a.md', 'one')
    await index.run()
    expect(await index.run({ force: true })).toMatchObject({ unchanged: 1, index: { documents: 1, unchanged: 0 } })
    await store.write(({ db }) => db.deleteFrom('files').execute())
    expect(await index.run()).toMatchObject({ index: { documents: 1 } })
    expect(await paths()).toEqual(['a.md'])
    expect(await index.run()).toMatchObject({ index: { documents: 0, unchanged: 0 } })
  })

  it('documents of an index from before the mirror stay as they are, and those that are gone are removed', async () => {
    const { store, write, index, paths, chunks } = await workspace()
    write('a.md', 'one')
    write('b.md', 'two')
    await index.run()
    const before = await chunks()
    await store.write(async ({ db }) => {
      await db.updateTable('documents').set({ path: 'elsewhere.md' }).where('path', '=', 'b.md').execute()
      await db.deleteFrom('meta').where('key', '=', 'memory_documents_cursor_v1').execute()
    })
    expect((await index.run()).index).toMatchObject({ unchanged: 1, removed: 1 })
    expect(await paths()).toEqual(['a.md', 'elsewhere.md'])
    expect((await chunks())[0]).toEqual(before[0])
  })

  it.skipIf(process.getuid?.() === 0)('keeps the documents of a folder that cannot be listed now', async () => {
    const { root, write, index, paths } = await workspace()
    write('locked/a.md', 'one')
    await index.run()
    chmodSync(join(root, 'locked'), 0)
    const report = await index.run()
    chmodSync(join(root, 'locked'), 0o700)
    expect(report.removed + report.index.removed).toBe(0)
    expect(report.warnings).toEqual([expect.stringContaining('cannot list')])
    expect(await paths()).toEqual(['locked/a.md'])
  })
})

describe('paths', () => {
  it('links are not followed, and a path never leaves the workspace', async () => {
    const { root, write, index, paths } = await workspace()
    const outside = tempFolder()
    writeFileSync(join(outside, 'secret.md'), 'secret')
    write('a.md', 'one')
    symlinkSync(join(outside, 'secret.md'), join(root, 'link.md'))
    symlinkSync(outside, join(root, 'folder'))
    await index.run()
    expect(await paths()).toEqual(['a.md'])
    for (const path of [
      'link.md',
      'folder/secret.md',
      '../secret.md',
      join(outside, 'secret.md'),
      'a.md/../../x.md',
      './a.md',
      '',
      'a.md\0',
    ])
      expect(await index.read(path), path).toBeUndefined()
    expect(await index.read('a.md')).toBe('one')
    rmSync(join(root, 'a.md'))
    symlinkSync(join(outside, 'secret.md'), join(root, 'a.md'))
    expect(await index.read('a.md')).toBe('one') // until the next sync
    await index.run()
    expect(await index.read('a.md')).toBeUndefined()
  })

  it('further folders have names of their own, without a path of this machine', async () => {
    const [one, two] = [tempFolder(), tempFolder()].map((folder) => join(folder, 'notes'))
    for (const folder of [one, two]) mkdirSync(folder as string)
    writeFileSync(join(one as string, 'a.md'), 'one')
    writeFileSync(join(two as string, 'a.md'), 'two')
    const { write, root, index, paths } = await workspace({ paths: [one as string, two as string, '/does/not/exist'] })
    write('a.md', 'three')
    write('@notes/b.md', 'four')
    expect((await index.run()).warnings).toEqual([expect.stringMatching(/@notes is left out/), expect.stringContaining('/does/not/exist')])
    expect(await paths()).toEqual(['@notes/a.md', '@notes~2/a.md', 'a.md'])
    expect(await index.read('@notes~2/a.md')).toBe('two')
    expect(root).not.toBe(one)
  })

  it('a QMD export in the workspace is not indexed again', async () => {
    const { write, index, paths } = await workspace()
    write('export/.mnemonic-qmd', '')
    write('export/sessions/s/turns/a.md', 'one')
    write('b.md', 'two')
    await index.run()
    expect(await paths()).toEqual(['b.md'])
  })

  it('projects that are ignored are left out', async () => {
    const { write, index, paths } = await workspace({ ignore: (folder) => folder.endsWith('/secret') })
    write('workspaces/secret/a.md', 'one')
    write('workspaces/open/a.md', 'two')
    await index.run()
    expect(await paths()).toEqual(['workspaces/open/a.md'])
  })
})
