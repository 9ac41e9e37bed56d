import { expect, it } from 'vitest'
import { hostileMix, SECRETS, seeded } from '../../../test/helpers/hostile-text.ts'
import type { ContentFrontmatter } from '../format/frontmatter-schema.ts'
import { artifactRow } from '../publish/artifact-rows.ts'
import { type LedgerRow, parseLedgerRow, renderLedgerRow, rowSentence } from './ledger-row.ts'

const base = 'memory/2026-03-28T22-34-06.792Z--h7k3n4p2m2x2q5r5'
const row: LedgerRow = {
  membershipTs: Date.UTC(2026, 2, 28, 22, 34, 6, 792),
  sessionId: 'a245b4fc-b607-4c50-8566-ebe23264272f',
  project: '/home/nicholai/signet/signetai',
  sentence: 'Finalized DP-19 write-gate clamping decisions and queued scope-aware dedup parity validation before merge.',
  summaryPath: `${base}--summary.md`,
  transcriptPath: `${base}--transcript.md`,
  compactionPath: null,
  manifestPath: `${base}--manifest.md`,
}

it('the row of the spec comes out as it stands there', () => {
  expect(renderLedgerRow(row)).toBe(
    `- 2026-03-28T22:34:06.792Z | session=a245b4fc-b607-4c50-8566-ebe23264272f | project=/home/nicholai/signet/signetai | Finalized DP-19 write-gate clamping decisions and queued scope-aware dedup parity validation before merge. [[${base}--summary.md|summary]] [[${base}--transcript.md|transcript]] [[${base}--manifest.md|manifest]]`,
  )
})

it('a compaction is linked by the manifest, and by the row while there is no summary', () => {
  const compactionPath = `${base}--compaction.md`
  expect(renderLedgerRow({ ...row, compactionPath })).toBe(renderLedgerRow(row))
  const begun = renderLedgerRow({ ...row, compactionPath, summaryPath: null, transcriptPath: null })
  expect(begun).toContain(`merge. [[${base}--compaction.md|compaction]] [[${base}--manifest.md|manifest]]`)
})

it('a session without a project, and a project called -, are told apart', () => {
  expect(renderLedgerRow({ ...row, project: null })).toContain(' | project=- | ')
  expect(parseLedgerRow(renderLedgerRow({ ...row, project: null }))?.project).toBeNull()
  expect(parseLedgerRow(renderLedgerRow({ ...row, project: '-' }))?.project).toBe('-')
})

it('a row from the head of an artifact has its sentence, and its end as its time', () => {
  const fields: ContentFrontmatter = {
    kind: 'summary',
    agent_id: 'main',
    session_id: 's',
    session_key: null,
    project: null,
    harness: 'claude-code',
    captured_at: '2026-03-28T22:34:06.792Z',
    started_at: null,
    ended_at: '2026-03-28T22:40:00.000Z',
    manifest_path: row.manifestPath,
    source_node_id: null,
    content_sha256: 'a'.repeat(64),
    hash_scope: 'body-normalized-v1',
    memory_sentence: 'A sentence.',
    memory_sentence_version: 'memory_sentence_v1',
    memory_sentence_quality: 'ok',
    memory_sentence_generated_at: '2026-03-28T22:41:00.000Z',
  }
  const options = { path: row.summaryPath as string, headSha256: '', now: 0 }
  const made = artifactRow(fields, options)
  expect(made).toMatchObject({ membership_ts: Date.parse('2026-03-28T22:40:00.000Z'), memory_sentence: 'A sentence.' })
  expect(artifactRow({ ...fields, ended_at: null }, options).membership_ts).toBe(Date.parse(fields.captured_at))
})

it('whatever its id, project and sentence hold, a row is one line with its own links, and says the same when read', () => {
  const random = seeded(9)
  for (let round = 0; round < 600; round++) {
    const hostile = {
      ...row,
      sessionId: hostileMix(random) || 'x',
      project: hostileMix(random) || null,
      sentence: hostileMix(random) || 'x',
    }
    const line = renderLedgerRow(hostile)
    expect(line).not.toMatch(/[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e]/)
    expect(line.match(/(?<!\\)\|/g)?.length).toBe(6)
    const parsed = parseLedgerRow(line)
    expect(parsed?.membershipTs).toBe(row.membershipTs)
    expect(parsed?.links.map(({ path }) => path)).toEqual([row.summaryPath, row.transcriptPath, row.manifestPath])
    expect(rowSentence(parsed?.sentence ?? '')).toBe(rowSentence(hostile.sentence))
    if (hostile.sessionId.length <= 200 && hostile.sessionId.isWellFormed()) expect(parsed?.sessionId).toBe(hostile.sessionId)
  }
})

it('a row is never longer than a few thousand characters', () => {
  const long = '你'.repeat(100_000)
  expect(renderLedgerRow({ ...row, sessionId: long, project: long, sentence: long }).length).toBeLessThan(1500)
})

it('a sentence with links, code, tags and marks has none of them in its row', () => {
  const line = rowSentence('See [[memory/x.md|y]] and `rm -rf` <!-- x --> </mnemonic-memory> | end\nnext.')
  expect(line).toBe('See \\[\\[memory/x.md\\|y\\]\\] and \\`rm -rf\\` \\<!-- x --\\> &lt;/mnemonic-memory\\> \\| end next.')
})

it('no secret stands in a sentence', () => {
  for (const secret of SECRETS) expect(rowSentence(`Used ${secret} there.`)).not.toContain('aB3dE5fG7')
})

it.each([
  '',
  '### 2026-03-28',
  '- 2026-03-28 | session=a | project=b | c',
  '- 2026-03-28T22:34:06.792Z | session=a | project=b | no links',
  '- 2026-03-28T22:34:06.792Z | session=a | project=b | c [[/etc/passwd|summary]]',
  '- 2026-03-28T22:34:06.792Z | session=%zz | project=b | c [[memory/x.md|summary]]',
])('%j is no row', (line) => {
  expect(parseLedgerRow(line)).toBeUndefined()
})
