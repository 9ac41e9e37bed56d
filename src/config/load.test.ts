import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MnemonicError } from '../core/error.ts'
import { type LoadOptions, loadConfig } from './load.ts'
import { type Paths, resolvePaths } from './paths.ts'

let home: string
let paths: Paths
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'mnemonic-config-'))
  paths = resolvePaths({ home, env: {}, homedir: '/users/ada' })
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const write = (text: string | Buffer) => writeFileSync(paths.config, text, { mode: 0o600 })
const load = (options: Partial<LoadOptions> = {}) => loadConfig({ paths, env: {}, homedir: '/users/ada', ...options })

/** The error, with the temporary folder's path removed. */
function failure(text?: string | Buffer, options: Partial<LoadOptions> = {}) {
  if (text !== undefined) write(text)
  try {
    load(options)
  } catch (error) {
    if (!(error instanceof MnemonicError)) throw error
    expect(error.code).toBe('CONFIG_INVALID')
    const { message, hint, details } = error
    return { message: message.replaceAll(`${home}/`, ''), hint, details, all: JSON.stringify([error.toJSON(), String(error.cause ?? '')]) }
  }
  throw new Error('the configuration was accepted')
}

describe('a good configuration', () => {
  it('without a file is all defaults', () => {
    const { config, warnings } = load()
    expect(warnings).toEqual([])
    expect(config).toMatchObject({
      agent: 'main',
      owner: { phones: [] },
      ignore: { projects: [], channels: [], contacts: [] },
      agents: {
        defaults: {
          memory: {
            read: { enabled: true, scope: 'project' },
            write: { enabled: true, frequency: 'every_turn' },
            labeling: { enabled: true },
          },
        },
      },
      memory: { auto_publish: false, quiet_minutes: 120, exclude: [], paths: [], max_lines: 200, max_bytes: 25_600 },
      embedding: { provider: 'minilm', sync_seconds: 120 },
      analyze: { auto: false, provider: 'rules' },
      search: { limit: 10 },
      index: { max_chunk_tokens: 500, max_chunks_per_session: 2000, tools: 'all' },
      qmd: { enabled: false },
      store: { engine: 'sqlite' },
    })
  })

  it('reads harness sessions by default and personal sources only when they are switched on', () => {
    const on = Object.entries(load().config.sources).flatMap(([name, { enabled }]) => (enabled ? [name] : []))
    expect(on.sort()).toEqual(
      ['aix-agents', 'aix-events', 'claude-code', 'codex', 'cursor', 'gemini-cli', 'jsonl', 'nexus', 'openclaw', 'opencode', 'pi'].sort(),
    )
    write('sources:\n  gmail: { enabled: true }\n  codex: { enabled: false }\n')
    const { sources } = load().config
    expect([sources.gmail.enabled, sources.codex.enabled, sources.imessage.enabled]).toEqual([true, false, false])
  })

  it.each(['', '\n', '# only a comment\n', '---\n', 'owner:\nmemory:\n  paths:\n', '\uFEFFagent: main\n'])(
    'an empty file or key is a default: %j',
    (text) => {
      write(text)
      expect(load()).toEqual({ ...load({ paths: resolvePaths({ home: join(home, 'none'), env: {} }) }), warnings: [] })
    },
  )

  it('takes from the file what it says and fills the rest', () => {
    write('memory:\n  quiet_minutes: 30\nowner:\n  name: Ada\n  emails: [Ada@Example.org]\n')
    const { config } = load()
    expect(config.memory).toEqual({ auto_publish: false, quiet_minutes: 30, exclude: [], paths: [], max_lines: 200, max_bytes: 25_600 })
    expect(config.owner).toEqual({ name: 'Ada', emails: ['ada@example.org'], phones: [] })
  })

  it('reads a phone number without quotes as it stands', () => {
    write('owner:\n  phones: [+491701234567, "+44 (0)20 7946-0958"]\n')
    expect(load().config.owner.phones).toEqual(['+491701234567', '+44 (0)20 7946-0958'])
  })

  it('expands ~ in paths and leaves globs for their matcher', () => {
    write('sources: { jsonl: { paths: [~/logs, /var/x] } }\nmemory: { paths: ["~/notes"], exclude: ["~/tmp"] }\nqmd: { dir: "~/qmd" }\n')
    const { config } = load()
    expect(config.sources.jsonl.paths).toEqual(['/users/ada/logs', '/var/x'])
    expect(config.memory).toMatchObject({ paths: ['/users/ada/notes'], exclude: ['~/tmp'] })
    expect(config.qmd.dir).toBe('/users/ada/qmd')
  })

  it('knows the model of OpenAI when none is named', () => {
    write('embedding: { provider: openai, api_key_env: OPENAI_API_KEY }\n')
    expect(load().config.embedding).toMatchObject({ model: 'text-embedding-3-small', dimensions: 1536 })
  })
})

