/**
 * Every key that the configuration accepts has an effect: for each there are two configurations here, and what can be seen differs. A key of the
 * schema without a row fails; so does a row without a key. Only the keys of an older system are accepted and do nothing.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { agentMemory } from '../../src/config/agent-memory.ts'
import { knownKeys } from '../../src/config/known-keys.ts'
import { loadConfig } from '../../src/config/load.ts'
import { resolveOwner } from '../../src/config/owner.ts'
import { resolvePaths } from '../../src/config/paths.ts'
import { type Config, type ConfigInput, configSchema } from '../../src/config/schema.ts'
import { HARNESS_SOURCES, PERSONAL_SOURCES } from '../../src/config/source-names.ts'
import { entityTypes } from '../../src/graph/entity-types.ts'
import type { Adapter } from '../../src/ingest/adapter.ts'
import { builtInAdapters } from '../../src/ingest/adapters.ts'
import { eventIgnorer } from '../../src/ingest/ignore-events.ts'
import { chosenSources } from '../../src/jobs/chosen-sources.ts'
import { ownHandles } from '../../src/ledgers/people/own-handles.ts'
import { answerHook, type Mnemonic } from '../../src/library/index.ts'
import { countTurn, enqueue } from '../../src/roles/writer/queue.ts'
import { openSqlite } from '../../src/store/sqlite/open.ts'
import { claudeLog } from '../helpers/claude-log.ts'
import { embeddingServer } from '../helpers/embedding-server.ts'
import { type TestHome, testHome } from '../helpers/home.ts'
import { measureIdentity } from '../helpers/identity-set/measure-identity.ts'
import { llmServer } from '../helpers/llm-server.ts'
import { BINARY, ended } from '../helpers/run-binary.ts'
import { scriptedAgent } from '../helpers/scripted-agent.ts'
import { NOON, tempStore } from '../helpers/store.ts'

vi.setConfig({ testTimeout: 120_000 })

/** Two configurations, and what is looked at under each. */
interface Proof {
  readonly one: ConfigInput
  readonly other: ConfigInput
  readonly see: (input: ConfigInput) => Promise<unknown>
}

const RETIRED = ['memorySearch.experimental.sessionMemory', 'memorySearch.sources']
const BEGIN = Date.parse('2026-03-01T10:00:00Z')
const LATER = BEGIN + 3 * 3_600_000
const full = (input: ConfigInput): Config => configSchema.parse(input) as Config
const proof = (one: ConfigInput, other: ConfigInput, see: Proof['see']): Proof => ({ one, other, see })

interface Seen {
  readonly mnemonic: Mnemonic
  readonly home: TestHome
}

interface Prepared {
  readonly now?: number
  readonly sessions?: number
  readonly before?: (home: TestHome) => void
  readonly embed?: boolean
}

/** A home with some sessions of one project, synced under the configuration. */
function synced(look: (seen: Seen) => unknown, { now = LATER, sessions = 1, before, embed = false }: Prepared = {}): Proof['see'] {
  return async (input) => {
    const home = testHome()
    for (let at = 0; at < sessions; at++) {
      const session = `c0ffee${String(at).padStart(2, '0')}-0000-4000-8000-000000000001`
      const log = claudeLog(home.logs, session, { from: BEGIN + at * 600_000 })
      log.turn(
        `Please retry webhooks three times, in session ${at}.`,
        `${'The retry of webhooks waits a little longer each time. '.repeat(60)}`,
      )
      log.turn('And the webhooks of the gateway?', 'We decided to retry webhooks of the gateway, too.')
    }
    before?.(home)
    const off = Object.fromEntries([...HARNESS_SOURCES, ...PERSONAL_SOURCES].map((name) => [name, { enabled: false }]))
    const sources = { ...off, 'claude-code': { paths: [home.logs] }, ...input.sources }
    const here = JSON.parse(JSON.stringify(input).replaceAll('$ROOT', home.root))
    const agents = { ...here.agents }
    const mnemonic = await home.open({
      clock: () => now,
      config: { ...here, sources, agents },
    })
    await mnemonic.sync({ embed })
    return look({ mnemonic, home })
  }
}

const sql =
  (text: string) =>
  async ({ mnemonic }: Seen) =>
    (await mnemonic.sql(text)).rows
const sessionCount = async ({ mnemonic }: Seen) => (await mnemonic.sessions()).length

