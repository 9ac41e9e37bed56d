import { mkdirSync, rmSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import { type TestHome, testHome } from '../../../test/helpers/home.ts'
import { claudeCodeSource } from '../../../test/helpers/sources/claude-code.ts'
import type { Mnemonic } from '../../library/index.ts'

const DAY = 86_400_000
const START = Date.UTC(2026, 1, 2, 9)
const NOW = START + 30 * DAY
const TOKEN = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`

const edit = (file: string) => ({
  name: 'Edit',
  params: { file_path: `/home/dev/atlas/${file}`, old_string: 'a', new_string: 'b' },
  result: 'ok',
})

let home: TestHome
let mnemonic: Mnemonic

/** Each session has its own day. */
function write(name: string, day: number, exchanges: readonly { prompt: string; answer: string; tool?: ReturnType<typeof edit> }[]): void {
  mkdirSync(home.logs, { recursive: true })
  claudeCodeSource.write(
    home.logs,
    name,
    exchanges.map((one, i) => ({ ...one, at: START + day * DAY + i * 60_000 })),
  )
}

beforeEach(async () => {
  home = testHome()
  mnemonic = await home.open({ config: { sources: {} }, clock: () => NOW })
})
async function read(): Promise<void> {
  await mnemonic.sync({ path: home.logs, adapters: ['claude-code', 'aix-events'], embed: false })
  await mnemonic.analyze({})
}

const FERRY = [
  { prompt: "Let's use MySQL for the ferry timetable store.", answer: 'Agreed, the ferry timetable goes into MySQL.' },
  { prompt: 'Now write the loader of the ferry timetable', answer: 'Done, the loader reads it.', tool: edit('src/ferry-loader.ts') },
]
const HARBOUR = [{ prompt: 'How deep is the harbour lock at low water?', answer: 'The harbour lock is four metres deep.' }]

describe('route', () => {
  it('gives the session that knows what the message speaks of, with the turn, the names and the command that resumes it', async () => {
    write('ferry', 0, FERRY)
    write('harbour', 1, HARBOUR)
    await read()
    const { sessions } = await mnemonic.route({ message: 'the loader of the ferry timetable drops the last row' })
    expect(sessions[0]).toMatchObject({ harness: 'claude-code', stale: [], stale_total: 0, not_resumable: null })
    expect(sessions[0]?.why.terms.join(' ')).toMatch(/ferry/)
    expect(sessions[0]?.why.cite).toBe(`${sessions[0]?.id}:2`)
    expect(sessions[0]?.resume?.command).toMatch(/^cd \/home\/dev\/atlas && claude --resume [0-9a-f-]{36}$/)
    expect(sessions[0]?.why.excerpt).toMatch(/loader/)
  })

  it('offers a fork where the log that the harness needs is gone, and resume says the same', async () => {
    write('ferry', 0, FERRY)
    await read()
    const message = 'the loader of the ferry timetable drops the last row'
    expect((await mnemonic.route({ message })).sessions[0]?.instead).toBeNull()
    rmSync(home.logs, { recursive: true })
    const { session_id = '', resume, not_resumable, instead } = (await mnemonic.route({ message })).sessions[0] ?? {}
    expect(resume).toBeNull()
    expect(not_resumable).toMatch(/its log is gone, and Claude Code needs it/)
    expect(instead).toBe(`mnemonic fork --session ${session_id} --query "…" --into claude-code`)
    await expect(mnemonic.resume(session_id)).rejects.toMatchObject({
      code: 'NOT_SUPPORTED',
      hint: expect.stringMatching(/mnemonic fork --session .* Or read it: mnemonic show /),
    })
    expect((await mnemonic.buildForkContext({ query: 'ferry timetable', session: session_id })).relevant_turns.length).toBeGreaterThan(0)
  })

  it('says that nothing fits instead of guessing', async () => {
    write('ferry', 0, FERRY)
    await read()
    expect(await mnemonic.route({ message: 'what shall I cook for my nephew tonight' })).toMatchObject({ sessions: [] })
    for (const message of ['hi', 'ok, go on', 'please continue']) expect((await mnemonic.route({ message })).sessions).toEqual([])
    await expect(mnemonic.route({ message: '  ' })).rejects.toMatchObject({ code: 'USAGE' })
    await expect(mnemonic.route({ message: '<private>ferry</private>' })).rejects.toMatchObject({ code: 'USAGE' })
    await expect(mnemonic.route({ message: 'ferry', limit: 0 })).rejects.toMatchObject({ code: 'USAGE' })
  })

  it('names a file that another session changed since, and not one that only this session changed', async () => {
    write('ferry', 0, [...FERRY, { prompt: 'and a test', answer: 'Written.', tool: edit('src/ferry-test.ts') }])
    write('later', 5, [{ prompt: 'Speed up reading', answer: 'It streams now.', tool: edit('src/ferry-loader.ts') }])
    await read()
    const { sessions } = await mnemonic.route({ message: 'ferry-loader.ts of the ferry timetable store' })
    const ferry = sessions.find(({ last_message_at }) => (last_message_at ?? '') < '2026-02-05')
    expect(ferry?.stale).toMatchObject([
      { kind: 'file', about: '/home/dev/atlas/src/ferry-loader.ts', asked: true, known_at: '2026-02-02T09:01:01.000Z' },
    ])
    expect(ferry?.stale[0]?.changed_at.slice(0, 10)).toBe('2026-02-07')
    expect(ferry?.stale[0]?.cite).toMatch(/^[0-9a-f]{8}:1$/)
    expect(Object.keys(ferry?.stale[0] ?? {}).sort()).toEqual(['about', 'asked', 'changed_at', 'cite', 'kind', 'known_at', 'now'])
    // The session that changed it is current.
    expect(sessions.find((one) => one !== ferry)?.stale ?? []).toEqual([])
  })

  it('names the decision that replaced one of its own', async () => {
    write('ferry', 0, FERRY)
    write('later', 5, [
      { prompt: "Let's use PostgreSQL instead of MySQL for the ferry timetable store.", answer: 'Agreed, PostgreSQL it is.' },
    ])
    await read()
    const { sessions } = await mnemonic.route({ message: 'which store has the ferry timetable' })
    const ferry = sessions.find(({ last_message_at }) => (last_message_at ?? '') < '2026-02-05')
    expect(ferry?.stale).toMatchObject([
      { kind: 'decision', about: expect.stringMatching(/MySQL/), now: expect.stringMatching(/PostgreSQL/), asked: true },
    ])
    const later = sessions.find((one) => one !== ferry)
    expect(later?.stale).toEqual([])
    expect(ferry?.stale[0]?.cite).toBe(`${later?.id}:1`)
  })

  it('what a session decided anew itself is not stale', async () => {
    write('ferry', 0, [
      ...FERRY,
      { prompt: "Let's use PostgreSQL instead of MySQL for the ferry timetable store.", answer: 'Agreed, PostgreSQL it is.' },
    ])
    await read()
    expect((await mnemonic.decisions({ subject: 'ferry' })).lines[0]?.before).toHaveLength(1)
    expect((await mnemonic.route({ message: 'which store has the ferry timetable' })).sessions[0]?.stale).toEqual([])
  })

  it('names what was said of somebody since', async () => {
    write('tyler', 0, [{ prompt: 'Tyler works at Google now. The invitation for Tyler is next.', answer: 'Drafted the invitation.' }])
    write('later', 5, [{ prompt: 'Tyler works at Anthropic now.', answer: 'Noted.' }])
    await read()
    const { sessions } = await mnemonic.route({ message: 'send the invitation to Tyler' })
    const first = sessions.find(({ last_message_at }) => (last_message_at ?? '') < '2026-02-05')
    expect(first?.why.entities).toEqual(['tyler'])
    expect(first?.stale).toMatchObject([{ kind: 'observation', about: 'Tyler', now: expect.stringMatching(/Anthropic/), asked: true }])
  })

  it('prefers the newer of two that know the same', async () => {
    write('old', 0, HARBOUR)
    write('new', 29, [
      { prompt: 'How deep is the harbour lock at low water today?', answer: 'The harbour lock is four metres deep today.' },
    ])
    await read()
    const { sessions } = await mnemonic.route({ message: 'harbour lock low water' })
    expect(sessions.map(({ last_message_at }) => last_message_at?.slice(0, 10))).toEqual(['2026-03-03', '2026-02-02'])
  })

  it('offers only the harness that was asked for, and nothing of another agent', async () => {
    write('harbour', 1, HARBOUR)
    await read()
    expect((await mnemonic.route({ message: 'harbour lock', harness: 'claude-code' })).sessions).toHaveLength(1)
    expect((await mnemonic.route({ message: 'harbour lock', harness: 'codex' })).sessions).toEqual([])
    await expect(mnemonic.route({ message: 'harbour lock', agent: 'other' })).rejects.toMatchObject({ code: 'USAGE' })
    await expect(mnemonic.route({ message: 'harbour lock', harness: 'nonesuch' })).rejects.toMatchObject({ code: 'USAGE' })
  })

  it('offers nothing that was forgotten, and gives no secret', async () => {
    write('harbour', 1, [{ prompt: `The harbour lock key is ${TOKEN}`, answer: 'Noted, the harbour lock has a key.' }])
    await read()
    const answer = await mnemonic.route({ message: `harbour lock key ${TOKEN}` })
    expect(answer.sessions).toHaveLength(1)
    expect(JSON.stringify(answer)).not.toContain(TOKEN)
    await mnemonic.forget({ session: answer.sessions[0]?.session_id ?? '' })
    expect((await mnemonic.route({ message: 'harbour lock key' })).sessions).toEqual([])
  })
})