describe('precedence', () => {
  it('option over environment over file over default', () => {
    const env = { MNEMONIC_AGENT: 'from-env' }
    expect(load().config.agent).toBe('main')
    write('agent: from-file\n')
    expect(load().config.agent).toBe('from-file')
    expect(load({ env }).config.agent).toBe('from-env')
    expect(load({ env, overrides: { agent: 'from-override' } }).config.agent).toBe('from-override')
    expect(load({ env, overrides: { agent: 'from-override' }, agent: 'from-flag' }).config.agent).toBe('from-flag')
  })

  it('an empty variable counts as unset', () => {
    write('agent: from-file\n')
    expect(load({ env: { MNEMONIC_AGENT: ' ' } }).config.agent).toBe('from-file')
  })

  it('MNEMONIC_TIMEZONE sets the zone', () => {
    expect(load({ env: { MNEMONIC_TIMEZONE: 'Asia/Tokyo' } }).config.owner.timezone).toBe('Asia/Tokyo')
  })

  it('overrides may be nested or dotted, are merged key by key, and replace lists', () => {
    write('memory: { quiet_minutes: 30, max_lines: 100, exclude: [a, b] }\n')
    const overrides = { 'memory.quiet_minutes': 5, memory: { exclude: ['c'] }, search: { limit: undefined } }
    const { config } = load({ overrides })
    expect(config.memory).toMatchObject({ quiet_minutes: 5, max_lines: 100, exclude: ['c'] })
    expect(config.search.limit).toBe(10)
  })

  it('a key in the environment switches nothing on', () => {
    const env = { OPENAI_API_KEY: 'sk-test-000000000000', ANTHROPIC_API_KEY: 'x', MNEMONIC_EMBEDDING_PROVIDER: 'openai' }
    expect(load({ env })).toEqual(load())
  })

  it('no configuration is read from the current folder', () => {
    const repository = join(home, 'repository')
    mkdirSync(join(repository, '.mnemonic'), { recursive: true })
    for (const file of ['config.yaml', '.mnemonic/config.yaml', 'mnemonic.yaml', '.mnemonic.yaml']) {
      writeFileSync(join(repository, file), 'analyze: { provider: ollama, model: evil, auto: true }\nnonsense: 1\n')
    }
    const before = process.cwd()
    process.chdir(repository)
    try {
      expect(load()).toMatchObject({ config: { analyze: { provider: 'rules', auto: false } }, warnings: [] })
    } finally {
      process.chdir(before)
    }
  })
})

