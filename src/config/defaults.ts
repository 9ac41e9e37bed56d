/** Duplicates the schema's defaults, because loading the schema takes longer than a search. A test compares the two. */
import type { Config } from './schema.ts'
import { DERIVED_SOURCES, each, HARNESS_SOURCES, PERSONAL_SOURCES } from './source-names.ts'

export function defaultConfig(): Config {
  return {
    agent: 'main',
    owner: { phones: [] },
    ignore: { projects: [], channels: [], contacts: [] },
    sources: {
      ...each(HARNESS_SOURCES, () => ({ enabled: true, paths: [] as string[] })),
      ...each(PERSONAL_SOURCES, () => ({ enabled: false, paths: [] as string[] })),
      ...each(DERIVED_SOURCES, () => ({ enabled: true })),
    },
    agents: {
      defaults: {
        memory: {
          read: {
            enabled: true,
            scope: 'project',
            personal: 'named',
            max_tokens: 1500,
            brief_tokens: 1500,
            budget_ms: 400,
            on_failure: true,
            on_edit: true,
            on_command: true,
          },
          write: {
            ...{ enabled: true, frequency: 'every_turn', every: 5, mode: 'model', agent: 'claude' },
            ...{ agent_seconds: 180, agent_calls: 40, agent_writes: 30, agent_tokens: 400_000 },
            ...{ agent_daily_runs: 50, agent_daily_tokens: 4_000_000 },
          },
          labeling: { enabled: true },
        },
      },
    },
    memory: { auto_publish: false, quiet_minutes: 120, exclude: [], paths: [], max_lines: 200, max_bytes: 25_600 },
    embedding: { provider: 'minilm', batch_size: 64, sync_seconds: 120, token_bits: true, daily_tokens: 50_000_000, daily_usd: 1 },
    analyze: {
      auto: false,
      provider: 'rules',
      chunk_context: false,
      daily_tokens: 1_000_000,
      daily_usd: 1,
      daily_calls: 500,
      concurrency: 2,
      timeout_seconds: 120,
    },
    graph: { auto_merge: false, entity_types: [] },
    search: { limit: 10 },
    index: { max_chunk_tokens: 500, max_chunks_per_session: 2000, tools: 'all' },
    qmd: { enabled: false },
    store: { engine: 'sqlite' },
  }
}

/** The only environment variables that set a key. None selects a provider: an API key in the environment must not enable anything. */
export const VARIABLES: Readonly<Record<string, string>> = { agent: 'MNEMONIC_AGENT', 'owner.timezone': 'MNEMONIC_TIMEZONE' }
