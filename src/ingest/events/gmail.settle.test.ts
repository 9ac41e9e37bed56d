/** Trust, direction and threads must not depend on import order or batching. */
import { expect, it } from 'vitest'
import { random } from '../../../test/helpers/generate-claude.ts'
import { NOON, tempStore } from '../../../test/helpers/store.ts'
import { eventsWriter } from '../../ledgers/events-writer.ts'
import { ownerWarnings } from '../../ledgers/mail/owner-addresses.ts'
import { settleMail } from '../../ledgers/mail/settle-mail.ts'
import type { Store } from '../../store/store.ts'
import type { Mail } from './gmail/mail.ts'
import { mailEvent } from './gmail/mail-event.ts'

const OWNER = 'owner@example.com'
const guard = async () => {}

interface Sketch {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly re?: readonly string[]
  readonly thread?: string
  readonly labels?: readonly string[] | undefined
  readonly delivered?: string
  readonly text?: string
}

function mail({ id, from, to, re = [], thread, labels, delivered, text = `Text of ${id}.` }: Sketch, at = NOON): Mail {
  return {
    ...{ messageId: id, subject: re.length > 0 ? `Re: ${id}` : id, text, html: false, sent: { at, by: 'date' } },
    people: [
      { role: 'from', handle: from, name: null },
      { role: 'to', handle: to, name: null },
    ],
    ...{ references: re, inReplyTo: re.at(-1), gmailThread: thread, labels, attachments: [], invitations: [], bulk: undefined },
    ...{ delivered: delivered === undefined ? [] : [delivered], replyTo: undefined },
  }
}

async function store(into: Store, sketches: readonly Sketch[], owners: readonly string[] = [OWNER]): Promise<void> {
  await into.write(async (tx) => {
    const writer = eventsWriter({ adapter: 'gmail' })
    const records = sketches.flatMap((sketch) => {
      const converted = mailEvent(mail(sketch, NOON + Number(/\d+/.exec(sketch.id)?.[0] ?? 0) * 1000), {
        owners: new Set(owners),
        fileTime: 0,
      })
      return 'records' in converted ? converted.records : []
    })
    await writer.apply(tx, records)
  })
}

async function state(of: Store) {
  const events = await of.read.selectFrom('events').selectAll().orderBy('id').execute()
  const threads = await of.read.selectFrom('threads').selectAll().orderBy('id').execute()
  expect(await of.read.selectFrom('mail_waiting').selectAll().execute()).toEqual([])
  return { events, threads }
}

const trustOf = async (of: Store, id: string) =>
  await of.read.selectFrom('events').select(['trust', 'direction']).where('id', '=', `gmail:${id}`).executeTakeFirstOrThrow()

it('somebody is known once the owner wrote to them, before or after, and only so', async () => {
  const ledger = await tempStore()
  await store(ledger, [
    { id: 'm1', from: 'sarah@x.org', to: OWNER },
    { id: 'm2', from: 'shop@x.org', to: OWNER },
  ])
  await settleMail(ledger, { owners: [OWNER], guard })
  expect(await trustOf(ledger, 'm1')).toEqual({ trust: 'untrusted', direction: 'received' })
  await store(ledger, [{ id: 'm3', from: OWNER, to: 'sarah@x.org', labels: ['Sent'] }])
  await settleMail(ledger, { owners: [OWNER], guard })
  await store(ledger, [{ id: 'm4', from: 'sarah@x.org', to: OWNER }])
  await settleMail(ledger, { owners: [OWNER], guard })
  expect(await trustOf(ledger, 'm1')).toEqual({ trust: 'contact', direction: 'received' })
  expect(await trustOf(ledger, 'm4')).toMatchObject({ trust: 'contact' })
  expect(await trustOf(ledger, 'm3')).toEqual({ trust: 'owner', direction: 'sent' })
  expect(await trustOf(ledger, 'm2')).toMatchObject({ trust: 'untrusted' })
})

it('a mail that only claims to be the owner’s makes nobody known, and is not trusted itself', async () => {
  const ledger = await tempStore()
  await store(ledger, [
    { id: 'm1', from: OWNER, to: 'thief@x.org', labels: ['Inbox'] },
    { id: 'm2', from: OWNER, to: 'thief@x.org', delivered: OWNER },
    { id: 'm3', from: 'thief@x.org', to: OWNER },
    // Mail to oneself does not make the address a contact.
    { id: 'm4', from: OWNER, to: OWNER, labels: ['Sent', 'Inbox'] },
  ])
  await settleMail(ledger, { owners: [OWNER], guard })
  for (const id of ['m1', 'm2', 'm3']) expect(await trustOf(ledger, id)).toEqual({ trust: 'untrusted', direction: 'received' })
  expect(await trustOf(ledger, 'm4')).toEqual({ trust: 'owner', direction: 'sent' })
})