/** What a provider of vectors on this machine is asked for. */
function embedded(
  look: (asked: Awaited<ReturnType<typeof embeddingServer>>['calls'], seen: Seen) => unknown,
  how: 'run' | 'sync' = 'run',
): Proof['see'] {
  return async (input) => {
    const server = await embeddingServer()
    process.env.MNEMONIC_TEST_KEY = 'first'
    process.env.MNEMONIC_TEST_OTHER_KEY = 'second'
    const embedding = { provider: 'openai-compatible', model: 'm', base_url: server.url, dimensions: 8, ...input.embedding } as const
    const see = synced(
      async (seen) => {
        if (how === 'run') await seen.mnemonic.embedding.run()
        return look(server.calls, seen)
      },
      { embed: how === 'sync' },
    )
    return see({ ...input, embedding })
  }
}

/** What a language model on this machine is asked for. */
function analyzed(
  look: (model: { asked: Awaited<ReturnType<typeof llmServer>>['asked']; most: number }, seen: Seen) => unknown,
  { how = 'run', waitsMs = 0 }: { how?: 'run' | 'sync'; waitsMs?: number } = {},
): Proof['see'] {
  return async (input) => {
    let [now, most, waits] = [0, 0, waitsMs]
    let second = () => {}
    const another = new Promise<void>((done) => (second = done))
    const server = await llmServer(async () => {
      most = Math.max(most, ++now)
      // The first one waits for a second, so long that one that is on its way arrives.
      if (now > 1) second()
      else if (waits > 0) await Promise.race([another, new Promise((done) => setTimeout(done, waits))])
      waits = 0
      now -= 1
      return { value: {} }
    })
    process.env.MNEMONIC_TEST_KEY = 'first'
    process.env.MNEMONIC_TEST_OTHER_KEY = 'second'
    const analyze = { provider: 'openai-compatible', model: 'm', base_url: server.url, ...input.analyze } as const
    const see = synced(
      async (seen) => {
        if (how === 'run') await seen.mnemonic.analyze({ types: ['topics'] })
        return look({ asked: server.asked, most }, seen)
      },
      { sessions: 3 },
    )
    return see({ ...input, analyze })
  }
}

const implementations = synced(async ({ mnemonic }) => (await mnemonic.analyses.types()).map(({ implementation }) => implementation))
const PRICES = { usd_per_million_input: 1, usd_per_million_output: 1 }

/** Three turns end: after which of them something waits to be captured. */
async function turns(input: ConfigInput): Promise<boolean[]> {
  const store = await tempStore()
  const { write } = agentMemory(full(input))
  const end = () => countTurn(store, { agent: 'main', harness: 'codex', session: `${Math.random()}` }, { write, now: NOON })
  const same = () => countTurn(store, { agent: 'main', harness: 'codex', session: 's' }, { write, now: NOON })
  return [await end(), await same(), await same(), await same()]
}

const writes = (write: object): ConfigInput => ({ agents: { defaults: { memory: { write } } } })
/** A program in the place of a harness: two events, two searches, and a while. As Claude Code it says that it took 30,000 tokens. */
const AGENT = `const line = /<m1-[^>]*>\\n(.*)/.exec(readPrompt())?.[1] ?? ''
const isClaude = process.argv.includes('-p')
const usage = { input_tokens: 30_000, output_tokens: 1 }
if (isClaude) console.log(JSON.stringify({ type: 'assistant', message: { id: 'a', usage } }))
for (const type of ['decision', 'correction']) write('event', type, '--quote', line)
for (const words of ['webhooks', 'retry']) search(words)
await sleep(1500)
console.log(isClaude ? JSON.stringify({ type: 'result', result: 'x', usage }) : 'x')`
const byAgent = (write: object): ConfigInput =>
  writes({ mode: 'agent', agent: 'command', agent_command: ['$ROOT/agent/agent.mjs'], ...write })

