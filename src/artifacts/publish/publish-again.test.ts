import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { artifactsOf, DAY, filesIn, seedSessions } from '../../../test/helpers/artifacts-home.ts'
import { NOON, tempFolder, tempStore } from '../../../test/helpers/store.ts'
import { recordRun } from '../../analyze/record-run.ts'
import { sha256 } from '../../core/hash.ts'
import { sessionEpisodeId } from '../../episodes/agent-session.ts'
import type { Store } from '../../store/store.ts'
import { readManifest } from '../format/read-artifact.ts'

const ID = 'claude-code:a'

async function published(...more: Parameters<typeof seedSessions>[1][number][]) {
  const [store, workspace] = [await tempStore(), tempFolder()]
  await seedSessions(store, [{ name: 'a', at: NOON - 3 * DAY }, ...more])
  const artifacts = artifactsOf(store, workspace)
  await artifacts.publish()
  const manifest = () => {
    const [path] = Object.keys(filesIn(workspace)).filter((name) => name.endsWith('--manifest.md'))
    return readManifest(workspace, path as string) as NonNullable<ReturnType<typeof readManifest>>
  }
  return { store, workspace, artifacts, manifest, files: () => filesIn(workspace) }
}

const rename = (store: Store, title: string) =>
  store.write((tx) => tx.db.updateTable('agent_sessions').set({ title }).where('id', '=', ID).execute())

it('where nothing would be said otherwise, nothing is written', async () => {
  const { artifacts, files } = await published()
  const before = files()
  expect((await artifacts.publish({ again: true })).results).toMatchObject([{ session_id: ID, status: 'unchanged' }])
  expect((await artifacts.publish({ session: ID, again: true })).results).toMatchObject([{ status: 'unchanged' }])
  expect(files()).toEqual(before)
})

it('another summary is a new set a millisecond later; the old one stays as it was, and the manifest names both', async () => {
  const { store, workspace, artifacts, manifest, files } = await published()
  const [before, first] = [files(), manifest()]
  await rename(store, 'A better name of the same work')
  expect((await artifacts.publish()).results).toEqual([])
  expect((await artifacts.publish({ again: true })).results).toMatchObject([{ session_id: ID, status: 'published' }])
  const now = manifest()
  expect(Date.parse(now.captured_at)).toBe(Date.parse(first.captured_at) + 1)
  expect(now.revision).toBeGreaterThan(first.revision)
  expect(now.previous).toMatchObject([{ summary_path: first.summary_path, transcript_path: first.transcript_path }])
  expect(readFileSync(join(workspace, now.summary_path as string), 'utf8')).toContain('A better name of the same work')
  for (const [name, text] of Object.entries(before)) if (/--(?:summary|transcript)\.md$/.test(name)) expect(files()[name]).toBe(text)
  const after = files()
  expect((await artifacts.publish({ again: true })).results).toMatchObject([{ status: 'unchanged' }])
  expect((await artifacts.publish()).results).toEqual([])
  expect(files()).toEqual(after)
  expect((await artifacts.verify()).problems).toEqual([])
  expect(after['MEMORY.md']).toContain(now.summary_path)
})

it('a process that dies at any step of it is made up for, once', async () => {
  for (const step of ['sentence', 'transcript', 'summary', 'manifest', 'projection', 'rows', 'end']) {
    const { store, workspace, manifest, artifacts } = await published()
    await rename(store, `Another name at ${step}`)
    const dies = artifactsOf(store, workspace, { onStep: (at) => (at === step ? Promise.reject(new Error('died')) : undefined) })
    await expect(dies.publish({ again: true })).rejects.toThrow('died')
    await artifacts.publish()
    await artifacts.publish({ again: true })
    expect(readFileSync(join(workspace, manifest().summary_path as string), 'utf8'), step).toContain(`Another name at ${step}`)
    expect(manifest().previous, step).toHaveLength(1)
    expect((await artifacts.verify()).problems, step).toEqual([])
  }
})

it('what a model said of the session meanwhile is taken, whoever ran it; what saw less than all of it is not', async () => {
  const { store, workspace, artifacts, manifest } = await published()
  const text = 'Mended step 1 of the session so that the project a keeps what src/a.ts had lost before the weekend.'
  const run = (sentence: string) =>
    store.write((tx) =>
      recordRun(tx, {
        ...{ type: 'memory_sentence_v1', version: '2', episode: sessionEpisodeId(ID), agentId: 'main', implementation: 'a-model' },
        ...{ output: { text: sentence, quality: 'ok' }, contentHash: sha256('x'), now: NOON },
      }),
    )
  const sentence = () => /^memory_sentence: (.*)$/m.exec(readFileSync(join(workspace, manifest().summary_path as string), 'utf8'))?.[1]
  const project = await store.read.selectFrom('agent_sessions').select('project').where('id', '=', ID).executeTakeFirstOrThrow()
  const named = text.replace('project a', `project ${project.project?.replace(/^.*\//, '')}`)
  await run(named)
  await artifacts.publish({ again: true })
  expect(sentence()).toContain('Mended step 1')
  await run('Worked on task.')
  await artifacts.publish({ again: true })
  expect(sentence()).not.toContain('Mended step 1')
  await run(named)
  await store.write((tx) => tx.db.updateTable('analysis_runs').set({ last_event_id: 'earlier', revision: null }).execute())
  await artifacts.publish({ again: true })
  expect(sentence()).not.toContain('Mended step 1')
})

it('a text that a person accepted is never replaced', async () => {
  const { workspace, artifacts, store, manifest, files } = await published()
  const path = manifest().summary_path as string
  writeFileSync(join(workspace, path), `${readFileSync(join(workspace, path), 'utf8')}\nMy own remark.\n`)
  await artifacts.accept(path)
  await rename(store, 'Another name')
  const before = files()
  expect((await artifacts.publish({ again: true })).results).toMatchObject([{ status: 'unchanged' }])
  expect(files()).toEqual(before)
})

it.each(['summary_path', 'transcript_path'] as const)('an edited file of the newer set (%s) is written again as it was', async (which) => {
  const { store, workspace, artifacts, manifest, files } = await published()
  await rename(store, 'A better name of the same work')
  await artifacts.publish({ again: true })
  const path = manifest()[which] as string
  const before = files()
  writeFileSync(join(workspace, path), `${readFileSync(join(workspace, path), 'utf8')}\nA word of mine.\n`)
  expect(await artifacts.restore(path)).toMatchObject({ path, kept: expect.stringContaining('.replaced-') })
  const after = Object.entries(files()).filter(([name]) => !name.includes('.replaced-'))
  expect(Object.fromEntries(after)).toEqual(before)
  expect((await artifacts.verify()).problems).toEqual([])
})
