import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ATLAS, BEACON, LAMP, QUEUE, saidHome } from '../../../test/helpers/said-home.ts'
import { pointedFiles } from './pointed-files.ts'

const TOUCHED = [
  { path: '/app/docs/notes.md', action: 'read' },
  { path: '/app/src/lamp.ts', action: 'edit' },
  { path: '/app/src/lamp.test.ts', action: 'create' },
  { path: '/app/src/lamp.ts', action: 'read' },
] as const
const files = (text: string, words = 5, codes: string[] = []) => pointedFiles({ text, words, codes }, TOUCHED)

describe('the files that a prompt points at', () => {
  it('are those that the session changed last, then those that it read', () => {
    expect(files('why did we split that file?')).toEqual(['lamp.ts', 'lamp.test.ts'])
    expect(pointedFiles({ text: 'what was this module for?', words: 4, codes: [] }, TOUCHED.slice(0, 1))).toEqual(['notes.md'])
  })

  it('are tests where it points at a test', () => expect(files('why did we skip this flaky test?')).toEqual(['lamp.test.ts']))

  it('are none where it names one, points at nothing, or says itself what it is', () => {
    expect(files('why did we split that file, relay.ts?', 5, ['relay.ts'])).toEqual([])
    expect(files('why did we drop the retry queue?')).toEqual([])
    expect(files('did we decide that it drops late jobs?')).toEqual([])
    expect(files('why did we change it?', 1)).toEqual(['lamp.ts', 'lamp.test.ts'])
  })
})

/** A session that edits a file of the lamp but talks about something else. */
async function workingHome() {
  const memory = await saidHome([QUEUE, LAMP])
  const session = 'cccccccc-1111-4111-8111-111111111111'
  const line = (n: number, type: string, message: object) =>
    `${JSON.stringify({
      ...{ parentUuid: n === 0 ? null : `c${n - 1}`, isSidechain: false, userType: 'external', cwd: BEACON, sessionId: session },
      ...{ version: '2.1.7', type, message, uuid: `c${n}`, timestamp: new Date(Date.UTC(2026, 1, 20, 10, n)).toISOString() },
    })}\n`
  const edit = {
    type: 'tool_use',
    id: 'toolu_1',
    name: 'Edit',
    input: { file_path: `${BEACON}/lampDriver.ts`, old_string: 'a', new_string: 'b' },
  }
  const log = join(memory.home.logs, BEACON.replaceAll('/', '-'), `${session}.jsonl`)
  mkdirSync(join(log, '..'), { recursive: true })
  writeFileSync(log, line(0, 'user', { role: 'user', content: 'Make the names shorter.' }))
  appendFileSync(log, line(1, 'assistant', { id: 'msg_c1', role: 'assistant', type: 'message', content: [edit] }))
  appendFileSync(log, line(2, 'user', { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'done' }] }))
  const done = [{ type: 'text', text: 'The names are shorter.' }]
  appendFileSync(log, line(3, 'assistant', { id: 'msg_c3', role: 'assistant', type: 'message', content: done }))
  await memory.sync({ path: memory.home.logs, adapters: ['claude-code'], embed: false })
  return { memory, session }
}

it('the reader finds what earlier sessions said of a file that the prompt does not name', async () => {
  const { memory, session } = await workingHome()
  const prompt = 'why did we choose that file?'
  const asked = { prompt, folder: BEACON, harness: 'claude-code', explain: true }
  expect((await memory.read(asked)).text).not.toContain('zirconium')
  const answer = await memory.read({ ...asked, session })
  expect(answer.phrasings.at(-1)).toContain('lampDriver.ts')
  expect(answer.text).toContain('zirconium')
  expect(answer.pieces[0]?.why).toContain('files of the session (lampDriver.ts)')
  // Pointing at a file does not make a prompt need memory.
  expect(await memory.read({ ...asked, session, prompt: 'can you rename that file?' })).toMatchObject({ needed: false })
})

it('plain words find what a project writes as one: no phrasing is needed for that', async () => {
  const texts = [
    'Look at the pump.',
    'The pressure lives in `valveSchedule` and is read by `pumpGovernor.ts`, because the boiler is older.',
  ]
  const memory = await saidHome([{ ...QUEUE, texts }])
  const { pieces, phrasings } = await memory.read({ prompt: 'what did we say about the valve schedule?', folder: ATLAS })
  expect(phrasings).toHaveLength(1)
  expect(pieces[0]?.text).toContain('valveSchedule')
})
