/**
 * Many processes that end sessions at once: no lost row, no torn file, no lost update of a manifest, one manifest a session. Four processes and 80 sessions here; `npm run test:long` takes eight and 1,500.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { parseArtifact } from '../../src/artifacts/format/frontmatter.ts'
import type { ManifestFrontmatter } from '../../src/artifacts/format/frontmatter-schema.ts'
import { sessionToken } from '../../src/artifacts/format/session-token.ts'
import { parseLedgerRow } from '../../src/artifacts/render/ledger-row.ts'
import { verifyArtifacts } from '../../src/artifacts/repair/verify.ts'
import { DAY, filesIn, type SessionSeed, seedSessions } from '../helpers/artifacts-home.ts'
import { type PublishRun, publishIn, seededHome, type TestHome, withStore } from '../helpers/artifacts-process.ts'
import { NOON } from '../helpers/store.ts'

const LONG = process.env.MNEMONIC_CRASH === 'long'
const PROCESSES = LONG ? 8 : 4
const SESSIONS = LONG ? 1500 : 80
const SAME = LONG ? 300 : 24
const root = mkdtempSync(join(tmpdir(), 'mnemonic-artifacts-crowd-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

function seeds(count: number): SessionSeed[] {
  return Array.from({ length: count }, (_, i) => ({ name: `s${String(i).padStart(4, '0')}`, at: NOON - DAY - i * 60_000 }))
}

function idsOf(count: number): string[] {
  return seeds(count).map(({ name }) => `claude-code:${name}`)
}

/** Every session stands where it must, once. */
async function expectWhole(home: TestHome, count: number): Promise<void> {
  const ids = idsOf(count)
  const files = filesIn(home.workspace)
  const names = Object.keys(files)
  expect(names.filter((name) => name.includes('tmp'))).toEqual([])
  for (const kind of ['summary', 'transcript', 'manifest']) {
    expect(names.filter((name) => name.endsWith(`--${kind}.md`))).toHaveLength(count)
  }
  const ledger = (files['memory/LEDGER.md'] ?? '').split('\n').flatMap((line) => parseLedgerRow(line) ?? [])
  expect(ledger.map(({ sessionId }) => sessionId).sort()).toEqual(ids)
  const shown = (files['MEMORY.md'] ?? '').split('\n').flatMap((line) => parseLedgerRow(line) ?? [])
  expect(shown.map(({ sessionId }) => sessionId)).toEqual(ids.slice(0, shown.length))
  const manifests = names
    .filter((name) => name.endsWith('--manifest.md'))
    .map((name) => parseArtifact(files[name] as string, name).frontmatter as ManifestFrontmatter)
  const listed = manifests
    .filter(({ memory_md_refs }) => memory_md_refs.some((ref) => ref.startsWith('MEMORY.md#')))
    .map(({ session_id }) => session_id)
  expect(listed.sort()).toEqual(ids.slice(0, shown.length))
  expect((await verifyArtifacts(home.workspace)).problems).toEqual([])
  await withStore(home, async ({ read }) => {
    expect(await read.selectFrom('artifact_journal').selectAll().execute()).toEqual([])
    const rows = await read.selectFrom('artifacts').select(['source_kind', 'head_sha256', 'source_path']).execute()
    expect(rows).toHaveLength(3 * count)
  })
}

const tokenOf = (sessionId: string) => sessionToken({ agentId: 'main', sessionKey: null, sessionId })

/** None failed, and those that ended something say so. */
function expectPeace(runs: readonly PublishRun[]): void {
  for (const run of runs) {
    expect(run.error, run.stderr).toBeUndefined()
    expect(run.done.flatMap(({ failed }) => failed)).toEqual([])
  }
}

describe('many processes', { timeout: 900_000 }, () => {
  it(`${PROCESSES} end ${SESSIONS} sessions, each its own, one after another`, async () => {
    const home = await seededHome(join(root, 'own'), seeds(SESSIONS))
    const share = (n: number) => idsOf(SESSIONS).filter((_, i) => i % PROCESSES === n)
    expectPeace(await Promise.all(Array.from({ length: PROCESSES }, (_, n) => publishIn(home, { sessions: share(n) }))))
    await expectWhole(home, SESSIONS)

    // One more opens its own files, and the manifests of those that enter or leave MEMORY.md.
    await withStore(home, (store) => seedSessions(store, [{ name: 'last', at: NOON - DAY / 2 }]))
    const one = await publishIn(home, { sessions: ['claude-code:last'] })
    expectPeace([one])
    const others = one.opened.filter((path) => !path.includes(tokenOf('claude-code:last')))
    expect(others.length).toBeLessThanOrEqual(4)
    expect(others.every((path) => path.endsWith('--manifest.md'))).toBe(true)
    expect((await publishIn(home)).opened).toEqual([])
  })

  it(`${PROCESSES} end the same ${SAME} sessions at the same moment: one manifest a session`, async () => {
    const home = await seededHome(join(root, 'same'), seeds(SAME))
    const named = { sessions: idsOf(SAME).slice(0, 10) }
    const runs = await Promise.all(Array.from({ length: PROCESSES }, (_, n) => publishIn(home, n % 2 === 0 ? named : {})))
    expectPeace(runs)
    expectPeace([await publishIn(home)])
    await expectWhole(home, SAME)
  })
})
