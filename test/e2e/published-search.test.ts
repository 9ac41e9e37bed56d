/** Published history without its ledger: a new database over an old workspace, and what wikilinks name. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { binaryHome } from '../helpers/run-binary.ts'

const home = binaryHome()
const workspace = join(home.root, 'workspace')
const database = join(home.root, 'home', 'mnemonic.db')
const log = join(home.root, 'boat.jsonl')
afterAll(() => home.remove())

const ID = 'jsonl:boat'
const LINES = [
  ['user', 'Which varnish does the wherry need before the regatta?'],
  ['assistant', 'We decided on three coats of spar varnish, sanded with grit 320 between them. The quillfeather brush is best for it.'],
  ['user', 'And the oars?'],
  ['assistant', 'The oars get linseed oil. They dry for two days in the loft.'],
] as const

interface Hit {
  readonly path: string
  readonly source: string
  readonly session_id: string
  readonly trust: string
  readonly content: string
  readonly turn_id: string
}

async function json<T>(...argv: string[]): Promise<T> {
  const { code, stdout, stderr } = await home.runHere(...argv, '--json')
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout) as T
}

const search = async (...argv: string[]) => (await json<{ results: Hit[] }>('search', ...argv)).results
const kindOf = (path: string) => /--(\w+)\.md$/.exec(path)?.[1]
const named = (kind: string) => {
  const name = readdirSync(join(workspace, 'memory')).find((file) => file.endsWith(`--${kind}.md`))
  return `memory/${name}`
}

beforeAll(async () => {
  writeFileSync(
    log,
    LINES.map(([role, content], i) =>
      JSON.stringify({ role, content, timestamp: `2026-02-05T10:3${i}:00Z`, session_id: 'boat', message_id: `m${i}` }),
    )
      .join('\n')
      .concat('\n'),
  )
  await home.runHere('sync', '--no-embed', '--path', log)
  await home.runHere('memory', 'publish')
})

describe('where the ledger holds the session', () => {
  it('its turns are found, and its summary does not take their place', async () => {
    const hits = await search('varnish of the wherry')
    expect(hits.map(({ source }) => source)).toContain('sessions')
    expect(hits[0]).toMatchObject({ source: 'sessions', session_id: ID })
    expect(hits.filter(({ path }) => path.startsWith('memory/'))).toEqual([])
    expect(await search('varnish of the wherry', '--limit', '1')).toMatchObject([{ source: 'sessions' }])
  })

  it('the summary alone is mirrored and indexed', async () => {
    const { rows } = await json<{ rows: unknown[][] }>('sql', "select path, kind from files where source = 'memory'")
    expect(rows).toEqual([[named('summary'), 'published-summary']])
  })
})

describe('a new database over an old workspace', () => {
  beforeAll(async () => {
    for (const end of ['', '-wal', '-shm']) rmSync(`${database}${end}`, { force: true })
    await json('memory', 'reindex')
  })

  it('search finds the summary and the transcript, as what they are', async () => {
    const hits = await search('varnish of the wherry')
    expect(new Set(hits.map(({ path }) => kindOf(path)))).toEqual(new Set(['summary', 'transcript']))
    for (const hit of hits) expect(hit).toMatchObject({ source: 'memory', session_id: ID, trust: 'untrusted', turn_id: '' })
    const [said] = await search('quillfeather brush')
    expect(said).toMatchObject({ path: named('transcript'), content: expect.stringContaining('quillfeather') })
    // What every file begins with is about nothing.
    for (const { content } of hits) expect(content).not.toContain('A record of a past session')
  })

  it('another reindex changes nothing', async () => {
    const all = 'select id, path, hash, updated_at from files order by id'
    const before = await json('sql', all)
    await json('memory', 'reindex')
    expect(await json('sql', all)).toEqual(before)
  })

  it.each(['summary', 'transcript', 'manifest'])('show and memory_get open the %s that a wikilink names', async (kind) => {
    const path = named(kind)
    const text = readFileSync(join(workspace, path), 'utf8')
    for (const name of [path, `[[${path}]]`, `[[${path}|${kind}]]`]) {
      const { document } = await json<{ document: { text: string; kind: string; session_id: string } }>('show', name)
      expect(document).toMatchObject({ path, kind, source: 'memory', session_id: ID, trust: 'untrusted', text })
    }
    const part = await json<{ document: { text: string; from: number } }>('show', `${path}#L2-L3`)
    expect(part.document).toMatchObject({ from: 2, text: `${text.split('\n').slice(1, 3).join('\n')}\n` })
  })

  it('and the lists', async () => {
    for (const path of ['MEMORY.md', 'memory/LEDGER.md']) {
      const { document } = await json<{ document: { text: string } }>('show', path)
      expect(document).toMatchObject({ path, text: readFileSync(join(workspace, path), 'utf8') })
    }
  })

  it('nothing else is opened: no other file, no link, no path out of the workspace', async () => {
    const token = /--(\w{16})--/.exec(named('summary'))?.[1]
    writeFileSync(join(workspace, 'memory', 'note.txt'), 'plain')
    writeFileSync(join(home.root, 'outside.md'), 'outside')
    const link = `memory/2026-01-01T00-00-00.000Z--${token}--summary.md`
    symlinkSync(join(home.root, 'outside.md'), join(workspace, link))
    mkdirSync(join(workspace, 'agents', 'other'), { recursive: true })
    writeFileSync(join(workspace, 'agents', 'other', 'MEMORY.md'), '# somebody else’s\n')
    const gone = `memory/2026-01-02T00-00-00.000Z--${token}--summary.md`
    for (const path of [
      'memory/note.txt',
      '../outside.md',
      link,
      'agents/other/MEMORY.md',
      gone,
      `[[${gone}|summary]]`,
      'memory/tombstones.jsonl',
    ]) {
      const { code, stderr } = await home.runHere('show', path, '--json')
      expect(code, path).toBe(1)
      expect(stderr, path).toContain('NOT_FOUND')
    }
    expect((await home.runHere('show', gone)).stderr).toContain('memory open')
    rmSync(join(workspace, link))
  })

  it('a sync that brings the session takes its transcript out of the index, and the summary stays', async () => {
    await home.runHere('sync', '--no-embed', '--path', log)
    const { rows } = await json<{ rows: unknown[][] }>('sql', "select path from files where source = 'memory'")
    expect(rows).toEqual([[named('summary')]])
    expect(await search('quillfeather brush')).toMatchObject([{ source: 'sessions', session_id: ID }])
  })

  it('forgetting removes the mirror and the index with the files, and nothing of it is left', async () => {
    const { code, stderr } = await home.runHere('forget', '--session', ID, '--yes', '--json')
    expect(code, stderr).toBe(0)
    expect(await search('varnish of the wherry')).toEqual([])
    expect((await json<{ rows: unknown[][] }>('sql', 'select count(*) from files')).rows).toEqual([[0]])
    expect(readdirSync(join(workspace, 'memory')).filter((name) => name.includes('--'))).toEqual([])
    expect(readFileSync(database).includes('quillfeather')).toBe(false)
  })
})

/** A home whose database is new, over a workspace in which the session was published. */
async function overOldWorkspace() {
  const other = binaryHome()
  const run = async (...argv: string[]) => {
    const { code, stdout, stderr } = await other.runHere(...argv)
    expect(code, stderr).toBe(0)
    return stdout
  }
  await run('sync', '--no-embed', '--path', log)
  await run('memory', 'publish')
  const file = join(other.root, 'home', 'mnemonic.db')
  for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
  await run('memory', 'reindex')
  const found = async (query: string) => (JSON.parse(await run('search', query, '--json')) as { results: Hit[] }).results
  const sets = () => readdirSync(join(other.root, 'workspace', 'memory')).filter((name) => name.includes('--'))
  return { ...other, run, file, found, sets }
}

