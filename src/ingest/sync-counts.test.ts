/** Exact report numbers. */
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testHome } from '../../test/helpers/home.ts'

const at = (minute: number) => `2026-02-05T10:${String(minute).padStart(2, '0')}:00Z`

const speak = (minute: number, role: string, content: string) => `${JSON.stringify({ role, content, timestamp: at(minute) })}\n`

const claude = (session: string, uuid: string, parentUuid: string | null, minute: number) =>
  `${JSON.stringify({
    ...{ type: 'user', uuid, parentUuid, sessionId: session, cwd: '/home/dev/counts', timestamp: at(minute) },
    message: { role: 'user', content: `question ${uuid}` },
  })}\n`

it('bad lines are counted one by one, named by the first, and not again when the file grows', async () => {
  const home = testHome()
  const path = join(home.logs, 'chat.jsonl')
  writeFileSync(
    path,
    `${speak(1, 'user', 'first')}not json\n${speak(2, 'assistant', 'second')}{"role":"user"}\n${speak(3, 'user', 'third')}`,
  )
  const mnemonic = await home.open()
  const sync = async () => (await mnemonic.sync({ path: home.logs, adapters: ['jsonl'], embed: false })).totals
  const first = await sync()
  expect(first).toMatchObject({ found: 1, imported: 1, records: 3, repeated: 0, skipped_lines: 2 })
  expect(first.warnings).toEqual([expect.stringMatching(/chat\.jsonl: skipped 2 bad lines \(line 2: /)])
  appendFileSync(path, `also not json\n${speak(4, 'assistant', 'fourth')}`)
  const second = await sync()
  expect(second).toMatchObject({ imported: 1, records: 1, skipped_lines: 1 })
  expect(second.warnings).toEqual([expect.stringMatching(/skipped 1 bad line \(line 6: /)])
})

it('records that an earlier file told are counted one by one, and only where a file is read for the first time', async () => {
  const home = testHome()
  const told = ['a', 'b', 'c'].map((uuid, n) => claude('s-first', uuid, n === 0 ? null : (['a', 'b'][n - 1] as string), n))
  writeFileSync(join(home.logs, 's-first.jsonl'), told.join(''))
  const mnemonic = await home.open()
  const sync = async () => (await mnemonic.sync({ path: home.logs, embed: false })).totals
  expect(await sync()).toMatchObject({ imported: 1, records: 3, repeated: 0 })
  // A resumed session repeats its origin.
  const fork = join(home.logs, 's-second.jsonl')
  writeFileSync(fork, [...told.map((line) => line.replace('s-first', 's-second')), claude('s-second', 'd', 'c', 5)].join(''))
  expect(await sync()).toMatchObject({ imported: 1, records: 1, repeated: 3 })
  expect((await mnemonic.sql("select records from sync_state where adapter = 'claude-code' order by path")).rows).toEqual([[3], [1]])
  appendFileSync(fork, claude('s-second', 'e', 'd', 6) + claude('s-second', 'e', 'd', 6))
  expect(await sync()).toMatchObject({ imported: 1, records: 1, repeated: 0 })
  expect((await mnemonic.sql("select records from sync_state where adapter = 'claude-code' order by path")).rows).toEqual([[3], [2]])
})