describe('an unknown key', () => {
  it('is named with file, line, path and the nearest known key', () => {
    const { message, hint, details } = failure('agent: main\nmemory:\n  quiet_minuts: 5\n')
    expect(message).toBe('config.yaml:3: memory.quiet_minuts is not a known key')
    expect(hint).toBe('Did you mean memory.quiet_minutes?')
    expect(details).toEqual({ file: paths.config, line: 3, key: 'memory.quiet_minuts' })
  })

  it.each([
    ['quietMinutes: 5', 'Did you mean memory.quiet_minutes?'],
    ['timezone: UTC', 'Did you mean owner.timezone?'],
    ['sources: { claudecode: {} }', 'Did you mean sources.claude-code?'],
    ['agents: { memory: { read: { enabled: false } } }', 'Did you mean agents.defaults.memory.read?'],
    ['agents: { max: { memory: { write: { freq: x } } } }', 'Did you mean agents.max.memory.write.frequency?'],
    ['sources: { aix-events: { paths: [/x] } }', 'Known here: enabled.'],
    ['memorySearch: { provider: x }', 'Did you mean embedding.provider or analyze.provider?'],
    ['zzz: 1', 'Known here: agent, owner, ignore, sources, agents, memory, embedding, analyze, graph, search, index, qmd, store.'],
    ['__proto__: { agent: evil }', /^Known here/],
    ['constructor: 1', /^Known here/],
    ['<<: { agent: x }', /^Known here/],
    ['zzz:', /^Known here/],
  ])('%s → %s', (text, hint) => {
    const { message, hint: given } = failure(text)
    expect(message).toContain('is not a known key')
    if (typeof hint === 'string') expect(given).toBe(hint)
    else expect(given).toMatch(hint)
  })

  it('in an option is said to be in an option', () => {
    expect(failure(undefined, { overrides: { 'memory.nope': 1 } }).message).toBe('option: memory.nope is not a known key')
    const hostile = JSON.parse('{"__proto__": {"agent": "evil"}}') as Record<string, unknown>
    expect(failure(undefined, { overrides: hostile }).message).toBe('option: __proto__ is not a known key')
  })
})