/** The first session is written; of its first run of the agent one thing is looked at. */
function ranBy(key: 'agent' | 'status' | 'late' | 'writes'): Proof['see'] {
  return synced(
    async ({ mnemonic, home }) => {
      vi.stubEnv('HOME', home.root)
      const [session] = await mnemonic.sessionList({}).then(({ sessions }) => sessions)
      const native = session?.session_id.split(':')[1] ?? ''
      const store = await openSqlite({ path: home.database, clock: () => LATER })
      await enqueue(store, { kind: 'publish', agent: 'main', harness: 'claude-code', session: native }, { now: LATER })
      await store.close()
      const { sessions } = await mnemonic.write()
      vi.unstubAllEnvs()
      return sessions[0]?.agent[0]?.[key] ?? 'no run'
    },
    {
      before(home) {
        scriptedAgent(home.root, AGENT)
        scriptedAgent(home.root, AGENT, 'other.mjs')
      },
    },
  )
}
const reads = (read: object): ConfigInput => ({ agents: { defaults: { memory: { read } } } })
const ASKED = { session_id: 's1', prompt: 'what did we decide about the retry of webhooks?' }
/** A project of its own, where nobody spoke of webhooks. */
const ELSEWHERE = '/home/dev/harbor'

/** Two sessions about webhooks and one from elsewhere, then a hook as a harness calls it: it reads the configuration from its file. */
function hooked(look: (home: TestHome) => unknown, also: (home: TestHome) => void = () => undefined): Proof['see'] {
  return (input) =>
    synced(
      ({ home }) => {
        writeFileSync(join(home.root, 'home', 'config.yaml'), JSON.stringify(input), { mode: 0o600 })
        return look(home)
      },
      {
        sessions: 2,
        before(home) {
          const log = claudeLog(home.logs, 'beefcafe-0000-4000-8000-000000000001', { cwd: ELSEWHERE })
          log.turn('Paint the lighthouse.', 'The lighthouse is white now.')
          claudeLog(home.logs, 'feedbeef-0000-4000-8000-000000000001').turn(
            'Use retryWebhooks.ts.',
            'The gateway uses retryWebhooks.ts for webhooks.',
          )
          also(home)
        },
      },
    )({})
}

/** What a hook answers, in this process. */
const answered = (event: string, cwd: string, look: (context: string) => unknown, prompt = ASKED.prompt) =>
  hooked(async ({ root }) => {
    const place = { home: join(root, 'home'), workspace: join(root, 'workspace') }
    return look((await answerHook({ harness: 'claude-code', event, payload: { ...ASKED, cwd, prompt }, ...place, closes: true })).context)
  })

/** What a hook prints, in a process of its own: the budget is counted from its start. */
const printed = hooked(async ({ root }) => {
  const flags = ['--home', join(root, 'home'), '--workspace', join(root, 'workspace')]
  const child = spawn(process.execPath, [BINARY, ...flags, 'hook', 'claude-code', 'prompt'])
  child.stdin.write(JSON.stringify(ASKED))
  const { code, stdout } = await ended(child)
  return { code, answers: stdout.includes('webhooks') }
})
const FAILED = { tool_name: 'Bash', tool_input: { command: 'tidewatch' }, error: 'Exit code 127\ncommand not found: tidewatch' }
const EDIT = { tool_name: 'Edit', tool_input: { file_path: '/home/dev/atlas/src/tides.ts' } }
const COMMAND = { tool_name: 'Bash', tool_input: { command: 'npm test -- --zone' } }

/** What a tool call is given, over a session that solved its error, settled its file and found its form. */
const atTool = (payload: object) =>
  hooked(
    async ({ root }) => {
      const event = 'error' in payload ? 'tool_failed' : 'before_tool'
      const place = { home: join(root, 'home'), workspace: join(root, 'workspace') }
      const call = { session_id: 's', cwd: '/home/dev/atlas', ...payload }
      return (await answerHook({ harness: 'claude-code', event, payload: call, ...place, closes: true })).context !== ''
    },
    (home) => {
      const log = claudeLog(home.logs, 'c0ffeeff-0000-4000-8000-000000000001', { from: BEGIN })
      log.turn('We decided to keep src/tides.ts free of network calls.', 'Understood.')
      log.call('Bash', { command: 'tidewatch' }, FAILED.error, true)
      log.call('Bash', { command: 'brew install tidewatch' }, 'installed')
      log.call('Bash', { command: 'tidewatch' }, 'high')
      log.call('Bash', COMMAND.tool_input, 'Exit code 1\nerror: unknown option --zone', true)
      log.call('Bash', { command: 'npm test -- --region' }, '12 passing')
      log.turn('Good.', 'Done.')
    },
  )
const holdsWebhooks = (context: string) => context.includes('webhooks')

