/** snake_case: the JSON of `status`, `health` and `doctor`. */
import type { AgentRun } from '../roles/writer/agent/agent-runs.ts'
import type { ToolIndexing } from '../store/work.ts'

export interface StatusReport {
  readonly version: string
  readonly home: string
  readonly last_sync: string | null
  readonly agents: { sessions: number; subagents: number; messages: number; turns: number; tool_calls: number; compactions: number }
  readonly events: { events: number; threads: number }
  readonly core: {
    episodes: number
    /** Threads and sessions to regroup on the next sync. */
    waiting_episodes: number
    analysis_runs: number
    runs: { pending: number; running: number; completed: number; failed: number }
    accesses: number
    facets: number
    embeddings: number
  }
  readonly graph: { entities: number; relationships: number; merge_candidates: number }
  readonly index: {
    identity: string
    documents: number
    chunks: number
    waiting_sessions: number
    partial_sessions: number
    tools: ToolIndexing
    /** Indexed calls, and sessions with some not yet searchable. */
    work_calls: number
    waiting_work_sessions: number
    cursor: number
  }
  readonly writer: WriterStatus
  readonly sources: readonly { adapter: string; units: number; quarantined: number; last_read: string | null }[]
  /** UTC day. */
  readonly spent_today: readonly SpendReport[]
  readonly metrics: Metrics
  readonly sizes: { database_bytes: number; vectors_bytes: number; token_bits_bytes: number; artifacts_bytes: number; models_bytes: number }
}

export interface WriterStatus {
  readonly waiting: number
  readonly failed: number
  readonly oldest: string | null
  readonly mode: 'rules' | 'model' | 'agent'
  readonly last_agent_run: AgentRun | null
}

/** Dollars only if the price is known. */
export interface SpendReport {
  readonly purpose: string
  readonly calls: number
  readonly input_tokens: number
  readonly output_tokens: number
  readonly usd: number
}

export interface Metrics {
  readonly total_chunks: number
  readonly total_sessions: number
  readonly last_indexed: string | null
  readonly avg_index_time_per_session_ms: number | null
  readonly avg_search_latency_ms: number | null
  readonly search_count_24h: number
  readonly failed_chunks: number
  readonly quarantined_sessions: number
  readonly storage_used_mb: number
}

export interface HealthReport {
  readonly status: 'OK' | 'DEGRADED' | 'ERROR'
  readonly checks: readonly {
    readonly name: string
    readonly status: 'OK' | 'DEGRADED' | 'ERROR'
    readonly message: string
    readonly hint?: string
  }[]
}

export interface DoctorReport {
  readonly ok: boolean
  readonly checks: readonly {
    readonly name: string
    readonly ok: boolean
    readonly found: string
    readonly absent?: true
    readonly hint?: string
  }[]
}

export type HealthCheck = HealthReport['checks'][number]
export type DoctorCheck = DoctorReport['checks'][number]

export type Answer = Omit<HealthCheck, 'name'>

export function ok(message: string): Answer {
  return { status: 'OK', message }
}

export function degraded(message: string, hint: string): Answer {
  return { status: 'DEGRADED', message, hint }
}
