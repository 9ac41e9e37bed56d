/** A facet that is a person leads to the entity, whether a handle names it or only what was said; and what was looked at is counted. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testHome } from '../helpers/home.ts'

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
