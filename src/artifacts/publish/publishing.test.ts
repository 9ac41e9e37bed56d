import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { artifactsOf, DAY, filesIn, seedSessions } from '../../../test/helpers/artifacts-home.ts'
import { NOON, tempFolder, tempStore } from '../../../test/helpers/store.ts'
import { agentsWriter } from '../../ledgers/agents-writer.ts'
import { removeSession } from '../../ledgers/removal/remove-forgotten.ts'
import type { Store } from '../../store/store.ts'
import { addTombstones } from '../../tombstones/write-tombstones.ts'
import { parseArtifact } from '../format/frontmatter.ts'
import type { ManifestFrontmatter } from '../format/frontmatter-schema.ts'
import { readManifest } from '../format/read-artifact.ts'
import { sessionToken } from '../format/session-token.ts'
import { openPublications } from './journal.ts'
import { changeManifest, swapManifest } from './manifest-file.ts'
import { removeSessionSet } from './remove-set.ts'

const A = { name: 'a', at: NOON - 3 * DAY }

async function seeded(...seeds: Parameters<typeof seedSessions>[1][number][]) {
  const [store, workspace] = [await tempStore(), tempFolder()]
  await seedSessions(store, seeds)
  return { store, workspace, artifacts: artifactsOf(store, workspace), files: () => filesIn(workspace) }
}

function names(files: Record<string, string>, kind: string): string[] {
  return Object.keys(files).filter((name) => name.endsWith(`--${kind}.md`))
}

function manifestIn(files: Record<string, string>): ManifestFrontmatter & { path: string } {
  const [path] = names(files, 'manifest') as [string]
  return { ...(parseArtifact(files[path] as string, path).frontmatter as ManifestFrontmatter), path }
}