it('what is forgotten in a text that only a published file holds goes with its set, and comes back with no source', async () => {
  const { run, file, found, sets, remove } = await overOldWorkspace()
  const plan = JSON.parse(await run('forget', '--match', 'quillfeather', '--dry-run', '--json'))
  expect(plan).toMatchObject({ would_remove: { document: 1 }, sessions: [ID] })
  await run('forget', '--match', 'quillfeather', '--yes')
  expect(await found('varnish of the wherry')).toEqual([])
  expect(readFileSync(file).includes('quillfeather')).toBe(false)
  expect(sets()).toEqual([])
  await run('memory', 'reindex')
  await run('sync', '--no-embed', '--path', log)
  await run('index', '--all')
  expect((await found('quillfeather brush')).filter(({ content }) => content.includes('quillfeather'))).toEqual([])
  expect((await found('linseed oil')).map(({ session_id }) => session_id)).toEqual([ID])
  expect(readFileSync(file).includes('quillfeather')).toBe(false)
  remove()
})

it.each([
  ['--session', ID],
  ['--before', '2026-02-06'],
])('forget %s takes a session of which only published files are known', async (option, value) => {
  const { run, file, found, sets, remove } = await overOldWorkspace()
  expect(JSON.parse(await run('forget', '--before', '2026-02-05', '--dry-run', '--json'))).toMatchObject({ sessions: [] })
  expect(JSON.parse(await run('forget', option, value, '--yes', '--json'))).toMatchObject({ status: 'gone', removed: { session: 1 } })
  expect(await found('varnish of the wherry')).toEqual([])
  expect(sets()).toEqual([])
  await run('sync', '--no-embed', '--path', log)
  await run('memory', 'reindex')
  expect(await found('varnish of the wherry')).toEqual([])
  expect(readFileSync(file).includes('quillfeather')).toBe(false)
  remove()
})