const ignored = async (input: ConfigInput) => {
  const ignores = (await eventIgnorer(full(input), (await tempStore()).read))?.()
  const mail = { type: 'event', id: 'e', channel: 'gmail', timestamp: NOON, people: [{ handle: 'eve@example.org', role: 'from' }] }
  return ignores?.(mail as never) ?? false
}

const rendered = async ({ mnemonic }: Seen) => {
  await mnemonic.artifacts.publish()
  return (await mnemonic.artifacts.render()).clipped > 0
}

const PROOFS: Readonly<Record<string, Proof>> = {
  agent: proof({}, { agent: 'other' }, synced(sessionCount)),
  'owner.name': proof(
    { owner: { name: 'Ada' } },
    { owner: { name: 'Grace' } },
    synced(({ mnemonic }) =>
      mnemonic.search({ query: 'webhooks', filters: { speaker: 'Ada' } }).then(
        ({ results }) => results.length > 0,
        ({ code }: { code: string }) => code,
      ),
    ),
  ),
  'owner.timezone': proof(
    { owner: { timezone: 'Pacific/Kiritimati' } },
    { owner: { timezone: 'Pacific/Pago_Pago' } },
    synced(async ({ mnemonic }) => (await mnemonic.sessions({ after: '2026-03-01' })).length),
  ),
  'owner.emails': proof({ owner: { emails: ['a@example.org'] } }, { owner: { emails: [] } }, async (input) => [
    ...ownHandles(resolveOwner(full(input))),
  ]),
  'owner.phones': proof({ owner: { phones: ['+442079460958'] } }, {}, async (input) =>
    [...ownHandles(resolveOwner(full(input)))].filter((one) => one.startsWith('+')),
  ),
  'ignore.projects': proof({}, { ignore: { projects: ['/home/dev/**'] } }, synced(sessionCount)),
  'ignore.channels': proof({}, { ignore: { channels: ['gmail'] } }, ignored),
  'ignore.contacts': proof({}, { ignore: { contacts: ['eve@*'] } }, ignored),
  'agents.defaults.memory.read.enabled': proof(
    reads({ enabled: true }),
    reads({ enabled: false }),
    answered('prompt', '/home/dev/atlas', holdsWebhooks),
  ),
  'agents.defaults.memory.read.scope': proof(
    reads({ scope: 'project' }),
    reads({ scope: 'all' }),
    // A question about what was is asked of every project.
    answered('prompt', ELSEWHERE, holdsWebhooks, 'where is retryWebhooks.ts used?'),
  ),
  'agents.defaults.memory.read.personal': proof(
    reads({ personal: 'named' }),
    reads({ personal: 'always' }),
    // What it means for prompts: test/e2e/personal.test.ts.
    synced(({ mnemonic }) => mnemonic.personalIn('/home/dev/atlas')),
  ),
  'agents.defaults.memory.read.max_tokens': proof(
    reads({ max_tokens: 100 }),
    reads({ max_tokens: 2000 }),
    answered('prompt', '/home/dev/atlas', (context) => context.length > 700),
  ),
  'agents.defaults.memory.read.brief_tokens': proof(
    reads({ brief_tokens: 0 }),
    reads({ brief_tokens: 600 }),
    answered('session_start', '/home/dev/atlas', (context) => context === ''),
  ),
  'agents.defaults.memory.read.budget_ms': proof(reads({ budget_ms: 50 }), reads({ budget_ms: 30_000 }), printed),
  'agents.defaults.memory.read.on_failure': proof(reads({ on_failure: true }), reads({ on_failure: false }), atTool(FAILED)),
  'agents.defaults.memory.read.on_edit': proof(reads({ on_edit: true }), reads({ on_edit: false }), atTool(EDIT)),
  'agents.defaults.memory.read.on_command': proof(reads({ on_command: true }), reads({ on_command: false }), atTool(COMMAND)),
  'agents.defaults.memory.write.enabled': proof(writes({}), writes({ enabled: false }), turns),
  'agents.defaults.memory.write.frequency': proof(writes({}), writes({ frequency: 'session_end' }), turns),
  'agents.defaults.memory.write.every': proof(
    writes({ frequency: 'every_n_turns', every: 2 }),
    writes({ frequency: 'every_n_turns', every: 3 }),
    turns,
  ),
  'agents.defaults.memory.write.mode': proof(writes({ mode: 'model' }), byAgent({}), ranBy('agent')),
  'agents.defaults.memory.write.agent': proof(byAgent({}), byAgent({ agent: 'claude' }), ranBy('agent')),
  'agents.defaults.memory.write.agent_command': proof(byAgent({}), byAgent({ agent_command: ['$ROOT/agent/other.mjs'] }), ranBy('agent')),
  'agents.defaults.memory.write.agent_seconds': proof(byAgent({}), byAgent({ agent_seconds: 1 }), ranBy('status')),
  'agents.defaults.memory.write.agent_calls': proof(byAgent({}), byAgent({ agent_calls: 2 }), ranBy('late')),
  'agents.defaults.memory.write.agent_writes': proof(byAgent({}), byAgent({ agent_writes: 1 }), ranBy('writes')),
  'agents.defaults.memory.write.agent_tokens': proof(
    byAgent({ agent: 'claude' }),
    byAgent({ agent: 'claude', agent_tokens: 20_000 }),
    ranBy('status'),
  ),
  'agents.defaults.memory.write.agent_daily_runs': proof(byAgent({}), byAgent({ agent_daily_runs: 0 }), ranBy('status')),
  'agents.defaults.memory.write.agent_daily_tokens': proof(byAgent({}), byAgent({ agent_daily_tokens: 0 }), ranBy('status')),
  'agents.defaults.memory.labeling.enabled': proof(
    {},
    { agents: { defaults: { memory: { labeling: { enabled: false } } } } },
    synced(sql('select count(*) from agent_turns where label is not null')),
  ),
  'memory.auto_publish': proof(
    {},
    { memory: { auto_publish: true } },
    synced(({ home }) => existsSync(join(home.root, 'workspace', 'memory'))),
  ),
  'memory.quiet_minutes': proof({}, { memory: { quiet_minutes: 600 } }, synced(sql('select status from agent_sessions'))),
  'memory.exclude': proof(
    {},
    { memory: { exclude: ['/home/dev/**'] } },
    synced(async ({ mnemonic, home }) => {
      await mnemonic.artifacts.publish()
      return readFileSync(join(home.root, 'workspace', 'MEMORY.md'), 'utf8').includes('summary.md')
    }),
  ),
  'memory.paths': proof(
    {},
    { memory: { paths: ['$ROOT/notes'] } },
    synced(async ({ mnemonic }) => (await mnemonic.memorySearch({ query: 'zanzibar' })).results.length, {
      before(home) {
        mkdirSync(join(home.root, 'notes'))
        writeFileSync(join(home.root, 'notes', 'plan.md'), '# Plan\n\nWe go to Zanzibar.\n')
      },
    }),
  ),
  'memory.max_lines': proof({}, { memory: { max_lines: 20 } }, synced(rendered, { sessions: 14, now: BEGIN + 86_400_000 })),
  'memory.max_bytes': proof({}, { memory: { max_bytes: 2048 } }, synced(rendered, { sessions: 14, now: BEGIN + 86_400_000 })),
  'embedding.provider': proof(
    {},
    { embedding: { provider: 'ollama', model: 'm', base_url: 'http://127.0.0.1:9' } },
    synced(async ({ mnemonic }) => (await mnemonic.embedding.status()).provider),
  ),
  'embedding.model': proof(
    { embedding: { model: 'one' } },
    { embedding: { model: 'two' } },
    embedded((calls) => calls[0]?.body.model),
  ),
  'embedding.dimensions': proof(
    { embedding: { dimensions: 8 } },
    { embedding: { dimensions: 9 } },
    embedded(async (_, { mnemonic }) => (await mnemonic.embedding.status()).embedded),
  ),
  'embedding.base_url': proof(
    {},
    { embedding: { base_url: 'http://127.0.0.1:9' } },
    embedded((calls) => calls.length > 0),
  ),
  'embedding.api_key_env': proof(
    { embedding: { api_key_env: 'MNEMONIC_TEST_KEY' } },
    { embedding: { api_key_env: 'MNEMONIC_TEST_OTHER_KEY' } },
    embedded((calls) => calls[0]?.headers.authorization),
  ),
  'embedding.batch_size': proof(
    { embedding: { batch_size: 1 } },
    { embedding: { batch_size: 64 } },
    embedded((calls) => calls[0]?.texts.length),
  ),
  'embedding.sync_seconds': proof(
    {},
    { embedding: { sync_seconds: 0 } },
    embedded((calls) => calls.length > 0, 'sync'),
  ),
  'embedding.token_bits': proof(
    {},
    { embedding: { token_bits: false } },
    synced(async (seen) => {
      await seen.mnemonic.embedding.run()
      return sql('select count(*) > 0 from token_bits where size is not null')(seen)
    }),
  ),
  'embedding.daily_tokens': proof(
    {},
    { embedding: { daily_tokens: 0 } },
    embedded((calls) => calls.length > 0),
  ),
  'embedding.daily_usd': proof(
    { embedding: { provider: 'openai', model: 'text-embedding-3-small', api_key_env: 'MNEMONIC_TEST_KEY' } },
    { embedding: { provider: 'openai', model: 'text-embedding-3-small', api_key_env: 'MNEMONIC_TEST_KEY', daily_usd: 0 } },
    embedded((calls) => calls.length > 0),
  ),
  'analyze.auto': proof(
    {},
    { analyze: { auto: true } },
    analyzed(({ asked }) => asked.length > 0, { how: 'sync' }),
  ),
  'analyze.provider': proof({}, { analyze: { provider: 'ollama', model: 'm' } }, implementations),
  'analyze.model': proof(
    { analyze: { model: 'one' } },
    { analyze: { model: 'two' } },
    analyzed(({ asked }) => asked[0]?.model),
  ),
  'analyze.chunk_context': proof(
    {},
    { analyze: { chunk_context: true } },
    analyzed(async (_, { mnemonic }) => (await mnemonic.analyze({ dryRun: true })).waiting.map(({ type }) => type)),
  ),
  'analyze.command': proof(
    { analyze: { provider: 'command', command: ['one'] } },
    { analyze: { provider: 'command', command: ['two'] } },
    implementations,
  ),
  'analyze.base_url': proof(
    {},
    { analyze: { base_url: 'http://127.0.0.1:9/v1' } },
    analyzed(({ asked }) => asked.length > 0),
  ),
  'analyze.api_key_env': proof(
    { analyze: { api_key_env: 'MNEMONIC_TEST_KEY' } },
    { analyze: { api_key_env: 'MNEMONIC_TEST_OTHER_KEY' } },
    analyzed(({ asked }) => asked[0]?.headers.authorization),
  ),
  'analyze.usd_per_million_input': proof({ analyze: PRICES }, { analyze: { ...PRICES, usd_per_million_input: 900 } }, estimated()),
  'analyze.usd_per_million_output': proof({ analyze: PRICES }, { analyze: { ...PRICES, usd_per_million_output: 900 } }, estimated()),
  'analyze.daily_tokens': proof(
    {},
    { analyze: { daily_tokens: 0 } },
    analyzed(({ asked }) => asked.length > 0),
  ),
  'analyze.daily_usd': proof(
    { analyze: PRICES },
    { analyze: { ...PRICES, daily_usd: 0 } },
    analyzed(({ asked }) => asked.length > 0),
  ),
  'analyze.daily_calls': proof(
    {},
    { analyze: { daily_calls: 1 } },
    analyzed(({ asked }) => asked.length),
  ),
  'analyze.concurrency': proof(
    { analyze: { concurrency: 1 } },
    { analyze: { concurrency: 4 } },
    analyzed(({ most }) => most > 1, { waitsMs: 2000 }),
  ),
  'analyze.timeout_seconds': proof(
    slow(1),
    slow(100),
    synced(async ({ mnemonic }) => {
      await mnemonic.analyze({ types: ['topics'], limit: 1 })
      const { rows } = await mnemonic.sql("select coalesce(note, '') || coalesce(error_message, '') from analysis_runs")
      return JSON.stringify(rows).includes('did not answer within')
    }),
  ),
  'graph.auto_merge': proof(
    {},
    { graph: { auto_merge: true } },
    async (input) => (await measureIdentity(await tempStore(), full(input).graph.auto_merge)).joined,
  ),
  'graph.entity_types': proof({}, { graph: { entity_types: ['ship'] } }, async (input) => entityTypes(full(input).graph.entity_types)),
  'search.limit': proof(
    { search: { limit: 1 } },
    { search: { limit: 10 } },
    synced(async ({ mnemonic }) => (await mnemonic.search({ query: 'webhooks' })).results.length, { sessions: 3 }),
  ),
  'index.max_chunk_tokens': proof({}, { index: { max_chunk_tokens: 64 } }, synced(sql('select count(*) from chunks'))),
  'index.tools': proof(
    {},
    { index: { tools: 'off' } },
    synced(sql('select count(*) from work'), {
      before: ({ logs }) => claudeLog(logs, 'beefcafe-0000-4000-8000-000000000001').call('Bash', { command: 'make harbour' }, 'done'),
    }),
  ),
  'index.max_chunks_per_session': proof({}, { index: { max_chunks_per_session: 1 } }, synced(sql('select count(*) from chunks'))),
  'qmd.enabled': proof(
    {},
    { qmd: { enabled: true } },
    synced(({ home }) => existsSync(join(home.root, 'home', 'qmd'))),
  ),
  'qmd.dir': proof(
    { qmd: { enabled: true } },
    { qmd: { enabled: true, dir: '$ROOT/elsewhere' } },
    synced(({ home }) => existsSync(join(home.root, 'elsewhere'))),
  ),
  // One engine so far: another name is refused.
  'store.engine': proof(
    { store: { engine: 'sqlite' } },
    { store: { engine: 'postgres' as 'sqlite' } },
    async (input) => configSchema.safeParse(input).success,
  ),
}

