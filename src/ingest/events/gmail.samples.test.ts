/** Compares public sample mail with an independent parser, if available. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { NOON, tempStore } from '../../../test/helpers/store.ts'
import type { Store } from '../../store/store.ts'
import { syncSources } from '../sync.ts'
import { gmail } from './gmail.ts'

const root = resolve('../shared/fixtures/email')
const isHere = existsSync(root)
if (!isHere) process.stderr.write('skipped: the public samples of mail are not on this machine\n')

async function sync(store: Store, path: string) {
  const { totals } = await syncSources({
    ...{ store, adapters: [gmail({ owners: ['test@example.com'] })], path, clock: () => NOON, quietMs: 7_200_000, ignore: () => false },
    ...{ guard: async () => {}, afterGroup: async () => {} },
  })
  return totals
}

interface Expected {
  readonly rfc822_message_id: string | null
  readonly subject?: string
  readonly is_bulk?: number
  readonly attachment_count?: number
  readonly gmail_thread_id?: string | null
  readonly gmail_labels?: string | null
  readonly direction?: string
  readonly expected_insert?: boolean
}

it.skipIf(!isHere)('mailboxes give what is written beside them', async () => {
  const counts: Record<string, number> = {}
  for (const file of readdirSync(join(root, 'phdb')).filter((name) => name.endsWith('.mbox'))) {
    const store = await tempStore()
    const { records } = await sync(store, join(root, 'phdb', file))
    counts[file] = records
    const expected = JSON.parse(readFileSync(join(root, 'phdb', file.replace('.mbox', '.expected.json')), 'utf8')) as Expected[]
    for (const { rfc822_message_id: id, expected_insert, ...said } of expected) {
      if (id === null || expected_insert === false) continue
      const row = await store.read.selectFrom('events').selectAll().where('source_id', '=', id).executeTakeFirstOrThrow()
      const metadata = JSON.parse(row.metadata_json ?? '{}') as Record<string, unknown>
      if (said.subject !== undefined) expect(metadata.subject).toBe(said.subject)
      if (said.attachment_count !== undefined) expect(((metadata.attachments ?? []) as unknown[]).length).toBe(said.attachment_count)
      if (said.gmail_thread_id) expect(metadata.gmail_thread).toBe(BigInt(said.gmail_thread_id).toString(16))
      if (said.gmail_labels) expect(metadata.labels).toEqual((JSON.parse(said.gmail_labels) as string[]).sort())
      if (said.direction !== undefined) expect([id, row.direction]).toEqual([id, DIRECTIONS[said.direction]])
    }
  }
  expect(counts).toEqual({ 'basic.mbox': 3, 'bulk.mbox': 6, 'direction.mbox': 4, 'edge_cases.mbox': 6, 'gmail.mbox': 2 })
})

const DIRECTIONS: Readonly<Record<string, string>> = { outbound: 'sent', self: 'sent', inbound: 'received', unknown: 'observed' }

it.skipIf(!isHere)(
  '77 single mails, many of them broken: each is read, 58 are different ones, and what can be read of them is readable',
  async () => {
    const store = await tempStore()
    const totals = await sync(store, join(root, 'mikel'))
    expect(totals).toMatchObject({ found: 77, imported: 77, quarantined: 0, records: 58, repeated: 19 })
    const events = await store.read.selectFrom('events').select(['content', 'metadata_json']).execute()
    const text = events.map(({ content }) => content ?? '').join('\n')
    for (const words of ['すみません。', 'かきくえこ', '대부분의 마찬가지로', 'Nicolas Fouché', 'Envoyé par le service'])
      expect(text).toContain(words)
    // One sample claims Big5 but is corrupt UTF-8.
    expect(events.filter(({ content }) => content?.includes('\ufffd'))).toHaveLength(1)
    const subjects = events.map(({ metadata_json }) => (JSON.parse(metadata_json ?? '{}') as { subject?: string }).subject)
    for (const subject of ['まみむめも', 'NOTE: 한국말로 하는 것', 'Säying Hello']) expect(subjects).toContain(subject)
  },
)
