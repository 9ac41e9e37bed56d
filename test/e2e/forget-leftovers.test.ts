/** What forgetting leaves nothing of: files that would say nothing any more but their name, old copies, and the names of series. */
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { ForgetReport } from '../../src/library/index.ts'
import { claudeLog } from '../helpers/claude-log.ts'
import { testHome } from '../helpers/home.ts'
import { vcalendar, vevent } from '../helpers/sources/calendar.ts'
import { spokenHome } from '../helpers/spoken-home.ts'

const WORD = 'quenlorimask'

it.each(['session', 'match'] as const)('a dossier of which nothing is left goes with its name: --%s', async (selector) => {
  const home = spokenHome()
  const mnemonic = await home.spoken()
  await home.say(mnemonic, 'gone', [`We decided to use Rust for the ${WORD} storage.`, 'Noted.'])
  const { path, sentences } = await mnemonic.dossiers.make({ topic: WORD })
  expect(sentences).toBeGreaterThan(0)
  const report = (await mnemonic.forget(selector === 'session' ? { session: 'jsonl:gone' } : { match: WORD })) as ForgetReport
  expect(report).toMatchObject({ status: 'gone', still_held: [] })
  expect(existsSync(join(home.root, 'workspace', path))).toBe(false)
})

it('an old how-to that is copied back is set aside, though it cites tool calls', async () => {
  const home = testHome()
  const mnemonic = await home.open()
  const id = '5eed0000-0000-4000-8000-000000000000'
  const log = claudeLog(home.logs, id)
  log.turn('Please test it.', 'I will run the tests.')
  log.call('Bash', { command: `npm test -- ${WORD}` }, '12 passing')
  log.call('Bash', { command: `npm test -- ${WORD}` }, '12 passing')
  await mnemonic.sync({ path: home.logs, adapters: ['claude-code'], embed: false })
  const { rows } = await mnemonic.sql('select project_name from agent_sessions')
  const { path, markdown } = await mnemonic.dossiers.make({ projectHowTo: String(rows[0]?.[0]) })
  expect(markdown).toContain(WORD)
  const workspace = join(home.root, 'workspace')
  const old = join(home.root, 'old')
  cpSync(workspace, old, { recursive: true })
  await mnemonic.forget({ session: `claude-code:${id}` })
  expect(existsSync(join(workspace, path))).toBe(false)

  mkdirSync(join(workspace, 'howto'), { recursive: true })
  cpSync(join(old, path), join(workspace, path))
  rmSync(home.logs, { recursive: true })
  expect(JSON.stringify(await mnemonic.sync({ embed: false }))).toContain('it is an old copy of something that was forgotten')
  expect((await mnemonic.search({ query: WORD })).results).toEqual([])
})

it('the name of a forgotten series stands in no state of a source', async () => {
  const home = testHome()
  const mnemonic = await home.open({ config: { owner: { emails: ['me@example.org'] } }, clock: () => Date.UTC(2026, 2, 10) })
  const file = join(home.root, 'work.ics')
  const series = { UID: `${WORD}@example.org`, DTSTART: '20260302T090000Z', DTEND: '20260302T093000Z', RRULE: 'FREQ=WEEKLY;COUNT=3' }
  writeFileSync(file, vcalendar('X-WR-CALNAME:Work', vevent({ ...series, SUMMARY: 'Review' })))
  await mnemonic.sync({ path: file, adapters: ['calendar'], embed: false })
  await mnemonic.sync({ adapters: ['calendar-series'], embed: false })
  const states = async () => (await mnemonic.sql('select path from sync_state')).rows.flat().join('\n')
  expect(await states()).toContain(WORD)
  await mnemonic.forget({ before: '2027-01-01' })
  expect(await states()).not.toContain(WORD)
  expect(readdirSync(join(home.root, 'home', 'receipts')).length).toBeGreaterThan(0)
})