function estimated(): Proof['see'] {
  return analyzed(async (_, { mnemonic }) =>
    (await mnemonic.analyze({ types: ['turn_labels'], dryRun: true })).waiting.map(({ estimate }) => estimate.usd),
  )
}

function slow(timeout_seconds: number): ConfigInput {
  const answer = 'setTimeout(() => console.log(JSON.stringify({ topics: [] })), 1300)'
  return { analyze: { provider: 'command', command: [process.execPath, '-e', answer], timeout_seconds } }
}

/** The keys that hold a value; those of sources have rows of their own. */
const keys = knownKeys()
const leaves = keys.filter((key) => !keys.some((other) => other.startsWith(`${key}.`)))
const ofSources = leaves.filter((key) => key.startsWith('sources.'))

it('every key has a proof here, and every proof a key', () => {
  expect(Object.keys(PROOFS).sort()).toEqual(leaves.filter((key) => !ofSources.includes(key) && !RETIRED.includes(key)).sort())
})

it.each(Object.entries(PROOFS))('%s', async (_, { one, other, see }) => {
  const [first, second] = [await see(one), await see(other)]
  expect(first).not.toBeUndefined()
  expect(second).not.toEqual(first)
})

it.each(ofSources)('%s', (key) => {
  const [, name = '', what = ''] = key.split('.')
  const paths = resolvePaths({ home: '/h', workspace: '/w' })
  const see = (setting: object) => {
    const config = full({ sources: { [name]: setting } })
    const derived = [{ name: 'aix-events', derived: true } as Adapter]
    const all = [...builtInAdapters(config, paths), ...derived]
    return what === 'paths'
      ? all.find((adapter) => adapter.name === name)?.defaultPaths()
      : chosenSources(all, config, {}).map((adapter) => adapter.name)
  }
  const [one, other] = what === 'paths' ? [{ paths: ['/one'] }, { paths: ['/two'] }] : [{ enabled: true }, { enabled: false }]
  expect(see(one)).not.toBeUndefined()
  expect(see(one)).not.toEqual(see(other))
})

it('an agent’s own settings win over the defaults, key by key', async () => {
  const config = full({ agents: { defaults: { memory: { write: { every: 7 } } }, scribe: { memory: { write: { frequency: 'off' } } } } })
  expect(agentMemory(config, 'scribe').write).toMatchObject({ enabled: true, frequency: 'off', every: 7 })
  expect(agentMemory(config, 'main').write).toMatchObject({ enabled: true, frequency: 'every_turn', every: 7 })
})

it('the keys of the older system do nothing but warn', async () => {
  const home = testHome()
  mkdirSync(join(home.root, 'home'), { recursive: true })
  const paths = resolvePaths({ home: join(home.root, 'home'), workspace: join(home.root, 'workspace') })
  const plain = await loadConfig({ paths })
  writeFileSync(paths.config, 'memorySearch:\n  sources: [sessions]\n  experimental: { sessionMemory: false }\n', { mode: 0o600 })
  const retired = await loadConfig({ paths })
  expect(retired.config).toEqual(plain.config)
  expect(retired.warnings.length).toBeGreaterThan(plain.warnings.length)
})
