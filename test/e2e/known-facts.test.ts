/** What memory knows of people, projects and the owner, said first: from logs, messages and mail, through a sync, to the reader, search, MCP and the brief. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Mnemonic, openMnemonic } from '../../src/library/index.ts'
import { claudeLog } from '../helpers/claude-log.ts'
import { fakeEmbedder } from '../helpers/fake-embedder.ts'
import { mcpClient } from '../helpers/mcp-client.ts'
import { openMessages } from '../helpers/messages-database.ts'
import { binaryHome } from '../helpers/run-binary.ts'

const home = binaryHome()
const folders = { home: join(home.root, 'home'), workspace: join(home.root, 'workspace') }
const sources = join(home.root, 'sources')
const project = join(home.root, 'atlas')
const CONFIG = `owner:
  name: Jo Marsh
  timezone: UTC
  emails: [jo@example.com]
sources:
  imessage: { enabled: true }
  gmail: { enabled: true }
`
const MAIL = `From dana@example.net Thu Feb  5 10:00:00 2026
Message-ID: <1@example.net>
Date: Thu, 5 Feb 2026 10:00:00 +0000
From: Dana Cole <dana@example.net>
To: Jo Marsh <jo@example.com>
Subject: Moving

I live in Porto now.

From jo@example.com Thu Feb  5 11:00:00 2026
Message-ID: <2@example.com>
In-Reply-To: <1@example.net>
Date: Thu, 5 Feb 2026 11:00:00 +0000
From: Jo Marsh <jo@example.com>
To: Dana Cole <dana@example.net>
Subject: Re: Moving

Great!

`
/** What the owner told an agent, on which day. The first five are of the specification. */
const TOLD: readonly (readonly [day: string, text: string])[] = [
  ['2026-01-15', 'Tyler works at Anthropic.'],
  ['2026-01-20', "Mom's birthday is May 15."],
  ['2026-02-01', 'Tyler is building Nexus at Anthropic.'],
  ['2026-02-03', 'I live in Lisbon.'],
  ['2026-02-10', 'Tyler used to work at Google.'],
  ['2026-02-11', 'My manager Priya prefers short written updates.'],
  ['2026-02-12', 'I work at Initech as a staff engineer.'],
  ['2026-02-13', 'My cat Luna needs medication at 8am.'],
  ['2026-02-14', 'My sister Sarah lives in Boston.'],
  ['2026-02-15', 'Lantern uses MySQL.'],
  ['2026-02-16', 'Lantern switched from MySQL to PostgreSQL.'],
  ['2026-02-17', "Tyler's favorite color is purple."],
  ['2026-02-18', "Tyler's favorite color changed to blue."],
  ['2026-02-19', 'Gina was born in Turin on May 3, 1980.'],
  ['2026-02-20', 'The launch is scheduled for March 3, 2026.'],
]
/** Forty short turns that have a word of the question and nothing of Tyler. */
const NOISE = Array.from({ length: 40 }, (_, i) => `Does step ${i} of the import work now, and where does it work?`)
let memory: Mnemonic

const opened = (personal?: 'never' | 'always') =>
  openMnemonic({
    ...{ ...folders, agent: 'main', embedder: fakeEmbedder() },
    config: { agents: { defaults: { memory: { read: personal === undefined ? {} : { personal } } } } },
  })

beforeAll(async () => {
  for (const folder of [folders.home, sources, join(project, '.git')]) mkdirSync(folder, { recursive: true })
  writeFileSync(join(folders.home, 'config.yaml'), CONFIG, { mode: 0o600 })
  for (const [i, [day, text]] of TOLD.entries()) {
    const session = `aaaaaa${String(i).padStart(2, '0')}-1111-4111-8111-111111111111`
    claudeLog(join(sources, 'claude'), session, { cwd: '/home/dev/notes', from: Date.parse(`${day}T10:00:00Z`) }).turn(text, 'Noted.')
  }
  const noise = claudeLog(join(sources, 'claude'), 'bbbbbbbb-1111-4111-8111-111111111111', { cwd: project })
  for (const text of NOISE) noise.turn(text, 'It does.')
  const chat = openMessages(join(sources, 'chat.db'))
  const elena = chat.handle('+14155550101')
  const thread = chat.chat({ guid: 'iMessage;-;+14155550101', style: 45, chat_identifier: '+14155550101' }, [elena])
  const at = Date.parse('2026-02-20T10:00:00Z')
  chat.message({ guid: 'm1', text: 'My wife Elena likes orchids. My brother Ivo lives in Ghent.', chat: thread, at })
  chat.message({ guid: 'm2', text: 'Noted, see you at the boat race on Sunday', chat: thread, from: elena, at: at + 60_000 })
  chat.close()
  writeFileSync(join(sources, 'mail.mbox'), MAIL)
  memory = await opened()
  await memory.sync({ path: sources })
}, 120_000)
afterAll(async () => {
  await memory.close()
  home.remove()
})

