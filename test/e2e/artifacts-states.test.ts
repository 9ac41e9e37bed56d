/**
 * The six partial-failure states of a publication, each by its name, and disks that refuse: a clear error with its code, nothing half-written,
 * and the next run completes to what an undisturbed one leaves.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPublications } from '../../src/artifacts/publish/journal.ts'
import { artifactsOf, DAY, filesIn, seedSessions } from '../helpers/artifacts-home.ts'
import { copyHome, leftBy, publishIn, seededHome, type TestHome, withStore } from '../helpers/artifacts-process.ts'
import { NOON, tempFolder, tempStore } from '../helpers/store.ts'

const root = mkdtempSync(join(tmpdir(), 'mnemonic-artifacts-states-'))
const SEEDS = [{ name: 'alpha', at: NOON - 3 * DAY, title: 'The parser' }]
let seeded: TestHome
let calm: Record<string, unknown>
let homes = 0

beforeAll(async () => {
  seeded = await seededHome(join(root, 'seeded'), SEEDS)
  const home = fresh()
  await complete(home)
  calm = await leftBy(home)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

function fresh(): TestHome {
  return copyHome(seeded, join(root, `home-${homes++}`))
}

async function complete(home: TestHome): Promise<void> {
  await withStore(home, async (store) => {
    const report = await artifactsOf(store, home.workspace).publish()
    expect(report.failed).toEqual([])
  })
}

/** Where the publication of the one session stands, and which kinds of files there are. */
async function standing(home: TestHome): Promise<{ next: string | undefined; sentence: boolean; kinds: string[] }> {
  const [row] = await withStore(home, (store) => openPublications(store))
  const names = Object.keys(filesIn(home.workspace))
  expect(names.filter((name) => name.includes('.mnemonic-tmp-'))).toEqual([])
  const kinds = names.map((name) => name.replace(/^.*?([A-Za-z]+)\.md$/, '$1')).sort()
  return { next: row?.step, sentence: row?.plan_json.includes('"sentence":{') ?? false, kinds }
}

describe('partial-failure states', () => {
  const refused = {
    code: 'STORAGE_ERROR',
    message: expect.stringMatching(/^cannot write .*: ENOSPC$/),
    hint: expect.stringMatching(/room/),
  }

  it('transcript written, summary failed', async () => {
    const home = fresh()
    expect((await publishIn(home, { refuse: { what: 'write', kind: 'summary' } })).error).toMatchObject(refused)
    expect(await standing(home)).toEqual({ next: 'summary', sentence: true, kinds: ['transcript'] })
    await complete(home)
    expect(await leftBy(home)).toEqual(calm)
  })

  it('sentence generated, artifact write failed', async () => {
    const home = fresh()
    expect((await publishIn(home, { refuse: { what: 'write', kind: 'transcript' } })).error).toMatchObject(refused)
    expect(await standing(home)).toEqual({ next: 'transcript', sentence: true, kinds: [] })
    await complete(home)
    expect(await leftBy(home)).toEqual(calm)
  })

  it('the sentence of the first attempt is the one that is published, though another would be written now', async () => {
    const home = fresh()
    await publishIn(home, { refuse: { what: 'write', kind: 'summary' } })
    const text = 'Something else entirely was written about the atlas parser by a second writer, in more than twelve words.'
    const other = { name: 'other', write: async () => text }
    await withStore(home, (store) => artifactsOf(store, home.workspace, { writer: other, clock: () => NOON }).publish())
    expect(await leftBy(home)).toEqual(calm)
  })

  it('sentence generation failed, fallback path engaged', async () => {
    const home = fresh()
    const broken = { name: 'broken', write: () => Promise.reject(new Error('the model is not there')) }
    await withStore(home, async (store) => {
      const report = await artifactsOf(store, home.workspace, { writer: broken }).publish()
      expect(report).toMatchObject({ failed: [], results: [{ status: 'published' }] })
      const rows = await store.read.selectFrom('artifacts').select(['source_kind', 'memory_sentence_quality']).execute()
      const content = rows.filter(({ source_kind }) => source_kind !== 'manifest')
      expect(content.map(({ memory_sentence_quality }) => memory_sentence_quality)).toEqual(['fallback', 'fallback'])
    })
  })

  it('summary/transcript written, manifest failed', async () => {
    const home = fresh()
    expect((await publishIn(home, { refuse: { what: 'rename', kind: 'manifest' } })).error).toMatchObject(refused)
    expect(await standing(home)).toEqual({ next: 'manifest', sentence: true, kinds: ['summary', 'transcript'] })
    await complete(home)
    expect(await leftBy(home)).toEqual(calm)
  })

  it('artifacts+manifest written, MEMORY.md update failed', async () => {
    const home = fresh()
    expect((await publishIn(home, { refuse: { what: 'write', kind: 'MEMORY' } })).error).toMatchObject(refused)
    expect(await standing(home)).toMatchObject({ next: 'projection', kinds: ['LEDGER', 'manifest', 'summary', 'transcript'] })
    await complete(home)
    expect(await leftBy(home)).toEqual(calm)
  })

  it('canonical writes done, DB index update failed', async () => {
    const home = fresh()
    const refuse = "create trigger refuse before insert on artifacts when new.source_kind = 'summary' begin select raise(abort, 'no'); end"
    await sql(home, refuse)
    const run = await publishIn(home)
    expect(run.error).toMatchObject({ code: 'STORAGE_ERROR', message: expect.stringContaining('the database refused the work') })
    expect(await standing(home)).toMatchObject({ next: 'rows', kinds: ['LEDGER', 'MEMORY', 'manifest', 'summary', 'transcript'] })
    await sql(home, 'drop trigger refuse')
    await complete(home)
    expect(await leftBy(home)).toEqual(calm)
  })
})

