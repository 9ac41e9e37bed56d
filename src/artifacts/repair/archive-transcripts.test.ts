import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { artifactsOf, DAY, filesIn, seedSessions } from '../../../test/helpers/artifacts-home.ts'
import { NOON, tempFolder, tempStore } from '../../../test/helpers/store.ts'
import { archivedPath } from '../format/artifact-name.ts'
import { openPublished } from '../format/open-published.ts'
import { removeSessionSet } from '../publish/remove-set.ts'

const OLD = { name: 'old', at: NOON - 40 * DAY }
const OLDER = { name: 'older', at: NOON - 90 * DAY }
const NEW = { name: 'new', at: NOON - 3 * DAY }
const seeds = [OLDER, OLD, NEW]

async function published() {
  const [store, workspace] = [await tempStore(), tempFolder()]
  await seedSessions(store, seeds)
  await artifactsOf(store, workspace).publish()
  const transcripts = () =>
    Object.entries(filesIn(workspace)).flatMap(([name, text]) =>
      name.endsWith('--transcript.md') && !text.startsWith('<!-- mnemonic:moved') ? [name] : [],
    )
  const rows = () => store.read.selectFrom('artifacts').selectAll().orderBy('source_path').execute()
  const of = (name: string) => artifactsOf(store, workspace).open(`claude-code:${name}`)
  return { store, workspace, artifacts: artifactsOf(store, workspace), transcripts, rows, of }
}

type Home = Awaited<ReturnType<typeof published>>

async function whole({ artifacts, workspace, transcripts, rows }: Home): Promise<void> {
  expect((await artifacts.verify()).problems).toEqual([])
  const before = await rows()
  expect(await artifacts.reindex()).toMatchObject({ repaired: 0, removed: 0, fenced: 0, problems: [] })
  expect(await rows()).toEqual(before)
  expect(before.filter(({ source_kind }) => source_kind === 'transcript').map(({ source_path }) => source_path)).toEqual(
    transcripts().sort(),
  )
  expect(Object.keys(filesIn(workspace)).filter((name) => name.includes('.mnemonic-tmp-'))).toEqual([])
}

it('moves the transcripts of sessions that left the window, and nothing else; the links of their manifests follow', async () => {
  const home = await published()
  const texts = filesIn(home.workspace)
  const before = await home.of('old')
  const report = await home.artifacts.archive()
  expect(report).toMatchObject({ dry_run: false, failed: [] })
  expect(report.archived.map(({ session_id }) => session_id)).toEqual(['claude-code:older', 'claude-code:old'])
  const path = archivedPath(before?.transcript_path as string)
  expect(await home.of('old')).toEqual({ ...before, transcript_path: path })
  expect(readFileSync(join(home.workspace, path), 'utf8')).toBe(texts[before?.transcript_path as string])
  expect(home.transcripts().filter((name) => !name.startsWith('memory/archive/'))).toEqual([(await home.of('new'))?.transcript_path])
  expect(readFileSync(join(home.workspace, before?.manifest_path as string), 'utf8')).toContain(`[[${path}`)
  await whole(home)
  expect(await home.artifacts.archive()).toMatchObject({ archived: [], bytes: 0 })
})

it('--before takes fewer, never one of the window; a dry run moves nothing', async () => {
  const home = await published()
  const ids = async (options: Parameters<typeof home.artifacts.archive>[0]) =>
    (await home.artifacts.archive(options)).archived.map(({ session_id }) => session_id)
  const before = filesIn(home.workspace)
  expect(await ids({ before: NOON, dryRun: true })).toEqual(['claude-code:older', 'claude-code:old'])
  expect(filesIn(home.workspace)).toEqual(before)
  expect(await ids({ before: NOON - 60 * DAY })).toEqual(['claude-code:older'])
  await whole(home)
})

it('an older set of a session that went on stays while the session is in the window', async () => {
  const home = await published()
  // One more, recent turn.
  await seedSessions(home.store, [{ ...OLD, at: OLD.at + 38 * DAY, turns: 3 }])
  await home.artifacts.publish()
  expect((await home.artifacts.archive()).archived.map(({ session_id }) => session_id)).toEqual(['claude-code:older'])
  await whole(home)
})

