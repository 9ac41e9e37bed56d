import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { artifactsOf, DAY, filesIn, seedSessions } from '../../test/helpers/artifacts-home.ts'
import { NOON, tempFolder, tempStore } from '../../test/helpers/store.ts'
import type { Store } from '../store/store.ts'
import { parseArtifact } from './format/frontmatter.ts'
import type { ManifestFrontmatter } from './format/frontmatter-schema.ts'
import { publishedFiles } from './format/published-files.ts'

const A = { name: 'a', at: NOON - 3 * DAY }
const B = { name: 'b', at: NOON - 2 * DAY }

async function published(...seeds: Parameters<typeof seedSessions>[1][number][]) {
  const [store, workspace] = [await tempStore(), tempFolder()]
  await seedSessions(store, seeds)
  const artifacts = artifactsOf(store, workspace)
  const report = await artifacts.publish()
  return { store, workspace, artifacts, report, memory: () => filesIn(workspace) }
}

const rows = async (store: Store) => store.read.selectFrom('artifacts').selectAll().orderBy('source_path').execute()

function fileOf(files: Record<string, string>, kind: string): [string, string] {
  const found = Object.entries(files).filter(([name]) => name.endsWith(`--${kind}.md`))
  return found.at(-1) as [string, string]
}

describe('publishing', () => {
  it('writes transcript, summary and manifest of every ended session, rows and MEMORY.md', async () => {
    const { store, memory, report } = await published(A, B)
    expect(report).toMatchObject({ failed: [], results: [{ status: 'published' }, { status: 'published' }] })
    const files = memory()
    const kinds = Object.keys(files).map((name) => name.replace(/^.*--([a-z]+\.md)$/, '$1'))
    expect(kinds.filter((kind) => kind === 'transcript.md')).toHaveLength(2)
    expect(kinds.filter((kind) => kind === 'summary.md')).toHaveLength(2)
    expect(kinds.filter((kind) => kind === 'manifest.md')).toHaveLength(2)
    expect(files['MEMORY.md']?.match(/session=claude-code:[ab] /g)).toHaveLength(2)
    expect((await rows(store)).map(({ source_kind }) => source_kind).sort()).toEqual([
      ...['manifest', 'manifest', 'summary', 'summary', 'transcript', 'transcript'],
    ])
    const [, transcript] = fileOf(files, 'transcript')
    expect(transcript).toContain('Please fix the parser of the atlas gateway, step 0 of session b.')
    expect(await store.read.selectFrom('artifact_journal').selectAll().execute()).toEqual([])
    const runs = await store.read.selectFrom('analysis_runs').select('analysis_type_id').execute()
    expect(runs.map(({ analysis_type_id }) => analysis_type_id).sort()).toEqual([
      ...['memory_sentence_v1', 'memory_sentence_v1', 'session_summary', 'session_summary'],
    ])
  })

  it('again changes nothing, not a byte and not a row', async () => {
    const { store, artifacts, memory, workspace } = await published(A, B)
    const [files, before] = [memory(), await rows(store)]
    expect((await artifacts.publish()).results).toEqual([])
    expect((await artifactsOf(store, workspace, { clock: () => NOON + 5 }).publish({ session: 'claude-code:a' })).results).toMatchObject([
      { status: 'unchanged' },
    ])
    expect((await artifacts.render()).status).toBe('unchanged')
    expect([memory(), await rows(store)]).toEqual([files, before])
  })

  it('gives the same names on another machine', async () => {
    const one = await published(A)
    const two = await published(A)
    expect(Object.keys(two.memory())).toEqual(Object.keys(one.memory()))
  })

  it('a session that goes on after it was published gets a new set, and the manifest keeps the older one', async () => {
    const { store, artifacts, memory } = await published(A)
    const before = memory()
    await seedSessions(store, [{ ...A, turns: 3 }])
    await artifacts.publish()
    const files = memory()
    for (const [name, text] of Object.entries(before)) if (/--(summary|transcript)\.md$/.test(name)) expect(files[name]).toBe(text)
    const [path, text] = fileOf(files, 'manifest')
    const manifest = parseArtifact(text, path).frontmatter as ManifestFrontmatter
    expect(manifest.previous).toHaveLength(1)
    expect(Object.keys(files).filter((name) => name.endsWith('--manifest.md'))).toHaveLength(1)
    expect(files['MEMORY.md']?.match(/session=/g)).toHaveLength(1)
    expect(files['MEMORY.md']).toContain(manifest.summary_path as string)
  })

  it('a compaction that comes later changes the manifest alone', async () => {
    const { store, artifacts, memory } = await published(A)
    const before = memory()
    await seedSessions(store, [{ ...A, turns: 3, compaction: 'So far: the parser was fixed and SQLite stays.' }])
    await artifacts.publish({ session: 'claude-code:a' })
    const files = memory()
    for (const [name, text] of Object.entries(before)) if (/--(summary|transcript)\.md$/.test(name)) expect(files[name]).toBe(text)
    const [, compaction] = fileOf(files, 'compaction')
    expect(compaction).toContain('So far: the parser was fixed')
    expect(fileOf(files, 'manifest')[1]).toContain('compaction_path: "memory/')
  })

  it('subagents and empty sessions are not published, and one agent does not see another', async () => {
    const { memory, store, workspace } = await published(A, { ...B, agentId: 'ops' })
    expect(memory()['MEMORY.md']).not.toContain('claude-code:b')
    expect(memory()['agents/ops/MEMORY.md']).toBeUndefined()
    await artifactsOf(store, workspace, { agentId: 'ops' }).publish()
    expect(memory()['agents/ops/MEMORY.md']).toContain('claude-code:b')
    expect(memory()['agents/ops/MEMORY.md']).not.toContain('claude-code:a')
    expect(memory()['MEMORY.md']).not.toContain('claude-code:b')
  })

  it('history older than the window stands in both lists, and before it is published they say what to run', async () => {
    const { store, workspace, memory } = await published()
    await seedSessions(store, [A, B])
    const later = artifactsOf(store, workspace, { clock: () => NOON + 90 * DAY })
    expect(await later.render()).toMatchObject({ rows: 0 })
    for (const name of ['MEMORY.md', 'memory/LEDGER.md'])
      expect(memory()[name]).toContain('None of the 2 sessions in the ledger is published')
    expect(memory()['MEMORY.md']).toContain('`mnemonic memory publish`')
    await later.publish()
    expect(await later.render()).toMatchObject({ rows: 2 })
    for (const name of ['MEMORY.md', 'memory/LEDGER.md']) {
      expect(memory()[name]).not.toContain('is published yet')
      expect(memory()[name]?.match(/^- \S{24} \| session=claude-code:[ab] \| .*--manifest\.md\|manifest\]\]$/gm)).toHaveLength(2)
    }
    const [path, text] = fileOf(memory(), 'manifest')
    expect(text).toContain('memory_md_refs:\n  - "MEMORY.md#')
    await seedSessions(store, [{ ...A, name: 'c', at: NOON + 89 * DAY }], () => NOON + 90 * DAY)
    await later.publish()
    expect(memory()['MEMORY.md']?.match(/session=claude-code:\w/g)).toEqual(['c', 'b', 'a'].map((name) => `session=claude-code:${name}`))
    expect(memory()[path]).toContain('memory_md_refs:\n  - "MEMORY.md#')
    await artifactsOf(store, workspace, { clock: () => NOON + 90 * DAY, budget: { maxLines: 13, maxBytes: 25_600 } }).render()
    expect(memory()['MEMORY.md']?.match(/session=/g)).toHaveLength(1)
    expect(memory()[path]).toContain('memory_md_refs: []')
  })

  it('sessions of temporary folders are published and stand in no list', async () => {
    const { memory } = await published(A, { ...B, project: '/tmp/scratch' })
    expect(Object.keys(memory()).filter((name) => name.endsWith('--summary.md'))).toHaveLength(2)
    expect(memory()['MEMORY.md']).not.toContain('claude-code:b')
    expect(memory()['memory/LEDGER.md']).not.toContain('claude-code:b')
  })

  it('an artifact of the same name and another text is never overwritten', async () => {
    const { workspace, artifacts, store, memory } = await published(A)
    const [name] = fileOf(memory(), 'summary')
    writeFileSync(join(workspace, name), `${readFileSync(join(workspace, name), 'utf8')}\nan edit\n`)
    await store.write(async (tx) => void (await tx.db.deleteFrom('artifacts').execute()))
    const report = await artifacts.publish()
    expect(report.failed).toMatchObject([{ session_id: 'claude-code:a' }])
    expect((await artifacts.publish()).failed).toEqual(report.failed)
    expect(memory()[name]).toContain('an edit')
  })
})