it('a document of many chunks is counted once', async () => {
  const other = binaryHome()
  mkdirSync(join(other.root, 'workspace'), { recursive: true })
  writeFileSync(join(other.root, 'workspace', 'long.md'), '# Log\n\nThe quillfeather brush again.\n\n'.repeat(200))
  await other.runHere('sync', '--no-embed')
  const { stdout } = await other.runHere('forget', '--match', 'quillfeather', '--dry-run', '--json')
  const { would_remove, tables } = JSON.parse(stdout)
  expect(tables.chunks).toBeGreaterThan(1)
  expect(would_remove.document).toBe(1)
  other.remove()
})

it('a word that only an edited summary holds is found, though a turn of the session is near in meaning', async () => {
  const own = binaryHome()
  onTestFinished(() => own.remove())
  const found = async (query: string) => {
    const { results } = JSON.parse((await own.runHere('search', query, '--json')).stdout) as { results: Hit[] }
    return results
  }
  await own.runHere('sync', '--no-embed', '--path', log)
  await own.runHere('memory', 'publish')
  const folder = join(own.root, 'workspace', 'memory')
  const name = readdirSync(folder).find((file) => file.endsWith('--summary.md')) as string
  const text = readFileSync(join(folder, name), 'utf8')
  chmodSync(join(folder, name), 0o600)
  writeFileSync(join(folder, name), `${text}\nThe halyard must be spliced before the regatta.\n`)
  expect((await own.runHere('memory', 'accept', `memory/${name}`)).code).toBe(0)
  expect((await own.runHere('embed')).code).toBe(0)
  const hits = await found('halyard')
  expect(hits[0]).toMatchObject({ source: 'memory', session_id: ID, content: expect.stringContaining('halyard') })
  // What a turn says as well is that turn's.
  expect((await found('varnish of the wherry')).map(({ source }) => source)).not.toContain('memory')
})

it('a session whose summary is its best hit has its own short id in lists', async () => {
  const other = binaryHome()
  onTestFinished(() => other.remove())
  const file = join(other.root, 'skiff.jsonl')
  writeFileSync(file, readFileSync(log, 'utf8').replaceAll('"boat"', '"skiff-of-the-harbour"'))
  await other.runHere('sync', '--no-embed', '--path', file)
  await other.runHere('memory', 'publish')
  const folder = join(other.root, 'workspace', 'memory')
  const summary = join(folder, readdirSync(folder).find((name) => name.endsWith('--summary.md')) ?? '')
  chmodSync(summary, 0o644)
  writeFileSync(summary, `${readFileSync(summary, 'utf8')}\nA heron was seen.\n`)
  expect((await other.runHere('memory', 'accept', summary)).code).toBe(0)
  const { results, groups } = JSON.parse((await other.runHere('search', 'heron', '--json')).stdout)
  expect(results[0].path).toMatch(/--summary\.md$/)
  expect(groups[0]).toMatchObject({ id: 'skiff-of', session_id: 'jsonl:skiff-of-the-harbour' })
  for (const look of [[], ['-l']])
    expect((await other.runHere('search', 'heron', ...look)).stdout).toMatch(/^1 .* 2026-02-05 {2}skiff-of\n/)
  expect((await other.runHere('show', groups[0].id)).stdout).toContain('varnish')
})