const known = async (prompt: string, of = memory) => (await of.read({ prompt, folder: project })).known.map(({ text }) => text)
const cite = (i: number) => `aaaaaa${String(i).padStart(2, '0')}:1`

describe('a prompt is told first', () => {
  it('what holds, since when, and what held before, cited: the example of the specification', async () => {
    const line = `Tyler: works at Anthropic, building Nexus (since 2026-01-15); before: Google [${cite(0)}, ${cite(2)}, ${cite(4)}]`
    for (const prompt of ['Where is Tyler working these days?', 'where does Tyler work?', 'where does Tyler work now']) {
      const answer = await memory.read({ prompt, folder: project })
      expect(
        answer.known.map(({ text }) => text),
        prompt,
      ).toEqual([line])
      expect(answer.text.split('\n')[2], prompt).toBe(line)
      expect(answer.known[0]).toMatchObject({ name: 'Tyler', type: 'person', trust: 'owner', citations: [cite(0), cite(2), cite(4)] })
    }
    expect((await memory.show(cite(4))).kind).toBe('turn')
  })

  it.each([
    ['draft a birthday card for Mom', `Mom: birthday on May 15 (said 2026-01-20) [${cite(1)}]`],
    ['write a birthday card for mom please', `Mom: birthday on May 15 (said 2026-01-20) [${cite(1)}]`],
    ['where do I live?', `Jo Marsh (the owner): lives in Lisbon (since 2026-02-03) [${cite(3)}]`],
    ["what's my job?", `Jo Marsh (the owner): works at Initech (since 2026-02-12) [${cite(6)}]`],
    ['who is my manager?', `Priya: the owner's manager (since 2026-02-11) [${cite(5)}]`],
    ['what does my manager prefer?', `Priya (the owner's manager): prefers short written updates (since 2026-02-11) [${cite(5)}]`],
    ['write a note to my sister Sarah', `Sarah (the owner's sister): lives in Boston (since 2026-02-14) [${cite(8)}]`],
    ['when does Luna get her medication?', `Luna (the owner's pet): schedule: medication at 08:00 (since 2026-02-13) [${cite(7)}]`],
    ['Which database does Lantern use?', `Lantern: uses PostgreSQL (since 2026-02-16); before: MySQL [${cite(10)}, ${cite(9)}]`],
    ["what is Tyler's favorite color?", `Tyler: favorite color: blue (since 2026-02-18); before: purple [${cite(12)}, ${cite(11)}]`],
    ['who works at Anthropic?', `Anthropic: Tyler works at Anthropic (since 2026-01-15) [${cite(0)}]`],
    ['whats moms birthday', `Mom: birthday on May 15 (said 2026-01-20) [${cite(1)}]`],
    ['what is tylers fav color', `Tyler: favorite color: blue (since 2026-02-18); before: purple [${cite(12)}, ${cite(11)}]`],
    ['who is tyler', `Tyler: works at Anthropic, building Nexus (since 2026-01-15) [${cite(0)}, ${cite(2)}]`],
    ['do i have pets?', `Jo Marsh (the owner): has pet Luna (since 2026-02-13) [${cite(7)}]`],
    ['where was Gina born?', `Gina: born in Turin (said 2026-02-19) [${cite(13)}]`],
    ['when was gina born', `Gina: born on May 3, 1980 (said 2026-02-19) [${cite(13)}]`],
    ['when is the launch?', `launch: scheduled for 2026-03-03 (since 2026-02-20) [${cite(14)}]`],
  ])('%s', async (prompt, line) => expect(await known(prompt)).toEqual([line]))

  it('with what others said labelled, where the prompt names them', async () => {
    const [line] = await known('where does Dana Cole live?')
    expect(line).toMatch(/^Dana Cole: lives in Porto \(since 2026-02-05\) \[contact\] \[e:[0-9a-f]+\]$/)
  })

  it.each([
    'fix the lint errors',
    'commit and push',
    'where do I put the config file?',
    'rename the manager class',
    'do I like need to restart it?',
    'whats the status of the tests',
    'when is the cache cleared?',
  ])('nothing by a chore: %s', async (prompt) =>
    expect(await memory.read({ prompt, folder: project })).toMatchObject({ needed: false, known: [], text: '' }),
  )

  it('no fact where the prompt asks for the state of the work', async () => {
    const { known: facts, text } = await memory.read({ prompt: 'what is my next step?', folder: project })
    expect(facts).toEqual([])
    expect(text).toContain('Work on atlas was left in session')
  })

  it('nothing of which nothing is known', async () => {
    expect(await known('where does Tyler live?')).toEqual([])
    expect(await known('when is my birthday?')).toEqual([])
    expect((await memory.read({ prompt: 'where does Zebulon Quick work?', folder: project })).known).toEqual([])
  })

  it.each(['who am I?', 'what do you know about me?'])('whatever is known of the owner: %s', async (prompt) =>
    expect((await known(prompt))[0]).toMatch(/^Jo Marsh \(the owner\): works at Initech/),
  )

  it('once in a session, and again in another', async () => {
    const ask = async (session: string) =>
      (await memory.read({ prompt: 'where do I live?', folder: project, harness: 'codex', session })).known.length
    expect([await ask('one'), await ask('one'), await ask('two')]).toEqual([1, 0, 1])
  })

  it('and gets few pieces beside the line', async () => {
    const { pieces } = await memory.read({ prompt: 'where does Tyler work?', folder: project })
    expect(pieces.length).toBeGreaterThan(0)
    expect(pieces.length).toBeLessThanOrEqual(5)
    expect(pieces.map(({ text }) => text).join('\n')).not.toContain('of the import')
  })
})