describe('MEMORY.md', () => {
  it('of somebody else is never overwritten; taken over only when asked, with a copy', async () => {
    const [store, workspace] = [await tempStore(), tempFolder()]
    writeFileSync(join(workspace, 'MEMORY.md'), '# mine\n')
    await seedSessions(store, [A])
    const artifacts = artifactsOf(store, workspace)
    await artifacts.publish()
    expect(readFileSync(join(workspace, 'MEMORY.md'), 'utf8')).toBe('# mine\n')
    expect(filesIn(workspace)['MEMORY.mnemonic.md']).toContain('session=claude-code:a')
    expect(await artifacts.render({ adopt: true })).toMatchObject({ status: 'written', path: 'MEMORY.md' })
    expect(filesIn(workspace)['MEMORY.md']).toContain('session=claude-code:a')
    expect(Object.entries(filesIn(workspace)).filter(([name]) => name.startsWith('MEMORY.md.before-'))).toMatchObject([
      [expect.anything(), '# mine\n'],
    ])
  })

  it('stands beside a full list of somebody else, which is not overwritten either', async () => {
    const [store, workspace] = [await tempStore(), tempFolder()]
    mkdirSync(join(workspace, 'memory'))
    writeFileSync(join(workspace, 'memory/LEDGER.md'), '# my accounts\n')
    await seedSessions(store, [A])
    const artifacts = artifactsOf(store, workspace)
    await artifacts.publish()
    const files = () => filesIn(workspace)
    expect(files()['memory/LEDGER.md']).toBe('# my accounts\n')
    expect(files()['memory/LEDGER.mnemonic.md']).toContain('session=claude-code:a')
    expect(files()['MEMORY.md']).toContain('[[memory/LEDGER.mnemonic.md]]')
    expect((await artifacts.render()).warnings).toMatchObject([expect.stringContaining('memory/LEDGER.md is not ours')])
    expect(publishedFiles(workspace).rendered).toEqual(['MEMORY.md', 'memory/LEDGER.mnemonic.md'])
    await artifacts.render({ adopt: true })
    expect(files()['memory/LEDGER.md']).toContain('session=claude-code:a')
    expect(files()['memory/LEDGER.mnemonic.md']).toBeUndefined()
    expect(files()['MEMORY.md']).toContain('[[memory/LEDGER.md]]')
    expect(Object.values(files())).toContain('# my accounts\n')
  })

  it('of every agent is rendered for all', async () => {
    const [store, workspace] = [await tempStore(), tempFolder()]
    await seedSessions(store, [A, { ...B, agentId: 'ops' }])
    const all = artifactsOf(store, workspace, { agentId: 'all' })
    await all.publish()
    for (const path of ['MEMORY.md', 'agents/ops/MEMORY.md']) rmSync(join(workspace, path))
    expect(await all.render()).toMatchObject({ agent_id: 'main', path: 'MEMORY.md', rows: 1 })
    expect(filesIn(workspace)['agents/ops/MEMORY.md']).toContain('claude-code:b')
  })

  it('takes the sentence from the head of the file, whatever a row says', async () => {
    const { store, artifacts, memory } = await published(A)
    await store.write(
      async (tx) => void (await tx.db.updateTable('artifacts').set({ memory_sentence: 'A lie.', head_sha256: 'other' }).execute()),
    )
    await artifacts.render()
    expect(memory()['MEMORY.md']).not.toContain('A lie.')
  })

  it('manifests say that their session is listed, and no longer when it has left the window and nothing is left for it', async () => {
    const { store, workspace, memory } = await published(A)
    const [path, text] = fileOf(memory(), 'manifest')
    const time = /^- (\S+) \|/m.exec(memory()['MEMORY.md'] ?? '')?.[1]
    expect(time).toMatch(/^2026-/)
    expect(text).toContain(`memory_md_refs:\n  - "MEMORY.md#${time}"`)
    expect(text).toContain(`[[MEMORY.md]] ${time}`)
    const later = () => NOON + 40 * DAY
    await seedSessions(store, [{ name: 'later', at: later() - DAY }], later)
    await artifactsOf(store, workspace, { clock: later, budget: { maxLines: 13, maxBytes: 25_600 } }).publish()
    expect(memory()[path]).toContain('memory_md_refs: []')
    expect(memory()['MEMORY.md']?.match(/session=/g)).toHaveLength(1)
  })
})

