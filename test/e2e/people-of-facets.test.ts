/** A facet that is a person leads to the entity, whether a handle names it or only what was said; and what was looked at is counted. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type Mnemonic, openMnemonic } from '../../src/library/index.ts'
import { configureEventWorld, writeEventWorld } from '../helpers/event-world.ts'
import { testHome } from '../helpers/home.ts'
import { openMessages } from '../helpers/messages-database.ts'

it('somebody who is only named is the entity that the same run wrote', { timeout: 60_000 }, async () => {
  const home = testHome()
  const line = (role: string, content: string, at: string) => JSON.stringify({ role, content, timestamp: `2026-02-05T10:0${at}:00Z` })
  writeFileSync(
    join(home.logs, 'family.jsonl'),
    `${line('user', "My sister Emily lives in Hamburg. Mom's birthday is May 15, 1968.", '0')}\n${line('assistant', 'Noted.', '1')}\n`,
  )
  const mnemonic = await home.open()
  await mnemonic.sync({ path: home.logs, embed: false })
  await mnemonic.analyze({ types: ['entity_extraction'] })
  const people = await mnemonic.sql(
    `select f.value, e.name, e.type from facets f left join entities e on e.id = f.person_id
     where f.facet_type = 'person' and f.value in ('Emily', 'Mom') order by f.value`,
  )
  expect(people.rows).toEqual([
    ['Emily', 'Emily', 'person'],
    ['Mom', 'Mom', 'person'],
  ])

  const counts = async () => (await mnemonic.sql('select kind, times from access_counts order by kind')).rows
  const turn = String((await mnemonic.sql('select id from agent_turns')).rows[0]?.[0])
  await mnemonic.show(turn.slice(0, turn.indexOf('/')))
  expect(await counts()).toEqual([])
  await mnemonic.show(turn)
  const { pages } = (await mnemonic.showPages(turn)) as { pages: AsyncIterable<unknown> }
  for await (const page of pages) expect(page).toHaveLength(1)
  await mnemonic.entities.show('Emily')
  expect(await counts()).toEqual([
    ['entity', 1],
    ['turn', 2],
  ])
})

it('what is said after an address book joined two names leads to the same person as what was said before', {
  timeout: 60_000,
}, async () => {
  const { root } = testHome()
  const sources = join(root, 'sources')
  writeEventWorld(sources, { messages: 60, mails: 24, meetings: 4 })
  const messages = openMessages(join(sources, 'messages', 'chat.db'))
  const says = (guid: string, day: number) =>
    messages.message({ guid, text: 'the plan is on the table', chat: 2, from: 2, at: Date.UTC(2026, 2, day) })
  const homeOf = async (name: string) => {
    configureEventWorld(join(root, name), sources)
    return openMnemonic({ home: join(root, name), workspace: join(root, `${name}-workspace`) })
  }
  const peopleOf = async (mnemonic: Mnemonic) => {
    await mnemonic.sync({ embed: false })
    const { rows } = await mnemonic.sql(
      `select f.id, f.value, f.person_id, coalesce(e.canonical_id, e.id) from facets f left join entities e on e.id = f.person_id
       where f.facet_type = 'person' and f.value in ('+14155550001', 'Person 1') order by f.id`,
    )
    return rows
  }
  says('first', 1)
  const grown = await homeOf('grown')
  await peopleOf(grown)
  says('second', 3)
  messages.close()
  const found = await peopleOf(grown)
  expect(found).toEqual(await peopleOf(await homeOf('at-once')))
  const named = new Set(found.map(([, value]) => value))
  expect(named).toEqual(new Set(['+14155550001', 'Person 1']))
  expect(new Set(found.map(([, , , who]) => who)).size).toBe(1)
})

it('whom a facet names is the same before and after what others call them: address books, merges, other types, splits, a rebuild', {
  timeout: 60_000,
}, async () => {
  const home = testHome()
  const messages = openMessages(join(home.root, 'sources', 'messages', 'chat.db'))
  const people = join(home.root, 'sources', 'people')
  mkdirSync(people, { recursive: true })
  for (const [n, handle] of ['+14155550001', 'harbor-club'].entries()) {
    const chat = messages.chat({ guid: `iMessage;-;${n}`, style: 45, chat_identifier: handle, service_name: 'iMessage' }, [
      messages.handle(handle),
    ])
    const text = 'My sister Emily lives in Bremen, and Ruth Abel works at Initech.'
    messages.message({ guid: `m${n}`, chat, from: n + 1, at: Date.UTC(2026, 1, 3, n), text })
  }
  messages.close()
  const line = (role: string, content: string, at: string) => JSON.stringify({ role, content, timestamp: `2026-02-05T10:0${at}:00Z` })
  writeFileSync(
    join(home.logs, 'family.jsonl'),
    [
      line('user', "My sister Emily lives in Hamburg. Juno Park works at Acme. Mom's birthday is May 15, 1968.", '0'),
      line('assistant', 'Noted.', '1'),
      line('user', 'My sister Emily works at Initech.', '2'),
      line('assistant', 'Noted.', '3'),
      '',
    ].join('\n'),
  )
  const sources = {
    imessage: { enabled: true, paths: [join(home.root, 'sources', 'messages', 'chat.db')] },
    contacts: { enabled: true, paths: [people] },
    'claude-code': { enabled: false },
  }
  const mnemonic = await home.open({ config: { owner: { name: 'Max', timezone: 'UTC' }, sources } })
  const found = async () =>
    (await mnemonic.sql("select id, value, person_id from facets where facet_type = 'person' order by value, id")).rows
  await mnemonic.sync({ path: home.logs, embed: false })
  await mnemonic.sync({ embed: false })
  const before = await found()
  expect(before.map(([, value]) => value)).toEqual(expect.arrayContaining(['+14155550001', 'harbor-club', 'Emily', 'Juno Park', 'Mom']))
  expect(before.filter(([, , person]) => person === null)).toEqual([])

  const card = (name: string, tel: string) => `BEGIN:VCARD\r\nVERSION:3.0\r\nFN:${name}\r\nTEL:${tel}\r\nEND:VCARD\r\n`
  writeFileSync(join(people, 'people.vcf'), card('Emily', '+14155550001'))
  await mnemonic.sync({ embed: false })
  await mnemonic.entities.retype('Juno Park', 'project')
  await mnemonic.entities.alias('Mom', 'harbor-club')
  let split = 0
  for (const emily of new Set(before.flatMap(([, value, person]) => (value === 'Emily' ? [String(person)] : [])))) {
    const { places } = await mnemonic.entities.places(emily)
    const said = new Set(places.map(({ message_id }) => message_id))
    if (said.size > 1) split += (await mnemonic.entities.split(emily, { take: [...said].slice(0, 1) })).split.taken
  }
  expect(split).toBeGreaterThan(0)
  await mnemonic.rebuild({ embed: false })
  expect(await found()).toEqual(before)
})