describe('a wrong value', () => {
  it.each([
    [
      'memory: { quiet_minutes: soon }',
      'memory.quiet_minutes is "soon", but must be a whole number from 1 to 10080',
      'remove the key for the default, 120',
    ],
    ['memory: { quiet_minutes: 0 }', 'memory.quiet_minutes is 0, but must be a whole number', ''],
    ['index: { max_chunk_tokens: 1.5 }', 'index.max_chunk_tokens is 1.5, but must be a whole number from 64 to 8192', 'default, 500'],
    ['search: { limit: 500 }', 'search.limit is 500, but must be a whole number from 1 to 200', ''],
    ['analyze: { daily_usd: -1 }', 'analyze.daily_usd is -1, but must be a number from 0', ''],
    ['memory: 5', 'memory is 5, but must be a mapping of keys to values', 'Change it, or remove the key.'],
    ['qmd: { enabled: yes }', 'qmd.enabled is "yes", but must be true or false', 'default, false'],
    ['embedding: { provider: opnai }', 'embedding.provider is "opnai", but must be one of minilm, openai,', 'Did you mean openai?'],
    ['store: { engine: postgres }', 'store.engine is "postgres", but must be "sqlite"', ''],
    [
      'agents: { defaults: { memory: { write: { frequency: every turn } } } }',
      'frequency is "every turn", but must be one of every_turn, every_n_turns, session_end, off',
      'Did you mean every_turn?',
    ],
    ['owner: { timezone: Europe/Berln }', 'owner.timezone is "Europe/Berln", but must be a time zone', 'Did you mean Europe/Berlin?'],
    ['owner: { emails: [Ada] }', 'owner.emails.0 is "Ada", but must be an e-mail address', 'Change this entry or remove it.'],
    ['owner: { emails: ada@example.org }', 'owner.emails is "ada@example.org", but must be a list of e-mail addresses', 'Write a list'],
    [
      'owner: { phones: [0170 1234567] }',
      'owner.phones.0 is "0170 1234567", but must be a phone number with + and country code',
      'Write it with +',
    ],
    ['owner: { phones: [491701234567] }', 'owner.phones.0 is 491701234567, but must be a phone number', 'in quotes'],
    ['owner: { phones: ["+12"] }', 'owner.phones.0 is "+12"', ''],
    ['owner: { name: 5 }', 'owner.name is 5, but must be a name', 'Put it in quotes: "5".'],
    ['owner: { name: "  " }', 'owner.name is "  ", but must be a name', ''],
    ['ignore: [a, b]', 'ignore is a list, but must be a mapping', 'Write the list under ignore.projects.'],
    ['ignore: { projects: ["!keep"] }', 'exceptions are not supported', ''],
    ['ignore: { projects: [~] }', 'ignore.projects.0 is null, but must be a glob', ''],
    ['sources: { codex: { paths: [logs] } }', 'sources.codex.paths.0 is "logs", but must be an absolute path', ''],
    ['sources: { imessage: true }', 'sources.imessage is true, but must be a mapping', 'Write "imessage: { enabled: true }".'],
    ['agent: ../x', 'agent is "../x", but must be letters, digits', 'default, "main"'],
    ['agent: all', 'agent cannot be "all": that is for --agent at the command line', 'Name one agent'],
    ['agents: { default: {} }', 'agents.default is not the id of an agent', '"defaults", with an s'],
    ['agents: { all: {} }', 'agents.all is not the id of an agent', '"defaults"'],
    ['agents: { a/b: {} }', 'agents.a/b is not the id of an agent', 'letters, digits'],
    [
      'embedding: { provider: openai }',
      'embedding.api_key_env is missing: provider openai needs it',
      'Add "api_key_env: OPENAI_API_KEY" beside it.',
    ],
    ['embedding: { provider: ollama }', 'embedding.model is missing: provider ollama needs it', 'Add "model: NAME"'],
    ['embedding: { provider: openai-compatible, model: m }', 'embedding.base_url is missing', 'Add "base_url: http'],
    ['embedding: { model: text-embedding-3-small }', 'embedding.model is not used by provider minilm', 'Name another provider'],
    ['analyze: { auto: true }', 'analyze.auto needs a provider', 'Name a provider'],
    ['analyze: { provider: anthropic, model: m }', 'analyze.api_key_env is missing', 'ANTHROPIC_API_KEY'],
    ['analyze: { provider: command }', 'analyze.command is missing', '[claude, -p]'],
    ['analyze: { provider: command, command: [] }', 'analyze.command is a list, but must be a list of words', ''],
    [
      'analyze: { provider: command, command: [ask, --api-key, sk-ant-api03-aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3x] }',
      'analyze.command.2 looks like a key or token',
      '',
    ],
    ['analyze: { provider: ollama, model: m, command: [claude] }', 'analyze.command is not used by provider ollama', ''],
    ['analyze: { provider: ollama, model: m, usd_per_million_input: 1 }', 'analyze.usd_per_million_output is missing', ''],
    ['analyze: { api_key_env: X }', 'analyze.api_key_env is not used by provider rules', ''],
  ])('%s', (text, message, hint) => {
    const found = failure(text)
    expect(found.message).toMatch(/^config\.yaml:1: /)
    expect(found.message).toContain(message)
    expect(found.hint).toContain(hint)
  })

  it('is in the details with its key', () => {
    expect(failure('search:\n  limit: 0\n').details).toEqual({ file: paths.config, line: 2, key: 'search.limit', value: '0' })
  })

  it('of a variable or an option is said to come from there', () => {
    expect(failure('agent: fine\n', { env: { MNEMONIC_AGENT: 'a b' } }).message).toMatch(/^MNEMONIC_AGENT: agent is "a b", but must be/)
    expect(failure(undefined, { env: { MNEMONIC_TIMEZONE: 'Mars' } }).message).toMatch(/^MNEMONIC_TIMEZONE: owner\.timezone is "Mars"/)
    expect(failure('agent: fine\n', { overrides: { search: { limit: 0 } } }).message).toMatch(/^option: search\.limit is 0/)
    expect(failure('agent: fine\n', { overrides: { 'embedding.provider': 'openai' } }).message).toMatch(
      /^option: embedding\.api_key_env is missing/,
    )
  })

  it('several are all named, each with line and fix', () => {
    const { message, hint, details } = failure('agnt: x\nsearch:\n  limit: 0\n')
    expect(message.split('\n')).toEqual([
      expect.stringMatching(/^config\.yaml:3: search\.limit is 0, .* \(Change it, or remove the key for the default, 10\.\)$/),
      'config.yaml:1: agnt is not a known key (Did you mean agent?)',
    ])
    expect(hint).toBe('Fix these 2 problems.')
    expect(details.problems).toHaveLength(2)
  })

  it('a long value is cut', () => {
    expect(failure(`agent: ${'a b '.repeat(500)}\n`).message.length).toBeLessThan(250)
  })

  it('all is an agent at the command line only', () => {
    expect(load({ agent: 'all' }).config.agent).toBe('all')
    expect(failure(undefined, { env: { MNEMONIC_AGENT: 'all' } }).message).toMatch(/^MNEMONIC_AGENT: agent cannot be "all"/)
    expect(failure(undefined, { overrides: { agent: 'all' } }).message).toMatch(/^option: agent cannot be "all"/)
  })
})

