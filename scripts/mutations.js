// What mutate.js breaks: a name in plain words, the text that is found exactly once in the file and what stands there instead, and the tests
// that must notice. Keep the text short, so that it stays unique and outlives its surroundings.

export const mutations = [
  // Reading
  {
    name: 'sync: the offset is committed before the records',
    file: 'src/ingest/sync-unit.ts',
    find: 'await context.write(async (tx) => {',
    replace: `if (status === 'reading') await context.write((tx) => saveProgress(tx, { adapter: adapter.name, path: unitName(unit), size: unit.size, mtime_ms: unit.mtimeMs, offset: at.offset, tail_hash, carry_json: JSON.stringify({ adapter: at.carry, own: writer.sessions(), touched: writer.touched(), ignored: [] }), records, status, session_id: mainSession(writer, carry.own), updated_at: clock() }))
    await context.write(async (tx) => {`,
    tests: ['test/e2e/crash-large.test.ts'],
  },
  {
    name: 'sync: no transaction around a batch',
    file: 'src/store/sqlite/open.ts',
    find: 'const result = await work(tx)\n      commit.run()',
    replace: 'commit.run()\n      const result = await work(tx)',
    tests: ['test/e2e/crash-large.test.ts'],
  },
  {
    name: 'sync: the lease is not checked where a file is alone',
    file: 'src/ingest/sync.ts',
    find: 'await guard(tx)\n        return work(tx)',
    replace: 'return work(tx)',
    tests: ['src/ingest/sync-guard.test.ts'],
  },
  {
    name: 'sync: the lease is not checked where files share a transaction',
    file: 'src/ingest/sync.ts',
    find: 'await guard(tx)\n    for (const unit of group)',
    replace: 'for (const unit of group)',
    tests: ['src/ingest/sync-guard.test.ts'],
  },
  {
    name: 'sync: bad lines are counted one too many',
    file: 'src/ingest/sync-unit.ts',
    find: 'this.skippedLines += 1',
    replace: 'this.skippedLines += this.skippedLines === 0 ? 2 : 1',
    tests: ['src/ingest/sync-counts.test.ts'],
  },
  {
    name: 'sync: the first bad line is not counted',
    file: 'src/ingest/sync-unit.ts',
    find: 'this.skippedLines += 1',
    replace: 'this.skippedLines += firstBad === undefined ? 0 : 1',
    tests: ['src/ingest/sync-counts.test.ts'],
  },
  {
    name: 'sync: known records are counted one too many',
    file: 'src/ledgers/agents-writer.ts',
    find: 'repeated: batch.repeated }',
    replace: 'repeated: batch.repeated + (batch.repeated > 0 ? 1 : 0) }',
    tests: ['src/ingest/sync-counts.test.ts'],
  },
  {
    name: 'sync: known records are counted in every reading',
    file: 'src/ingest/sync-unit.ts',
    find: 'if (state === undefined) told += repeated',
    replace: 'told += repeated',
    tests: ['src/ingest/sync-counts.test.ts'],
  },
  {
    name: 'jobs: the error of a job is not redacted',
    file: 'src/store/job.ts',
    find: "clip(redactSensitiveText(failure.message, { mode: 'tools' }), LONGEST_MESSAGE)",
    replace: 'clip(failure.message, LONGEST_MESSAGE)',
    tests: ['src/store/job-error.test.ts'],
  },
  {
    name: 'search: the project of a hit is not redacted',
    file: 'src/search/present.ts',
    find: 'project: safe(project, PATH_LENGTH)',
    replace: 'project',
    tests: ['src/browse/project-secret.test.ts'],
  },
  {
    name: 'forget: the tombstone by text and session is not asked',
    file: 'src/ledgers/fenced-records.ts',
    find: "fence.holds('text', textId(session, text)) || ",
    replace: '',
    tests: ['src/forget/renumbered.test.ts'],
  },
  {
    name: 'forget: no tombstone by text and session is made',
    file: 'src/forget/find-records.ts',
    find: "for (const id of staying.own()) forget(selection, { kind: 'text', id })",
    replace: '',
    tests: ['src/forget/renumbered.test.ts'],
  },
  {
    name: 'forget: the scan looks for plain UTF-8 only',
    file: 'src/forget/scan.ts',
    find: 'const search = byteSearch(texts.map(patternsOf))',
    replace: 'const search = byteSearch(texts.map((text) => [{ bytes: Buffer.from(text), exact: false }]))',
    tests: ['src/forget/receipt-scan.test.ts'],
  },
  {
    name: 'forget: unreadable files do not count against gone',
    file: 'src/forget/forget.ts',
    find: 'still.length + scan.unreadable.length === 0',
    replace: 'still.length === 0',
    tests: ['src/forget/receipt-scan.test.ts'],
  },
  {
    name: 'restore: the live tombstones are not taken over',
    file: 'src/operations/restore-prepare.ts',
    find: 'if (live !== undefined) await takeOver(staged, live)',
    replace: '',
    tests: ['src/operations/restore-forgotten.test.ts'],
  },
  {
    name: 'restore: the revision of the tombstones is not checked',
    file: 'src/operations/restore.ts',
    find: 'const expectMeta = { tombstone_revision: prepared.revision }',
    replace: 'const expectMeta = {}',
    tests: ['src/operations/restore-forgotten.test.ts'],
  },
]