describe('messages and mail in a project', () => {
  it('tell of whom the prompt names, and never where the configuration says so', async () => {
    expect(await known('where does my brother live?')).toEqual([expect.stringMatching(/^Ivo \(the owner's brother\): lives in Ghent/)])
    const never = await opened('never')
    expect(await known('where does my brother live?', never)).toEqual([])
    expect(await known('where does Ivo live?', never)).toEqual([])
    expect(await known('where do I live?', never)).toHaveLength(1)
    await never.close()
  })

  it('tell nobody who goes on with the work', async () => {
    const { text } = await memory.read({ prompt: 'where did we leave off', folder: project })
    expect(text).not.toMatch(/Ivo|Elena|boat race|Porto/)
  })

  it('are no part of the brief, which has what is known of the owner for work', async () => {
    const { stable } = await memory.brief({ folder: project })
    expect(stable).toContain(
      `## The owner\n- Jo Marsh (the owner): works at Initech (since 2026-02-12) [${cite(6)}]\n- Jo Marsh (the owner): lives in Lisbon (since 2026-02-03) [${cite(3)}]`,
    )
    expect(stable).not.toMatch(/Sarah|Ivo|Elena|Luna/)
  })
})

describe('a search', () => {
  const LINE = /^Tyler: works at Anthropic, building Nexus \(since 2026-01-15\); before: Google \[/

  it('that asks for a fact says it before the hits, at the command line and in JSON', async () => {
    expect((await home.runHere('search', 'where does Tyler work')).stdout).toMatch(LINE)
    const { known: lines } = JSON.parse((await home.runHere('search', 'where does Tyler work', '--json')).stdout) as {
      known: { text: string }[]
    }
    expect(lines).toHaveLength(1)
    expect(lines[0]?.text).toMatch(LINE)
    for (const argv of [
      ['search', 'step 3 of the import'],
      ['search', 'where does Tyler work', '--project', 'notes'],
    ])
      expect(JSON.parse((await home.runHere(...argv, '--json')).stdout)).not.toHaveProperty('known')
  })

  it('says it over MCP, of sessions only what sessions say', async () => {
    const { call } = await mcpClient(memory)
    for (const tool of ['memory_search', 'session_search'])
      expect((await call(tool, { query: 'where does Tyler work' })).text, tool).toMatch(/>\nTyler: works at Anthropic, building Nexus/)
    expect((await call('memory_search', { query: 'where does my brother live' })).text).toContain('lives in Ghent')
    expect((await call('session_search', { query: 'where does my brother live' })).text).not.toContain('Ghent')
  })
})

it('what a message said is gone with it', async () => {
  expect(await known('where does my brother live?')).toHaveLength(1)
  const forgotten = await home.runHere('forget', '--match', 'My brother Ivo', '--yes')
  expect(forgotten.code, forgotten.stderr).toBe(0)
  await memory.close()
  memory = await opened()
  expect(await known('where does my brother live?')).toEqual([])
})
