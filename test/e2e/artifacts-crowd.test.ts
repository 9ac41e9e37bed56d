/**
 * Many processes that end sessions at once: no lost row, no torn file, no lost update of a manifest, one manifest a session; then the window
 * of 1,500 sessions. Four processes and 200 sessions here; `npm run test:crash` takes eight and 1,500.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseArtifact } from '../../src/artifacts/frontmatter.ts'
import type { ManifestFrontmatter } from '../../src/artifacts/frontmatter-schema.ts'
import { parseLedgerRow } from '../../src/artifacts/ledger-row.ts'
import { verifyArtifacts } from '../../src/artifacts/verify.ts'
import { DAY, filesIn, type SessionSeed } from '../helpers/artifacts-home.ts'
import { copyPlace, type Place, publishIn, seededPlace, withStore } from '../helpers/artifacts-process.ts'
import { NOON } from '../helpers/store.ts'

const LONG = process.env.MNEMONIC_CRASH === 'long'
const PROCESSES = LONG ? 8 : 4
const SESSIONS = LONG ? 1500 : 200
const root = mkdtempSync(join(tmpdir(), 'mnemonic-artifacts-crowd-'))
const seeds: SessionSeed[] = Array.from({ length: SESSIONS }, (_, i) => ({
  name: `s${String(i).padStart(4, '0')}`,
  at: NOON - DAY - i * 60_000,
}))
const ids = seeds.map(({ name }) => `claude-code:${name}`)
let seeded: Place

beforeAll(async () => {
  seeded = await seededPlace(join(root, 'seeded'), seeds)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Every session stands where it must, once. */
async function expectWhole(place: Place): Promise<void> {
  const files = filesIn(place.workspace)
  const names = Object.keys(files)
  expect(names.filter((name) => name.includes('tmp'))).toEqual([])
  for (const kind of ['summary', 'transcript', 'manifest']) {
    expect(names.filter((name) => name.endsWith(`--${kind}.md`))).toHaveLength(SESSIONS)
  }
  const ledger = (files['memory/LEDGER.md'] ?? '').split('\n').flatMap((line) => parseLedgerRow(line) ?? [])
  expect(ledger.map(({ sessionId }) => sessionId).sort()).toEqual(ids)
  const shown = (files['MEMORY.md'] ?? '').split('\n').flatMap((line) => parseLedgerRow(line) ?? [])
  expect(shown.map(({ sessionId }) => sessionId)).toEqual(ids.slice(0, shown.length))
  const manifests = names
    .filter((name) => name.endsWith('--manifest.md'))
    .map((name) => parseArtifact(files[name] as string, name).frontmatter as ManifestFrontmatter)
  const listed = manifests.filter(({ memory_md_refs }) => memory_md_refs.includes('MEMORY.md')).map(({ session_id }) => session_id)
  expect(listed.sort()).toEqual(ids.slice(0, shown.length))
  expect((await verifyArtifacts(place.workspace)).problems).toEqual([])
  await withStore(place, async ({ read }) => {
    expect(await read.selectFrom('artifact_journal').selectAll().execute()).toEqual([])
    const rows = await read.selectFrom('artifacts').select(['source_kind', 'head_sha256', 'source_path']).execute()
    expect(rows).toHaveLength(3 * SESSIONS)
  })
}

describe(`${PROCESSES} processes end ${SESSIONS} sessions at once`, { timeout: 900_000 }, () => {
  it('each its own, one after another', async () => {
    const place = copyPlace(seeded, join(root, 'own'))
    const share = (n: number) => ids.filter((_, i) => i % PROCESSES === n)
    const started = performance.now()
    const runs = await Promise.all(Array.from({ length: PROCESSES }, (_, n) => publishIn(place, { sessions: share(n) })))
    console.log('own', performance.now() - started)
    for (const run of runs) {
      expect(run.error, run.stderr).toBeUndefined()
      expect(run.done.flatMap(({ failed }) => failed)).toEqual([])
    }
    await expectWhole(place)
  })

  it('all of them the same, at the same moment', async () => {
    const place = copyPlace(seeded, join(root, 'same'))
    const started = performance.now()
    const runs = await Promise.all(Array.from({ length: PROCESSES }, () => publishIn(place)))
    console.log('same', performance.now() - started)
    for (const run of runs) {
      expect(run.error, run.stderr).toBeUndefined()
      expect(run.done.flatMap(({ failed }) => failed)).toEqual([])
    }
    await expectWhole(place)
  })
})