it('what is not as it was published is left where it is, and named', async () => {
  const home = await published()
  const { transcript_path: path } = (await home.of('old')) as { transcript_path: string }
  writeFileSync(join(home.workspace, path), `${readFileSync(join(home.workspace, path), 'utf8')}\nan edit\n`)
  const report = await home.artifacts.archive()
  expect(report.failed).toEqual([{ path, error: `${path} is not archived: its text is not the one its checksum was made of` }])
  expect(report.archived).toHaveLength(1)
  expect(existsSync(join(home.workspace, path))).toBe(true)
})

describe('killed before each step, the next run ends it', () => {
  it.each(['copy', 'manifest', 'row', 'remove', 'end'])('%s', async (step) => {
    const home = await published()
    const stopped = artifactsOf(home.store, home.workspace, {
      onStep: (name) => {
        if (name === step) throw new Error('killed')
      },
    })
    await expect(stopped.archive()).rejects.toThrow('killed')
    // At every moment the manifest's paths exist.
    expect((await home.artifacts.verify()).problems.filter(({ kind }) => kind !== 'orphaned')).toEqual([])
    await home.artifacts.archive()
    await whole(home)
    const undisturbed = await published()
    await undisturbed.artifacts.archive()
    expect(filesIn(home.workspace)).toEqual(filesIn(undisturbed.workspace))
  })

  it.each(['manifest', 'remove'])('re-index in between, at %s, changes nothing of that', async (step) => {
    const home = await published()
    const onStep = (name: string) => {
      if (name === step) throw new Error('killed')
    }
    await expect(artifactsOf(home.store, home.workspace, { onStep }).archive()).rejects.toThrow('killed')
    await home.artifacts.reindex()
    await home.artifacts.archive()
    await whole(home)
  })
})

it('a link to the transcript as it was published opens it in the archive', async () => {
  const home = await published()
  const { transcript_path: named } = (await home.of('old')) as { transcript_path: string }
  await home.artifacts.archive()
  for (const path of [named, archivedPath(named)]) {
    const opened = await openPublished({ store: home.store, workspace: home.workspace, agentId: 'main' }, path)
    expect(opened).toMatchObject({ path: archivedPath(named), kind: 'transcript', sessionId: 'claude-code:old' })
  }
  for (const path of [archivedPath(named.replace('transcript', 'summary')), 'memory/archive/notes.md', 'memory/archive/../archive/x.md'])
    expect(await openPublished({ store: home.store, workspace: home.workspace, agentId: 'main' }, path)).toBeUndefined()
})

it('forgetting removes both copies of a move that was not ended, and one that was', async () => {
  const home = await published()
  const onStep = (name: string) => {
    if (name === 'row') throw new Error('killed')
  }
  await home.artifacts.archive({ before: NOON - 60 * DAY })
  await expect(artifactsOf(home.store, home.workspace, { onStep }).archive()).rejects.toThrow('killed')
  for (const [name, copies] of [
    ['older', 2],
    ['old', 2],
  ] as const) {
    const { transcript_path: path } = (await home.of(name)) as { transcript_path: string }
    const token = /--([a-z2-7]{16})--/.exec(path)?.[1] as string
    const removed = await removeSessionSet(home, { sessionId: `claude-code:${name}`, token })
    expect(removed.filter((one) => one.endsWith('--transcript.md'))).toHaveLength(copies)
    expect(removed).toContain(archivedPath(path))
    expect(Object.keys(filesIn(home.workspace)).filter((one) => one.includes(token))).toEqual([])
  }
  await home.artifacts.reindex()
  expect((await home.artifacts.archive()).archived).toEqual([])
  await whole(home)
})

it('what is forgotten just before it is copied does not appear in the archive', async () => {
  const home = await published()
  const { transcript_path: path } = (await home.of('older')) as { transcript_path: string }
  const token = /--([a-z2-7]{16})--/.exec(path)?.[1] as string
  let forgotten = false
  const onStep = async (name: string) => {
    if (name === 'copy' && !forgotten) await removeSessionSet(home, { sessionId: 'claude-code:older', token })
    forgotten = true
  }
  const report = await artifactsOf(home.store, home.workspace, { onStep }).archive()
  expect(report.archived.map(({ session_id }) => session_id)).toEqual(['claude-code:old'])
  expect(Object.keys(filesIn(home.workspace)).filter((one) => one.includes(token))).toEqual([])
})