describe('a session', () => {
  it('is published once it was silent long enough, without a sync before', async () => {
    const { store, workspace, files } = await seeded({ name: 'quiet', at: NOON - 60 * 60_000 })
    expect((await artifactsOf(store, workspace, { quietMs: 7_200_000 }).publish()).results).toEqual([])
    const later = artifactsOf(store, workspace, { quietMs: 7_200_000, clock: () => NOON + 7_200_000 })
    expect((await later.publish()).results).toMatchObject([{ session_id: 'claude-code:quiet', status: 'published' }])
    expect(names(files(), 'transcript')).toHaveLength(1)
  })

  it('that goes on is published without its last turn, which may still change', async () => {
    const { artifacts, files } = await seeded({ name: 'now', at: NOON - 10 * 60_000, turns: 3 })
    expect((await artifacts.publish({ session: 'claude-code:now' })).results).toMatchObject([{ status: 'published' }])
    const [path] = names(files(), 'transcript')
    expect(files()[path as string]).toContain('step 1 of session now')
    expect(files()[path as string]).not.toContain('step 2 of session now')
  })

  it('that is not published has one reason, the true one', async () => {
    const { store, artifacts } = await seeded(
      A,
      { name: 'now', at: NOON - 60_000, turns: 1 },
      { name: 'silent', at: A.at },
      { name: 'timeless', at: A.at },
    )
    await store.write(async (tx) => {
      await tx.db.updateTable('agent_messages').set({ content: '' }).where('session_id', '=', 'claude-code:silent').execute()
      await tx.db.updateTable('agent_messages').set({ timestamp: null }).where('session_id', '=', 'claude-code:timeless').execute()
      const never = { last_message_at: null, created_at: null, started_at: null }
      await tx.db.updateTable('agent_sessions').set(never).where('id', '=', 'claude-code:timeless').execute()
    })
    const reasonOf = async (name: string) =>
      (await artifacts.publish({ session: `claude-code:${name}` })).results.map(({ reason }) => reason)
    expect(await reasonOf('now')).toEqual(['its first turn still goes on'])
    expect(await reasonOf('silent')).toEqual(['nothing was said in it'])
    expect(await reasonOf('timeless')).toEqual(['none of it has a time, and files are named by it'])
  })

  it('is published into a workspace where other things have our names', async () => {
    const { workspace, artifacts, files } = await seeded(A)
    writeFileSync(join(workspace, 'agents'), 'not a folder')
    expect((await artifacts.publish()).failed).toEqual([])
    rmSync(join(workspace, 'agents'))
    mkdirSync(join(workspace, 'agents'))
    writeFileSync(join(workspace, 'agents', 'README.md'), 'mine')
    expect(await artifacts.recover()).toMatchObject({ failed: [], leftovers: 0 })
    expect(files()['agents/README.md']).toBe('mine')
  })

  it('of another agent is not found by its id', async () => {
    const { artifacts } = await seeded({ ...A, agentId: 'ops' })
    await expect(artifacts.publish({ session: 'claude-code:a' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(artifacts.open('claude-code:a')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('of an agent with the name of a path leaves nothing outside its folder', async () => {
    const { store, workspace, files } = await seeded({ ...A, agentId: '../../evil' })
    await artifactsOf(store, workspace, { agentId: '../../evil' }).publish()
    expect(Object.keys(files()).filter((name) => name.endsWith('MEMORY.md'))).toEqual([expect.stringMatching(/^agents\/\.\.-\.\.-evil-/)])
    expect(readdirSync(join(workspace, '..')).filter((name) => name === 'evil')).toEqual([])
  })

  it('that was half published and then went on has one manifest, which knows the transcript of the first attempt', async () => {
    const { store, workspace, artifacts, files } = await seeded(A)
    const stop = (step: string) => {
      if (step === 'summary') throw new Error('stop')
    }
    await expect(artifactsOf(store, workspace, { onStep: stop }).publish()).rejects.toThrow('stop')
    const [first] = names(files(), 'transcript')
    await seedSessions(store, [{ ...A, turns: 3 }])
    await artifacts.publish()
    const manifest = manifestIn(files())
    expect(names(files(), 'manifest')).toHaveLength(1)
    expect(manifest.transcript_path).not.toBe(first)
    expect(manifest.previous).toMatchObject([{ transcript_path: first, summary_path: null }])
    expect(await openPublications(store)).toEqual([])
    expect((await artifacts.verify()).problems).toEqual([])
  })

  it('that got another title between two attempts is finished with the transcript of the first', async () => {
    const { store, workspace, artifacts, files } = await seeded(A)
    const stop = (step: string) => {
      if (step === 'summary') throw new Error('stop')
    }
    await expect(artifactsOf(store, workspace, { onStep: stop }).publish()).rejects.toThrow('stop')
    const [path] = names(files(), 'transcript') as [string]
    const before = files()[path]
    // Simulates a crash before the step was recorded.
    await store.write(async (tx) => void (await tx.db.updateTable('artifact_journal').set({ step: 'transcript' }).execute()))
    await store.write(async (tx) => void (await tx.db.updateTable('agent_sessions').set({ title: 'Another title' }).execute()))
    expect(await artifacts.publish()).toMatchObject({ results: [{ status: 'published' }], failed: [] })
    expect(files()[path]).toBe(before)
    expect((await artifacts.verify()).problems).toEqual([])
  })

  it('whose messages all have one time gets a new set when it goes on, once, and each can be told from the other', async () => {
    const { store, artifacts, files } = await seeded()
    const message = (n: number, role: 'user' | 'assistant') => ({
      ...{ type: 'message' as const, session: 'a', id: `${n}-${role}`, hash: `${n}-${role}`, role, timestamp: A.at },
      ...{
        kind: role === 'user' ? ('prompt' as const) : ('reply' as const),
        trust: role === 'user' ? ('owner' as const) : ('agent' as const),
      },
      text: `${role === 'user' ? 'Please look at' : 'I looked at'} part ${n} of src/parser.ts in atlas.`,
    })
    const say = async (...numbers: number[]) => {
      const writer = agentsWriter({ source: 'cursor', clock: () => NOON, quietMs: 7_200_000 })
      await store.write(async (tx) => {
        await writer.apply(tx, [{ type: 'session', session: 'a', firstHash: 'a', project: '/home/dev/atlas' }])
        await writer.apply(
          tx,
          numbers.flatMap((n) => [message(n, 'user'), message(n, 'assistant')]),
        )
        await writer.finish(tx)
      })
    }
    await say(1)
    await artifacts.publish()
    await say(1, 2)
    expect((await artifacts.publish()).results).toMatchObject([{ status: 'published' }])
    expect((await artifacts.publish()).results).toEqual([])
    const [first, second, ...more] = names(files(), 'transcript') as [string, string]
    expect(more).toEqual([])
    expect(files()[first]).not.toContain('part 2')
    expect(files()[second]).toContain('part 2')
    expect(manifestIn(files())).toMatchObject({ transcript_path: second, previous: [{ transcript_path: first }] })
    expect(await artifacts.restore(second)).toMatchObject({ path: second })
    await expect(artifacts.restore(first)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await artifacts.verify()).problems).toEqual([])
  })

  it('that a compaction ends after it was published keeps its set', async () => {
    const { store, artifacts, files } = await seeded(A)
    await artifacts.publish()
    await seedSessions(store, [{ ...A, compaction: 'what the session was about' }])
    // After the last turn, as a harness writes it.
    await store.write(async (tx) => void (await tx.db.updateTable('agent_turns').set({ status: 'final' }).execute()))
    await artifacts.publish()
    expect([names(files(), 'compaction'), names(files(), 'transcript')]).toMatchObject([{ length: 1 }, { length: 1 }])
    const [path] = names(files(), 'compaction') as [string]
    expect(parseArtifact(files()[path] as string, path).frontmatter).toMatchObject({ source_node_id: 'claude-code:a/a-1.5-system' })
  })

  it('with a compaction that has no time publishes it once, though the session goes on', async () => {
    const { store, artifacts, files } = await seeded({ ...A, compaction: 'what the session was about' })
    await store.write(async (tx) => {
      await tx.db.updateTable('agent_compactions').set({ timestamp: null }).execute()
      await tx.db.updateTable('agent_messages').set({ timestamp: null }).where('kind', '=', 'summary').execute()
    })
    await artifacts.publish()
    await seedSessions(store, [{ ...A, turns: 3 }])
    await artifacts.publish()
    expect([names(files(), 'compaction'), names(files(), 'transcript')]).toMatchObject([{ length: 1 }, { length: 2 }])
  })

  it('that lost its manifest gets it back with all its sets', async () => {
    const { store, workspace, artifacts, files } = await seeded(A)
    await artifacts.publish()
    await seedSessions(store, [{ ...A, turns: 3 }])
    await artifacts.publish()
    const before = manifestIn(files())
    rmSync(join(workspace, before.path))
    await artifacts.publish({ session: 'claude-code:a' })
    expect(manifestIn(files())).toMatchObject({ path: before.path, previous: before.previous, summary_path: before.summary_path })
    expect((await artifacts.verify()).problems).toEqual([])
  })

  it('is not published again by a database that is younger than its files', async () => {
    const { workspace, artifacts, files } = await seeded(A)
    await artifacts.publish()
    const before = files()
    const store = await tempStore()
    await seedSessions(store, [A])
    const report = await artifactsOf(store, workspace, { clock: () => NOON + DAY }).publish()
    expect(report).toMatchObject({ failed: [], results: [{ status: 'unchanged' }] })
    expect(files()['MEMORY.md']).toBe(before['MEMORY.md'])
    expect(before['MEMORY.md']).toContain('## Projects')
    const content = (all: Record<string, string>) => Object.entries(all).filter(([name]) => /--(summary|transcript)\.md$/.test(name))
    expect(content(files())).toEqual(content(before))
    expect(await store.read.selectFrom('artifacts').selectAll().execute()).toHaveLength(3)
  })
})

describe('compactions', () => {
  const B = { ...A, compaction: 'So far: the parser was fixed and SQLite stays.' }

  it('of one moment, or without a time, have each their own artifact, under names that stay', async () => {
    const { store, workspace, artifacts, files } = await seeded(A)
    const writer = agentsWriter({ source: 'claude-code', clock: () => NOON, quietMs: 7_200_000 })
    const compact = (from: number, to: number) =>
      store.write(async (tx) => {
        for (let n = from; n < to; n++) {
          const said = {
            id: `c${n}`,
            hash: `c${n}`,
            text: `compaction number ${n}`,
            role: 'system',
            kind: 'summary',
            trust: 'agent',
          } as const
          await writer.apply(tx, [
            { type: 'message', session: 'a', ...said, ...(n === 0 ? { timestamp: A.at + 180_000 } : {}), compaction: {} },
          ])
        }
        await writer.finish(tx)
      })
    await compact(0, 4)
    await artifacts.publish()
    const first = names(files(), 'compaction')
    expect(first).toHaveLength(4)
    const text = (path: string) => /compaction number \d/.exec(files()[path] as string)?.[0]
    expect(first.map(text)).toEqual([0, 1, 2, 3].map((n) => `compaction number ${n}`))
    await compact(4, 6)
    await artifacts.publish()
    expect(names(files(), 'compaction').map(text)).toEqual([0, 1, 2, 3, 4, 5].map((n) => `compaction number ${n}`))
    expect((await artifacts.publish()).results).toEqual([])
    expect((await artifacts.verify()).problems).toEqual([])
    const other = tempFolder()
    await artifactsOf(store, other).publish({ session: 'claude-code:a' })
    expect(names(filesIn(other), 'compaction')).toEqual(names(files(), 'compaction'))
    rmSync(join(workspace, first[2] as string))
    await artifacts.restore(first[2] as string)
    expect(text(first[2] as string)).toBe('compaction number 2')
  })

  it('left unfinished by a session that goes on are finished alone', async () => {
    const { store, workspace, files } = await seeded({ ...B, name: 'live', at: NOON - 10 * 60_000, turns: 3 })
    const stop = (step: string) => {
      if (step === 'manifest') throw new Error('stop')
    }
    await expect(artifactsOf(store, workspace, { onStep: stop }).publish({ session: 'claude-code:live' })).rejects.toThrow('stop')
    const report = await artifactsOf(store, workspace).recover()
    expect(report).toMatchObject({ unfinished: 1, failed: [], results: [{ flow: 'compaction', status: 'published' }] })
    expect(names(files(), 'summary')).toEqual([])
    expect(manifestIn(files())).toMatchObject({ summary_path: null, compaction_path: names(files(), 'compaction')[0] })
    expect(files()['MEMORY.md']).toContain('session=claude-code:live')
  })

  it('that a ledger learns of late are published with the ended sessions', async () => {
    const { store, artifacts, files } = await seeded(A)
    await artifacts.publish()
    await seedSessions(store, [B])
    await artifacts.publish()
    expect(names(files(), 'compaction')).toHaveLength(1)
    expect((await artifacts.publish()).results).toEqual([])
  })
})

describe('a manifest', () => {
  it('is not replaced from an old revision, and no change is lost when many change it at once', async () => {
    const { store, workspace, artifacts, files } = await seeded(A)
    await artifacts.publish()
    const { path, ...fields } = manifestIn(files())
    const at = { store, workspace, now: NOON }
    expect(await swapManifest(at, path, { expected: fields.revision - 1, next: { ...fields, revision: 9 } })).toBe(false)
    expect(readManifest(workspace, path)).toEqual(fields)
    const add = (n: number) =>
      changeManifest(at, path, (current) => current && { ...current, memory_md_refs: [...current.memory_md_refs, `agents/${n}/MEMORY.md`] })
    await Promise.all(Array.from({ length: 8 }, (_, n) => add(n)))
    expect(readManifest(workspace, path)?.memory_md_refs).toHaveLength(9)
    expect(readManifest(workspace, path)?.revision).toBe(fields.revision + 8)
  })

  it('that somebody broke is reported, and the others are published', async () => {
    const { store, workspace, artifacts, files } = await seeded(A)
    await artifacts.publish()
    const { path } = manifestIn(files())
    writeFileSync(join(workspace, path), '---\nkind: manifest\n---\n')
    await seedSessions(store, [{ name: 'b', at: NOON - DAY }])
    expect(await artifacts.publish()).toMatchObject({ failed: [], results: [{ session_id: 'claude-code:b' }] })
    expect((await artifacts.render()).warnings).toEqual([expect.stringContaining(path)])
  })
})

describe('restore and accept', () => {
  it('restore of a file that the ledger does not hold as it was changes nothing', async () => {
    const { store, artifacts, files } = await seeded(A)
    await artifacts.publish()
    const [old] = names(files(), 'summary')
    await seedSessions(store, [{ ...A, turns: 3 }])
    const before = files()
    await expect(artifacts.restore(old as string)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(files()).toEqual(before)
  })

  it('restore writes a file again whose head is broken, or that is gone', async () => {
    const { workspace, artifacts, files } = await seeded({ ...A, compaction: 'So far: the parser was fixed.' })
    await artifacts.publish()
    const before = files()
    for (const kind of ['summary', 'transcript', 'compaction']) {
      const [path] = names(before, kind) as [string]
      writeFileSync(join(workspace, path), 'nothing of it is left')
      const { kept } = await artifacts.restore(path)
      rmSync(kept as string)
      rmSync(join(workspace, path))
      expect(await artifacts.restore(join(workspace, path))).toEqual({ path, kept: undefined })
    }
    expect((await artifacts.verify()).problems).toEqual([])
    for (const kind of ['summary', 'transcript'])
      expect(files()[names(before, kind)[0] as string]).toBe(before[names(before, kind)[0] as string])
  })

  it('accept publishes an edited text, redacted, gives the old file its text back, and can be done again', async () => {
    const { workspace, artifacts, files } = await seeded(A)
    await artifacts.publish()
    const [path] = names(files(), 'summary') as [string]
    const before = files()[path] as string
    for (const word of ['first', 'second']) {
      writeFileSync(join(workspace, path), `${before}\nA ${word} note: password="aB3dE5fG7h".\n`)
      const accepted = await artifacts.accept(path)
      expect(accepted).toMatchObject({ from: path, restored: true })
      expect(files()[path]).toBe(before)
      expect(files()[accepted.path]).toContain(`A ${word} note: password="[REDACTED:password]".`)
      expect(files()['MEMORY.md']).toContain(accepted.path)
    }
    expect(manifestIn(files()).previous).toHaveLength(2)
    expect((await artifacts.verify()).problems).toEqual([])
    await expect(artifacts.accept(path)).rejects.toMatchObject({ code: 'USAGE' })
    await expect(artifacts.accept('memory/../../etc/passwd')).rejects.toMatchObject({ code: 'USAGE' })
  })
})

describe('forgetting while a session is published', () => {
  const forget = async (store: Store, workspace: string) => {
    await store.write(async (tx) => {
      await addTombstones(tx, [{ kind: 'session', agentId: 'main', id: 'claude-code:a' }], { removedAt: NOON, reason: 'test' })
      await removeSession(tx, 'claude-code:a')
    })
    await removeSessionSet(
      { store, workspace },
      { sessionId: 'claude-code:a', token: sessionToken({ agentId: 'main', sessionKey: null, sessionId: 'claude-code:a' }) },
    )
  }

  it.each(['sanitize', 'sentence', 'transcript', 'summary', 'manifest', 'projection', 'rows', 'end'])(
    'before %s: nothing of it stays',
    async (at) => {
      const { store, workspace, files } = await seeded(A)
      let forgotten = false
      const onStep = async (step: string) => {
        if (step !== at || forgotten) return
        forgotten = true
        await forget(store, workspace)
      }
      await artifactsOf(store, workspace, { onStep }).publish()
      await artifactsOf(store, workspace).render()
      expect(forgotten).toBe(true)
      expect(Object.entries(files()).filter(([name, text]) => name.includes('--') || text.includes('claude-code:a'))).toEqual([])
      expect(await store.read.selectFrom('artifacts').selectAll().execute()).toEqual([])
      expect(await openPublications(store)).toEqual([])
      const runs = await store.read.selectFrom('analysis_runs').selectAll().execute()
      if (at === 'sanitize' || at === 'sentence') expect(runs).toEqual([])
    },
  )

  it('files that come back, half-written and replaced ones too, are taken away again with the set', async () => {
    const { store, workspace, artifacts, files } = await seeded(A)
    await artifacts.publish()
    const [path] = names(files(), 'summary') as [string]
    writeFileSync(join(workspace, path), `${readFileSync(join(workspace, path), 'utf8')} edited`)
    await artifacts.restore(path)
    await forget(store, workspace)
    expect(Object.keys(files()).filter((name) => name.includes('--'))).toEqual([])
  })
})

it('a file whose line ends another program changed is still itself', async () => {
  const { workspace, artifacts, files } = await seeded(A)
  await artifacts.publish()
  for (const kind of ['summary', 'transcript']) {
    const [path] = names(files(), kind) as [string]
    writeFileSync(join(workspace, path), (files()[path] as string).replaceAll('\n', '\r\n'))
  }
  expect((await artifacts.verify()).problems).toEqual([])
})

describe('a long history, all of it older than the window', () => {
  it('published at once shows its newest sessions, also where more than one list of them is under way', async () => {
    const year = NOON - 365 * DAY
    const { artifacts, files } = await seeded(...Array.from({ length: 60 }, (_, i) => ({ name: `s${i}`, at: year + i * DAY })))
    expect((await artifacts.publish()).results).toHaveLength(60)
    const shown = () => [...(files()['memory/LEDGER.md'] as string).matchAll(/session=claude-code:s(\d+) /g)].map(([, n]) => Number(n))
    expect(shown()).toEqual(Array.from({ length: 50 }, (_, i) => 59 - i))
  })
})
