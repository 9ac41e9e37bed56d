/** The schema of config.yaml. docs/configuration.md documents each key; a test compares the two. */
import { z } from 'zod'
import {
  address,
  agentId,
  amount,
  email,
  flag,
  globs,
  list,
  oneOf,
  path,
  phone,
  text,
  timezone,
  variable,
  wholeNumber,
  words,
} from './fields.ts'
import { checkAnalyzeProvider, checkEmbeddingProvider, withEmbeddingDefaults } from './providers.ts'
import { DERIVED_SOURCES, each, HARNESS_SOURCES, PERSONAL_SOURCES } from './source-names.ts'

const mapping = <T extends z.core.$ZodLooseShape>(shape: T) => z.strictObject(shape, 'a mapping of keys to values')

const owner = mapping({
  name: text('a name').optional(),
  timezone: timezone().optional(),
  // Absent means "guess"; an empty list means "none".
  emails: list(email(), 'e-mail addresses').optional(),
  phones: list(phone(), 'phone numbers').default([]),
})

const ignore = mapping({ projects: globs(), channels: globs(), contacts: globs() })

const source = (enabled: boolean) =>
  mapping({ enabled: flag().default(enabled), paths: list(path(), 'absolute paths').default([]) }).prefault({})
const step = () => mapping({ enabled: flag().default(true) }).prefault({})

const sources = mapping({
  ...each(HARNESS_SOURCES, () => source(true)),
  ...each(PERSONAL_SOURCES, () => source(false)),
  ...each(DERIVED_SOURCES, step),
})

const scope = () => oneOf(['project', 'all'])
const personal = () => oneOf(['named', 'never', 'always'])
const frequency = () => oneOf(['every_turn', 'every_n_turns', 'session_end', 'off'])

const mode = () => oneOf(['rules', 'model', 'agent'])
const agentName = () => oneOf(['claude', 'codex', 'command'])

const agentDefaults = mapping({
  memory: mapping({
    read: mapping({
      enabled: flag().default(true),
      scope: scope().default('project'),
      personal: personal().default('named'),
      max_tokens: wholeNumber(100, 20_000).default(1500),
      brief_tokens: wholeNumber(0, 20_000).default(1500),
      budget_ms: wholeNumber(50, 30_000).default(400),
      on_failure: flag().default(true),
      on_edit: flag().default(true),
      on_command: flag().default(true),
    }).prefault({}),
    write: mapping({
      enabled: flag().default(true),
      frequency: frequency().default('every_turn'),
      every: wholeNumber(1, 1000).default(5),
      mode: mode().default('model'),
      agent: agentName().default('claude'),
      agent_command: words().optional(),
      agent_seconds: wholeNumber(1, 240).default(180),
      agent_calls: wholeNumber(1, 500).default(40),
      agent_writes: wholeNumber(1, 100).default(30),
      agent_tokens: wholeNumber(20_000, 100_000_000).default(400_000),
      agent_daily_runs: wholeNumber(0, 100_000).default(50),
      agent_daily_tokens: wholeNumber(0, 1_000_000_000_000).default(4_000_000),
    }).prefault({}),
    labeling: mapping({ enabled: flag().default(true) }).prefault({}),
  }).prefault({}),
})

const agentOverride = mapping({
  memory: mapping({
    read: mapping({
      enabled: flag().optional(),
      scope: scope().optional(),
      personal: personal().optional(),
      max_tokens: wholeNumber(100, 20_000).optional(),
      brief_tokens: wholeNumber(0, 20_000).optional(),
      budget_ms: wholeNumber(50, 30_000).optional(),
      on_failure: flag().optional(),
      on_edit: flag().optional(),
      on_command: flag().optional(),
    }).optional(),
    write: mapping({
      enabled: flag().optional(),
      frequency: frequency().optional(),
      every: wholeNumber(1, 1000).optional(),
      mode: mode().optional(),
      agent: agentName().optional(),
      agent_command: words().optional(),
      agent_seconds: wholeNumber(1, 240).optional(),
      agent_calls: wholeNumber(1, 500).optional(),
      agent_writes: wholeNumber(1, 100).optional(),
      agent_tokens: wholeNumber(20_000, 100_000_000).optional(),
      agent_daily_runs: wholeNumber(0, 100_000).optional(),
      agent_daily_tokens: wholeNumber(0, 1_000_000_000_000).optional(),
    }).optional(),
    labeling: mapping({ enabled: flag().optional() }).optional(),
  }).optional(),
})