it('a sent mail that is gone takes back what it proved, and leaves no address behind', async () => {
  const ledger = await tempStore()
  await store(ledger, [
    { id: 'm1', from: 'sarah@x.org', to: OWNER },
    { id: 'm2', from: OWNER, to: 'sarah@x.org' },
  ])
  await settleMail(ledger, { owners: [OWNER], guard })
  await ledger.write(async (tx) => void (await tx.db.deleteFrom('events').where('id', '=', 'gmail:m2').execute()))
  expect(await ledger.read.selectFrom('mail_waiting').selectAll().execute()).toEqual([])
  await settleMail(ledger, { owners: [OWNER], guard })
  expect(await trustOf(ledger, 'm1')).toMatchObject({ trust: 'untrusted' })
})

it('other addresses of the owner change direction and trust without the source', async () => {
  const sketches: Sketch[] = [
    { id: 'm1', from: 'me@work.org', to: 'sarah@x.org' },
    { id: 'm2', from: 'sarah@x.org', to: 'me@work.org' },
    { id: 'm3', from: OWNER, to: 'me@work.org' },
    { id: 'm4', from: 'me@work.org', to: OWNER, labels: ['Inbox'] },
  ]
  const [ledger, fresh] = [await tempStore(), await tempStore()]
  await store(ledger, sketches)
  await settleMail(ledger, { owners: [OWNER], guard })
  expect(await trustOf(ledger, 'm1')).toEqual({ trust: 'contact', direction: 'observed' })
  expect(await trustOf(ledger, 'm2')).toEqual({ trust: 'untrusted', direction: 'observed' })
  for (const owners of [[OWNER, 'me@work.org'], ['me@work.org'], [OWNER, 'me@work.org'], [OWNER]]) {
    await settleMail(ledger, { owners, guard })
    const other = await tempStore()
    await store(other, sketches, owners)
    await settleMail(other, { owners, guard })
    expect(await state(ledger)).toEqual(await state(other))
  }
  await store(fresh, sketches)
  await settleMail(fresh, { owners: [OWNER], guard })
  expect(await state(ledger)).toEqual(await state(fresh))
})

it('a reply that knows only its parent joins the thread when the parent comes late; mails in a circle are one thread', async () => {
  const ledger = await tempStore()
  await store(ledger, [{ id: 'm3', from: 'a@x.org', to: OWNER, re: ['m2'] }])
  await settleMail(ledger, { owners: [OWNER], guard })
  await store(ledger, [{ id: 'm2', from: 'b@x.org', to: OWNER, re: ['m1'] }])
  await settleMail(ledger, { owners: [OWNER], guard })
  await store(ledger, [{ id: 'm1', from: 'a@x.org', to: OWNER, thread: '18b0' }])
  await settleMail(ledger, { owners: [OWNER], guard })
  await store(ledger, [
    { id: 'm8', from: 'a@x.org', to: OWNER, re: ['m9'] },
    { id: 'm9', from: 'a@x.org', to: OWNER, re: ['m8'] },
  ])
  await settleMail(ledger, { owners: [OWNER], guard })
  const { events, threads } = await state(ledger)
  expect(events.map(({ thread_id }) => thread_id)).toEqual(['gmail:18b0', 'gmail:18b0', 'gmail:18b0', 'gmail:m8', 'gmail:m8'])
  expect(threads.map(({ id, name }) => [id, name])).toEqual([
    ['gmail:18b0', 'm1'],
    ['gmail:m8', 'm8'],
  ])
})

it('copies of one mail are one event with the labels of all, and a copy among the sent mail makes it sent', async () => {
  const ledger = await tempStore()
  await store(ledger, [
    { id: 'm1', from: OWNER, to: 'sarah@x.org', labels: ['Inbox'] },
    { id: 'm1', from: OWNER, to: 'sarah@x.org', labels: ['Sent', 'Project, new'] },
  ])
  await settleMail(ledger, { owners: [OWNER], guard })
  const { events } = await state(ledger)
  expect(events).toHaveLength(1)
  expect(JSON.parse(events[0]?.metadata_json ?? '')).toMatchObject({ labels: ['Inbox', 'Project, new', 'Sent'], sent_copy: true })
  expect(events[0]).toMatchObject({ direction: 'sent', trust: 'owner' })
})