it('published again, or its manifest lost: an archived transcript is not written a second time', async () => {
  const home = await published()
  await home.artifacts.archive()
  const before = filesIn(home.workspace)
  expect((await home.artifacts.publish({ again: true })).results.filter(({ status }) => status === 'published')).toEqual([])
  expect(filesIn(home.workspace)).toEqual(before)
  const { manifest_path, transcript_path } = (await home.of('old')) as { manifest_path: string; transcript_path: string }
  rmSync(join(home.workspace, manifest_path))
  await home.artifacts.publish({ session: 'claude-code:old' })
  expect(await home.of('old')).toMatchObject({ manifest_path, transcript_path })
  await whole(home)
})

it('restore writes an edited or lost transcript where the archive had it; accept keeps an edit beside it', async () => {
  const home = await published()
  const { transcript_path: named } = (await home.of('old')) as { transcript_path: string }
  await home.artifacts.archive()
  const path = archivedPath(named)
  const text = readFileSync(join(home.workspace, path), 'utf8')
  writeFileSync(join(home.workspace, path), `${text}\nan edit\n`)
  expect((await home.artifacts.verify()).problems).toMatchObject([{ path, kind: 'tampered' }])
  expect((await home.artifacts.restore(named)).path).toBe(path)
  rmSync(join(home.workspace, path))
  expect(await home.artifacts.restore(named)).toEqual({ path, kept: undefined })
  expect(readFileSync(join(home.workspace, path), 'utf8')).toBe(text)
  writeFileSync(join(home.workspace, path), `${text}\nan edit\n`)
  const accepted = await home.artifacts.accept(path)
  expect(accepted).toMatchObject({ from: path, restored: true })
  expect((await home.of('old'))?.transcript_path).toBe(accepted.path)
  for (const kept of Object.keys(filesIn(home.workspace)).filter((name) => name.includes('.replaced-'))) rmSync(join(home.workspace, kept))
  await whole(home)
})

it('where a transcript was, a note leads to it: every link finds a file, and nobody takes the note for an artifact', async () => {
  const home = await published()
  const old = (await home.of('old'))?.transcript_path as string
  const original = readFileSync(join(home.workspace, old), 'utf8')
  await home.artifacts.archive()
  const files = filesIn(home.workspace)
  for (const text of Object.values(files))
    for (const [, path = ''] of text.matchAll(/\[\[(memory\/[^\]|]+)/g)) expect(Object.keys(files)).toContain(path)
  expect(files[old]).toBe(`<!-- mnemonic:moved v1 -->\nThis transcript was moved into the archive: [[${archivedPath(old)}|transcript]].\n`)
  await whole(home)
  expect((await openPublished({ store: home.store, workspace: home.workspace, agentId: 'main' }, old))?.path).toBe(archivedPath(old))
  // The old path refers to the moved transcript.
  writeFileSync(join(home.workspace, archivedPath(old)), original.replace('parser', 'tampered'))
  expect((await home.artifacts.restore(old)).path).toBe(archivedPath(old))
  rmSync(join(home.workspace, archivedPath(old)))
  expect((await home.artifacts.restore(old)).path).toBe(archivedPath(old))
  expect(readFileSync(join(home.workspace, archivedPath(old)), 'utf8')).toBe(original)
  expect(filesIn(home.workspace)[old]).toBe(files[old])
  const { recover } = home.artifacts
  expect(await recover()).toMatchObject({ unfinished: 0, reindexed: { repaired: 0, removed: 0, problems: [] } })
  const [row] = (await home.rows()).filter(({ source_path }) => source_path === archivedPath(old))
  const removed = await removeSessionSet(
    { store: home.store, workspace: home.workspace },
    { sessionId: 'claude-code:old', token: row?.session_token as string },
  )
  expect(removed).toContain(old)
  expect(Object.keys(filesIn(home.workspace)).filter((name) => name.includes(row?.session_token as string))).toEqual([])
})