describe('a key or token in the file', () => {
  const KEY = 'sk-proj-Zq81hGf27LmNb93KdTxW'

  it.each([
    ['embedding: { provider: openai, api_key_env: KEY }', 'embedding.api_key_env looks like a key'],
    ['embedding: { provider: openai, api_key: KEY }', 'embedding.api_key looks like a key'],
    ['api_key: KEY', 'api_key looks like a key'],
    ['owner: { name: KEY }', 'owner.name looks like a key'],
    ['analyze: { provider: openai, model: KEY, api_key_env: K }', 'analyze.model looks like a key'],
    ['embedding: [KEY]', 'embedding.0 looks like a key'],
    ['KEY: 1', '(something like a key) is not a known key'],
    ['memory: KEY', 'memory is something like a key, but must be a mapping'],
    ['embedding: { provider: openai, api_key_env: "KEY', ''],
    ['KEY', ''],
    ['embedding: { a: KEY, a: KEY }', ''],
    ['embedding: *KEY', ''],
    ['embedding: !KEY x', ''],
  ])('%s is refused and not shown', (text, message) => {
    const found = failure(text.replaceAll('KEY', KEY))
    expect(found.message).toContain(message)
    expect(found.all).not.toContain(KEY.slice(3))
  })

  it.each(['a1B2c3D4e5F6g7H8i9J0', '0123456789abcdef0123456789abcdef', 'JBSWY3DPEHPK3PXPJBSWY3DP'])(
    '%s is no name of a variable',
    (value) => {
      const found = failure(`embedding: { provider: openai, api_key_env: "${value}" }`)
      expect(found.message).toContain('must be the name of an environment variable, not the key itself (its value is not shown)')
      expect(found.hint).toContain('api_key_env: OPENAI_API_KEY')
      expect(found.all).not.toContain(value)
    },
  )

  it('a password in an address is refused and not shown', () => {
    const found = failure('embedding: { provider: ollama, model: m, base_url: "https://ada:hunter2@host/v1" }')
    expect(found.message).toContain('without user name, password or query (its value is not shown)')
    expect(found.all).not.toContain('hunter2')
  })

  it('what stands under an unknown key is not shown', () => {
    expect(failure('password: hunter2\n').all).not.toContain('hunter2')
  })

  it('a folder may be called like the beginning of a key', () => {
    write('ignore: { projects: [sk-learn-experiments] }\n')
    expect(load().config.ignore.projects).toEqual(['sk-learn-experiments'])
  })
})