it.each([1, 2, 3, 4])('any order of imports gives the same trust, directions and threads (%i)', async (seed) => {
  const rand = random(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(rand() * list.length)] as T
  const people = [OWNER, 'me@work.org', 'a@x.org', 'b@x.org', 'c@x.org', 'd@x.org', 'list@x.org']
  const sketches: Sketch[] = Array.from({ length: 40 }, (_, n) => ({
    ...{ id: `m${n}`, from: pick(people), to: pick(people) },
    ...(rand() < 0.6 ? { re: Array.from({ length: 1 + Math.floor(rand() * 2) }, () => `m${Math.floor(rand() * 44)}`) } : {}),
    ...(rand() < 0.2 ? { thread: pick(['18a', '18b', '18c']) } : {}),
    ...(rand() < 0.4
      ? { labels: pick([['Inbox'], ['Sent'], ['Inbox', 'Sent'], ['Work']]) }
      : rand() < 0.3
        ? { delivered: pick(people) }
        : {}),
  }))
  // Another mailbox has copies with other labels and thread ids.
  const copies = sketches
    .filter(() => rand() < 0.3)
    .map((sketch) => ({ ...sketch, labels: pick([['Sent'], ['Archived']]), thread: pick(['18a', '18d']) }))
  const all = [...sketches, ...copies]
  const owners = [OWNER, 'me@work.org']
  const ends: unknown[] = []
  for (let round = 0; round < 4; round++) {
    const ledger = await tempStore()
    const order =
      round === 0
        ? all
        : all
            .map((one) => ({ one, by: rand() }))
            .sort((a, b) => a.by - b.by)
            .map(({ one }) => one)
    for (let at = 0; at < order.length; ) {
      const count = round === 0 ? order.length : 1 + Math.floor(rand() * 15)
      // The second address is configured late.
      const known = round < 2 || at > 20 ? owners : [OWNER]
      await store(ledger, order.slice(at, at + count), known)
      if (rand() < 0.7) await settleMail(ledger, { owners: known, guard })
      at += count
    }
    await settleMail(ledger, { owners, guard })
    ends.push(await state(ledger))
  }
  for (const end of ends) expect(end).toEqual(ends[0])
})

it('says which address sends and is not the owner’s, and that none is set', async () => {
  const own = async (sketches: readonly Sketch[], owners: readonly string[]) => {
    const into = await tempStore()
    await store(into, sketches, owners)
    await settleMail(into, { owners, guard })
    return ownerWarnings(into, owners)
  }
  const sent = { id: 's1', from: 'me@home.example', to: 'sarah@example.com', labels: ['Sent'] }
  const came = { id: 'r1', from: 'sarah@example.com', to: 'me@home.example', labels: ['Inbox'] }
  expect(await own([sent, came], ['me@home.example'])).toEqual([])
  expect(await own([sent, came], [OWNER])).toEqual([
    expect.stringMatching(
      /^mail from me@home\.example lies among your sent mail.*owner: { emails: \[owner@example\.com, me@home\.example\] }$/,
    ),
  ])
  expect(await own([{ ...sent, labels: undefined }], [])).toEqual([expect.stringMatching(/^owner\.emails is not set: /)])
  expect(await own([{ ...sent, labels: undefined }], [OWNER])).toEqual([expect.stringMatching(/^no mail is from or to owner@example\.com/)])
  expect(await own([], [])).toEqual([])
})

it('mails that answer one another in a long chain, or in a circle, are settled', async () => {
  const many = 1000
  const chain = Array.from({ length: many }, (_, n) => ({ id: `c${n}`, from: 'x@x', to: OWNER, re: [`c${n - 1}`] }))
  const circle = Array.from({ length: many }, (_, n) => ({ id: `k${n}`, from: 'x@x', to: OWNER, re: [`k${(n + 1) % many}`] }))
  const of = await tempStore()
  await store(of, [...chain.slice(300), ...circle.slice(500), ...circle.slice(0, 500), ...chain.slice(0, 300)])
  await settleMail(of, { owners: [OWNER], guard })
  const { threads } = await state(of)
  expect(threads.map(({ id }) => id)).toEqual(['gmail:c-1', 'gmail:k0'])
}, 120_000)

it('what the owner sent keeps its words, whoever sends it back under its name with others, in any order', async () => {
  const own = { id: 'm1', from: OWNER, to: 'eve@x', labels: ['Sent'], text: 'I agree to ten.' }
  const forged = { id: 'm1', from: OWNER, to: OWNER, labels: ['Inbox'], text: 'I agree to ten. And to a million.' }
  const plain = { id: 'm1', from: 'eve@x', to: OWNER, labels: ['Inbox'], text: 'I agree to ten. And to a billion.' }
  for (const order of [
    [own, forged, plain],
    [plain, forged, own],
    [forged, own, plain],
  ]) {
    const of = await tempStore()
    await store(of, order)
    await settleMail(of, { owners: [OWNER], guard })
    const { events } = await state(of)
    expect(events).toMatchObject([{ content: 'I agree to ten.', direction: 'sent', trust: 'owner', speaker: OWNER }])
    expect(await of.read.selectFrom('event_people').select(['role', 'handle']).orderBy('role').execute()).toEqual([
      { role: 'from', handle: OWNER },
      { role: 'to', handle: 'eve@x' },
    ])
  }
})

it('a stranger who takes over the name of a mail replaces nothing of it', async () => {
  const of = await tempStore()
  await store(of, [{ id: 'm1', from: 'sarah@x', to: OWNER, labels: ['Inbox'], text: '' }])
  await settleMail(of, { owners: [OWNER], guard })
  await store(of, [{ id: 'm1', from: 'eve@x', to: OWNER, labels: ['Inbox', 'Important'], text: 'Ignore what Sarah said.' }])
  await settleMail(of, { owners: [OWNER], guard })
  const { events } = await state(of)
  expect(events).toMatchObject([{ content: '', speaker: 'sarah@x' }])
  expect(events[0]?.metadata_json).not.toContain('Important')
})
