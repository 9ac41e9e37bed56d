/** Messages, mail and meetings in a project: from the samples to what a hook, a brief, the reader, MCP and a person at the command line get of them. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEMO_CONFIG } from '../../src/cli/demo-plan.ts'
import { copySamples, type Mnemonic, openMnemonic } from '../../src/library/index.ts'
import { fakeEmbedder } from '../helpers/fake-embedder.ts'
import { mcpClient } from '../helpers/mcp-client.ts'
import { binaryHome } from '../helpers/run-binary.ts'
import { saidHome } from '../helpers/said-home.ts'

const home = binaryHome()
const folders = { home: join(home.root, 'home'), workspace: join(home.root, 'workspace') }
const project = join(home.root, 'repository')
const CHAT = 'we launch at ten'
let memory: Mnemonic

const opened = (personal?: 'never' | 'always') =>
  openMnemonic({
    ...{ ...folders, agent: 'main', embedder: fakeEmbedder() },
    config: { agents: { defaults: { memory: { read: personal === undefined ? {} : { personal } } } } },
  })

beforeAll(async () => {
  mkdirSync(folders.home, { recursive: true })
  mkdirSync(join(project, '.git'), { recursive: true })
  writeFileSync(join(folders.home, 'config.yaml'), DEMO_CONFIG, { mode: 0o600 })
  await copySamples(join(home.root, 'samples'))
  memory = await opened()
  await memory.sync({ path: join(home.root, 'samples') })
})
afterAll(async () => {
  await memory.close()
  home.remove()
})

const read = async (prompt: string, of = memory) => (await of.read({ prompt, folder: project })).text

describe('a prompt in a project', () => {
  it.each([
    'when did we say that we launch at ten?',
    'where did we leave off last time with the launch at ten?',
    'did we agree to launch at ten? it was in the email column, will it work?',
  ])('is given no message of people: %s', async (prompt) => expect(await read(prompt)).not.toContain(CHAT))

  it.each([
    'what did Sarah say about the launch at ten?',
    'what did we agree with sarah chen about the launch at ten?',
    'did we say in iMessage that we launch at ten?',
    'who texted me that we launch at ten last week?',
  ])('is given those of whom or what it names: %s', async (prompt) => expect(await read(prompt)).toContain(CHAT))

  it.each(['why did we drop what Mike said about the launch at ten?', 'did we say in our chat with the agent that we launch at ten?'])(
    'is given no others for it: %s',
    async (prompt) => expect(await read(prompt)).not.toContain(CHAT),
  )

  it('is given none where the configuration says never, and all where it says always or where no project is', async () => {
    const [never, always] = [await opened('never'), await opened('always')]
    expect(await read('what did Sarah say about the launch at ten?', never)).not.toContain(CHAT)
    expect(await read('when did we say that we launch at ten?', always)).toContain(CHAT)
    expect((await memory.read({ prompt: 'when did we say that we launch at ten?' })).text).toContain(CHAT)
    for (const one of [never, always]) await one.close()
  })
})

describe('an agent in a project', () => {
  const ask = async (tool: string, input: object, of = memory) => {
    // The folder of this process is that of a repository.
    const { call } = await mcpClient(of)
    return (await call(tool, input as Record<string, unknown>)).text
  }

  it('finds over MCP only what its question or a filter names', async () => {
    expect(await ask('memory_search', { query: 'launch at ten' })).not.toContain(CHAT)
    expect(await ask('memory_search', { query: 'what did Sarah say about the launch at ten' })).toContain(CHAT)
    for (const filters of [{ channel: 'imessage' }, { with: 'Sarah' }])
      expect(await ask('memory_search', { query: 'launch at ten', filters })).toContain(CHAT)
    expect(await ask('timeline', { day: '2026-10-12' })).not.toMatch(/imessage|meeting/)
    expect(await ask('decisions', { subject: 'launch' })).not.toContain(CHAT)
  })

  it('finds none where the configuration says never, and reads none by its id', async () => {
    const never = await opened('never')
    const { results } = await memory.search({ query: 'launch at ten', filters: { channel: 'imessage' } })
    expect(await ask('memory_search', { query: 'launch at ten', filters: { channel: 'imessage' } }, never)).not.toContain(CHAT)
    expect(await ask('memory_get', { id: results[0]?.id }, never)).not.toContain(CHAT)
    await never.close()
  })
})

it('a person at the command line finds all of it', async () => {
  expect((await home.runHere('search', 'launch at ten', '--json')).stdout).toContain(CHAT)
})

describe('to go on where the work was left', () => {
  const FRAME =
    'This session is being continued from a previous conversation that ran out of context. The summary below covers the earlier portion.\nSummary: The kiln controller waits for its relay.\nPlease continue the conversation from where we left off without asking the user any further questions. Continue with the last task that you were asked to work on.'
  const kiln = {
    session: 'aaaaaaaa-1111-4111-8111-111111111111',
    folder: '/home/dev/kiln',
    texts: [FRAME, 'We leave off at the relay, as last time; we left off there.'],
  }
  const ferry = {
    session: 'bbbbbbbb-1111-4111-8111-111111111111',
    folder: '/home/dev/ferry',
    texts: ['Continue where we left off with the ferry timetable.', 'We left off at the ferry timetable.'],
  }

  it.each(['continue where we left off', 'where were we?', 'where did we leave off last time?'])(
    'gives nothing of other projects and no words of a compaction: %s',
    async (prompt) => {
      const said = await saidHome([kiln, ferry])
      const { text } = await said.read({ prompt, folder: kiln.folder })
      expect(text).toContain('relay')
      expect(text).not.toMatch(/ferry|further questions|being continued/i)
      expect((await said.read({ prompt, folder: '/home/dev/new' })).text).toBe('')
      expect((await said.read({ prompt: 'where did we leave off with the timetable of ferry?', folder: kiln.folder })).text).toContain(
        'timetable',
      )
    },
  )

  it('stays in the project where the prompt says with what, too', async () => {
    const said = await saidHome([kiln, ferry])
    const prompt = 'continue where we left off with the timetable'
    expect((await said.read({ prompt, folder: ferry.folder })).text).toContain('ferry timetable')
    expect((await said.read({ prompt, folder: kiln.folder })).text).not.toContain('ferry')
  })

  it('a search shows what a compaction sums up, and none of the words around it', async () => {
    const { results } = await (await saidHome([kiln])).search({ query: 'kiln controller relay' })
    const summary = results.find(({ content }) => content.includes('The kiln controller waits for its relay.'))
    expect(summary).toBeDefined()
    expect(JSON.stringify(summary)).not.toMatch(/further questions|being continued|last task that you were asked/i)
  })
})