async function sql({ database }: TestHome, text: string): Promise<void> {
  const { default: Database } = await import('better-sqlite3')
  const db = new Database(database)
  db.exec(text)
  db.close()
}

describe('a disk that refuses', () => {
  it('ulimit -f: a transcript larger than files may be is STORAGE_ERROR with a hint, and nothing of it stays', async () => {
    const long = 'Here is the log of the atlas gateway.\n'.repeat(90_000)
    const home = await seededHome(join(root, 'large'), [{ name: 'large', at: NOON - DAY, prompt: long }])
    const run = await publishIn(home, { before: 'ulimit -f 2048' })
    expect(run.error, run.stderr).toMatchObject({ code: 'STORAGE_ERROR', hint: expect.stringContaining('ulimit') })
    expect(run.names).toEqual(['memory'])
    await complete(home)
    expect(Object.keys(filesIn(home.workspace))).toHaveLength(5)
  })

  it('a full file system: STORAGE_ERROR, no half file on it, and the next run completes', async (context) => {
    const home = fresh()
    mkdirSync(join(home.workspace, 'memory'), { recursive: true })
    const mount = `mount -t tmpfs -o size=8k none '${join(home.workspace, 'memory')}'`
    if (spawnSync('unshare', ['-m', 'sh', '-c', mount]).status !== 0) return context.skip('no file system can be mounted here')
    const run = await publishIn(home, {
      before: `exec unshare -m sh -c "${mount} && head -c 7000 /dev/zero > '${home.workspace}/memory/zeros' && exec \\"\\$@\\"" sh "$@"`,
    })
    expect(run.error, run.stderr).toMatchObject({ code: 'STORAGE_ERROR', message: expect.stringContaining('ENOSPC') })
    expect(run.names.filter((name) => name.includes('mnemonic-tmp'))).toEqual([])
    await complete(home)
    expect(await leftBy(home)).toEqual(calm)
  })

  it.each([
    ['memory', 'a file where the folder of artifacts should be'],
    ['agents', 'a file where the folder of agents should be'],
  ])('%s: %s', async (name) => {
    const home = await seededHome(join(root, `file-${name}`), [{ ...SEEDS[0], name: 'x', at: NOON - DAY, agentId: 'ops' }])
    mkdirSync(home.workspace)
    writeFileSync(join(home.workspace, name), 'a file')
    const run = await publishIn(home, { agentId: 'ops' })
    expect(run.error).toMatchObject({ code: 'STORAGE_ERROR', hint: 'A file stands where a folder should be: move it away.' })
    expect(filesIn(home.workspace)[name]).toBe('a file')
    rmSync(join(home.workspace, name))
    expect(await publishIn(home, { agentId: 'ops' })).toMatchObject({ done: [{ failed: [] }] })
    expect(Object.keys(filesIn(home.workspace))).toContain('agents/ops/MEMORY.md')
  })

  it.each(['MEMORY.md', 'memory/LEDGER.md', 'transcript', 'summary', 'manifest'])('a folder where %s should be', async (which) => {
    const home = fresh()
    const names = Object.keys(calm.files as object)
    const name = names.find((path) => path === which || path.endsWith(`--${which}.md`)) as string
    mkdirSync(join(home.workspace, name), { recursive: true })
    await withStore(home, async (store) => {
      const publishing = artifactsOf(store, home.workspace).publish()
      await expect(publishing).rejects.toMatchObject({ code: 'STORAGE_ERROR', message: expect.stringMatching(/EISDIR|ENOTEMPTY|EEXIST/) })
    })
    expect(Object.keys(filesIn(home.workspace)).filter((file) => file.includes('tmp'))).toEqual([])
    rmSync(join(home.workspace, name), { recursive: true })
    await complete(home)
    expect(await leftBy(home)).toEqual(calm)
  })

  it.skipIf(process.platform === 'win32')(
    'a folder that cannot be written: STORAGE_ERROR, nothing in it, and the next run completes',
    async () => {
      const [store, workspace] = [await tempStore(), tempFolder()]
      await seedSessions(store, SEEDS)
      chmodSync(workspace, 0o755)
      mkdirSync(join(workspace, 'memory'))
      chmodSync(join(workspace, 'memory'), 0o555)
      const publishing = asNobody(() => artifactsOf(store, workspace).publish())
      await expect(publishing).rejects.toMatchObject({
        code: 'STORAGE_ERROR',
        details: { code: 'EACCES' },
        hint: expect.stringMatching(/writable/),
      })
      expect(filesIn(workspace)).toEqual({})
      chmodSync(join(workspace, 'memory'), 0o700)
      expect((await artifactsOf(store, workspace).publish()).results).toMatchObject([{ status: 'published' }])
    },
  )
})

/** For the super-user no folder is closed: then as somebody who is none. */
async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return work()
  process.seteuid?.(65_534)
  try {
    return await work()
  } finally {
    process.seteuid?.(0)
  }
}