describe('a file that is no configuration', () => {
  const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  const bomb = [
    'a: &a [x, x, x, x, x, x, x, x, x]',
    ...[...'bcdefghi'].map((c, i) => `${c}: &${c} [${Array(9).fill(`*${'abcdefgh'[i]}`).join(', ')}]`),
  ]

  it.each([
    ['\tagent: main', 'config.yaml:1: a tab is used for indentation', 'Indent with spaces.'],
    ['memory:\n\tquiet_minutes: 5', 'config.yaml:2: a tab is used for indentation', 'Indent with spaces.'],
    ['memory:\n  max_lines: 50\n  max_lines: 60', 'config.yaml:3: memory.max_lines is given twice', 'Keep one of the two.'],
    ['owner: {}\nagent: main\nowner: {}', 'config.yaml:3: owner is given twice', 'Keep one of the two.'],
    ['- a\n- b', 'config.yaml is not a mapping of keys to values', 'Write "key: value" lines.'],
    ['hello', 'config.yaml is not a mapping of keys to values', ''],
    ['agent: "x', 'config.yaml:1: a character is missing', ''],
    ['ignore: { projects: [a, b', 'config.yaml:1: ', ''],
    ['agent: main\n---\nagent: other', 'config.yaml:2: the file holds more than one document', ''],
    ['agent: !!js/function "x"', 'config.yaml:1: a tag (!…) is not known', ''],
    ['ignore:\n  projects: [*.tmp]', 'config.yaml:2: an alias (*…) is used', 'in quotes'],
    [bomb.join('\n'), 'config.yaml:2: an alias (*…) is used', 'Write the value out'],
    ['owner: { emails: &a [*a] }', 'config.yaml:1: an alias (*…) is used', ''],
    ['? [a]\n: b', 'config.yaml:1: ', ''],
    [`agent: ${deep(60)}`, 'config.yaml is nested too deeply', ''],
    [`agent: ${deep(50_000)}`, 'config.yaml', ''],
    [`# ${'x'.repeat(300_000)}`, 'config.yaml is larger than 256 KB', ''],
  ])('%.60j', (text, message, hint) => {
    const found = failure(text)
    expect(found.message).toContain(message)
    expect(found.message).not.toContain('\n')
    expect(found.hint).toContain(hint)
    expect(found.details.file).toBe(paths.config)
  })

  it('bytes that are not UTF-8 are refused', () => {
    expect(failure(Buffer.from([0x61, 0x3a, 0x20, 0xff, 0xfe])).message).toBe('config.yaml is not UTF-8 text')
  })

  it('a folder in its place is refused', () => {
    mkdirSync(paths.config)
    expect(failure().message).toBe('config.yaml is not a file')
  })

  it('a link that leads nowhere is refused, not taken for no file', () => {
    symlinkSync(join(home, 'gone.yaml'), paths.config)
    expect(failure().message).toBe('config.yaml cannot be read (ENOENT)')
  })

  it('a home that is a file is refused', () => {
    write('')
    const inside = resolvePaths({ home: paths.config, env: {} })
    expect(failure(undefined, { paths: inside }).message).toContain('cannot be read (ENOTDIR)')
  })
})

describe('warnings', () => {
  it('each old key is accepted, ignored and named', () => {
    write('memorySearch:\n  experimental:\n    sessionMemory: false\n  sources: [memory]\n')
    const { config, warnings } = load()
    expect(warnings).toEqual([
      `${paths.config}:3: memorySearch.experimental.sessionMemory is ignored: session history is always indexed. Remove the key.`,
      `${paths.config}:4: memorySearch.sources is ignored: session history is always indexed. Remove the key.`,
    ])
    expect(config).not.toHaveProperty('memorySearch')
  })

  it('an old key in an option is named, too', () => {
    expect(load({ overrides: { 'memorySearch.sources': ['x'] } }).warnings).toEqual([
      'option: memorySearch.sources is ignored: session history is always indexed. Remove the key.',
    ])
  })

  it('a file that others can read or change is named with the command that closes it', () => {
    write('agent: main\n')
    expect(load().warnings).toEqual([])
    chmodSync(paths.config, 0o644)
    expect(load().warnings).toEqual([`${paths.config} can be read by other users (mode 644): chmod 600 ${paths.config}`])
    chmodSync(paths.config, 0o620)
    expect(load().warnings).toEqual([`${paths.config} can be changed by other users (mode 620): chmod 600 ${paths.config}`])
  })

  it('an address without encryption is named, unless it is this machine', () => {
    const at = (url: string) => {
      write(`embedding: { provider: ollama, model: m, base_url: "${url}" }\n`)
      return load().warnings
    }
    expect(at('http://nas:11434')).toEqual(['embedding.base_url sends text unencrypted to nas: use https'])
    for (const url of ['https://nas', 'http://localhost:1', 'http://127.0.0.1:1', 'http://[::1]:1']) expect(at(url)).toEqual([])
  })
})