describe('files and rows', () => {
  it('re-index makes equal rows from the files alone, and keeps what only the database knows', async () => {
    const { store, artifacts, workspace } = await published(A, B)
    const before = await rows(store)
    await store.write(async (tx) => {
      await tx.db.deleteFrom('artifacts').execute()
      await tx.db.insertInto('search_log').values({ agent_id: 'main', mode: 'x', hits: 1, latency_ms: 1, created_at: NOON }).execute()
    })
    expect(await artifacts.reindex()).toMatchObject({ repaired: 6, removed: 0, problems: [] })
    expect(await rows(store)).toEqual(before)
    expect(await store.read.selectFrom('search_log').selectAll().execute()).toHaveLength(1)
    const fresh = await tempStore()
    await artifactsOf(fresh, workspace).reindex()
    expect(await rows(fresh)).toEqual(before)
  })

  it('what was tampered with, is orphaned or broken is reported by name, and not indexed when its text is not its own', async () => {
    const { store, artifacts, workspace, memory } = await published(A, B)
    const names = Object.keys(memory()).filter((name) => name.startsWith('memory/2'))
    const [transcript] = names.filter((name) => name.endsWith('--transcript.md'))
    const [, summary] = names.filter((name) => name.endsWith('--summary.md'))
    writeFileSync(join(workspace, transcript as string), `${memory()[transcript as string]}\nand a word more\n`)
    rmSync(join(workspace, summary as string))
    writeFileSync(join(workspace, 'memory', '2026-01-01T00-00-00.000Z--aaaaaaaaaaaaaaaa--summary.md'), 'not an artifact')
    const { problems } = await artifacts.verify()
    expect(problems.map(({ path, kind }) => `${kind} ${path}`).sort()).toEqual(
      [
        `missing ${summary}`,
        `tampered ${transcript}`,
        expect.stringMatching(/^broken-link .*manifest\.md$/),
        'invalid memory/2026-01-01T00-00-00.000Z--aaaaaaaaaaaaaaaa--summary.md',
      ].sort(),
    )
    await artifacts.reindex()
    expect((await rows(store)).some(({ source_path }) => source_path === transcript)).toBe(false)
  })

  it('restore writes a file again from the ledger and keeps what stood there; accept publishes the edited text', async () => {
    const { artifacts, workspace, memory } = await published(A)
    const [name, text] = fileOf(memory(), 'summary')
    writeFileSync(join(workspace, name), text.replace('Asked', 'Demanded'))
    const restored = await artifacts.restore(name)
    expect(memory()[name]).toBe(text)
    expect(readFileSync(restored.kept as string, 'utf8')).toContain('Demanded')
    rmSync(restored.kept as string)
    expect((await artifacts.verify()).problems).toEqual([])
    writeFileSync(join(workspace, name), text.replace('Asked', 'Demanded'))
    const accepted = await artifacts.accept(name)
    expect(memory()[accepted.path]).toContain('Demanded')
    expect(memory()['MEMORY.md']).toContain(accepted.path)
    await artifacts.restore(name)
    for (const file of Object.keys(memory())) if (file.includes('.replaced-')) rmSync(join(workspace, file))
    expect((await artifacts.verify()).problems).toEqual([])
  })

  it('a file where the workspace should be is a clear error', async () => {
    const [store, workspace] = [await tempStore(), join(tempFolder(), 'file')]
    writeFileSync(workspace, 'not a folder')
    await seedSessions(store, [A])
    await expect(artifactsOf(store, workspace).publish()).rejects.toMatchObject({ code: 'STORAGE_ERROR' })
    await expect(artifactsOf(store, workspace).recover()).rejects.toMatchObject({ code: 'STORAGE_ERROR' })
  })

  it('a workspace that cannot be written is a clear error, nothing is half-written, and the next run completes', async () => {
    const [store, workspace] = [await tempStore(), tempFolder()]
    await seedSessions(store, [A])
    writeFileSync(join(workspace, 'memory'), 'a file where a folder should be')
    const artifacts = artifactsOf(store, workspace)
    await expect(artifacts.publish()).rejects.toMatchObject({ code: 'STORAGE_ERROR' })
    expect(Object.keys(filesIn(workspace))).toEqual(['memory'])
    rmSync(join(workspace, 'memory'))
    expect(await artifacts.publish()).toMatchObject({ failed: [], results: [{ status: 'published' }] })
    expect((await artifacts.verify()).problems).toEqual([])
    expect(existsSync(join(workspace, 'MEMORY.md'))).toBe(true)
    chmodSync(workspace, 0o700)
  })
})