const agents = z
  .object({ defaults: agentDefaults.prefault({}) }, 'a mapping of agent ids to settings')
  .catchall(agentOverride)
  .superRefine((all, ctx) => {
    for (const id of Object.keys(all)) {
      const message = AGENT_NAMES[id] ?? agentId().safeParse(id).error?.issues[0]?.message
      if (message !== undefined)
        ctx.addIssue({ code: 'custom', path: [id], message: 'is not the id of an agent', params: { fix: `It must be ${message}.` } })
      const write = { ...all.defaults.memory.write, ...all[id]?.memory?.write }
      if (write.agent === 'command' && write.agent_command === undefined)
        ctx.addIssue({
          ...{ code: 'custom', path: [id, 'memory', 'write', 'agent_command'], message: 'is missing: agent command needs it' },
          params: { fix: 'Add "agent_command: [PROGRAM, ARGUMENT]" beside it, or name claude or codex.' },
        })
    }
  })

const AGENT_NAMES: Readonly<Record<string, string>> = { all: '"defaults", which counts for all agents', default: '"defaults", with an s' }

const memory = mapping({
  auto_publish: flag().default(false),
  quiet_minutes: wholeNumber(1, 10_080).default(120),
  exclude: globs(),
  paths: list(path(), 'absolute paths').default([]),
  max_lines: wholeNumber(20, 100_000).default(200),
  max_bytes: wholeNumber(2048, 100_000_000).default(25_600),
})

/** Keys of an older system, ignored: session history is always indexed. */
const memorySearch = mapping({
  experimental: mapping({ sessionMemory: z.unknown().optional() }).optional(),
  sources: z.unknown().optional(),
})

const embedding = mapping({
  provider: oneOf(['minilm', 'openai', 'openai-compatible', 'ollama', 'google']).default('minilm'),
  model: text('the name of a model').optional(),
  dimensions: wholeNumber(8, 16_384).optional(),
  base_url: address().optional(),
  api_key_env: variable().optional(),
  batch_size: wholeNumber(1, 2048).default(64),
  sync_seconds: wholeNumber(0, 86_400).default(120),
  token_bits: flag().default(true),
  daily_tokens: wholeNumber(0, 1_000_000_000_000).default(50_000_000),
  daily_usd: amount(100_000).default(1),
})
  .superRefine(checkEmbeddingProvider)
  .transform(withEmbeddingDefaults)

const analyze = mapping({
  auto: flag().default(false),
  provider: oneOf(['rules', 'openai', 'openai-compatible', 'anthropic', 'google', 'ollama', 'command']).default('rules'),
  model: text('the name of a model').optional(),
  chunk_context: flag().default(false),
  command: words().optional(),
  base_url: address().optional(),
  api_key_env: variable().optional(),
  usd_per_million_input: amount(100_000).optional(),
  usd_per_million_output: amount(100_000).optional(),
  daily_tokens: wholeNumber(0, 1_000_000_000_000).default(1_000_000),
  daily_usd: amount(100_000).default(1),
  daily_calls: wholeNumber(0, 1_000_000_000).default(500),
  concurrency: wholeNumber(1, 32).default(2),
  timeout_seconds: wholeNumber(1, 3600).default(120),
}).superRefine(checkAnalyzeProvider)

/** One spelling, so that `Person` and `person` stay one type. */
const entityType = () =>
  text('an entity type', 40).regex(/^[a-z][a-z0-9_]*$/, 'lower-case letters, digits and "_", at most 40, a letter first')

const graph = mapping({ auto_merge: flag().default(false), entity_types: list(entityType(), 'entity types').default([]) })

export const configSchema = mapping({
  agent: agentId().default('main'),
  owner: owner.prefault({}),
  ignore: ignore.prefault({}),
  sources: sources.prefault({}),
  agents: agents.prefault({}),
  memory: memory.prefault({}),
  memorySearch: memorySearch.optional(),
  embedding: embedding.prefault({}),
  analyze: analyze.prefault({}),
  graph: graph.prefault({}),
  search: mapping({ limit: wholeNumber(1, 200).default(10) }).prefault({}),
  index: mapping({
    max_chunk_tokens: wholeNumber(64, 8192).default(500),
    max_chunks_per_session: wholeNumber(1, 1_000_000).default(2000),
    tools: oneOf(['off', 'words', 'all']).default('all'),
  }).prefault({}),
  qmd: mapping({ enabled: flag().default(false), dir: path().optional() }).prefault({}),
  store: mapping({ engine: oneOf(['sqlite']).default('sqlite') }).prefault({}),
})

export type Config = Omit<z.infer<typeof configSchema>, 'memorySearch'>

export type ConfigInput = DeepReadonly<Omit<z.input<typeof configSchema>, 'memorySearch'>>

export type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T
