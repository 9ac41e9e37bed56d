/** The library: one object over one home. The composition root below is the one place where configuration becomes objects. */
import type { SessionSummary, SessionsRequest, ShowAnswer, SourceInfo, SqlAnswer } from './browse/browse.ts'
import type { Clock } from './core/clock.ts'
import type { OnProgress } from './core/progress.ts'
import type { IndexReport, IndexStatusRow } from './index/index-report.ts'
import type { ValidationResult } from './ingest/capture/validate-session-file.ts'
import type { SyncReport } from './ingest/sync-report.ts'
import type { DoctorReport, HealthReport, StatusReport } from './operations/report.ts'
import type { SearchAnswer, SearchRequest } from './search/result.ts'

export interface OpenMnemonicOptions {
  /** Default: MNEMONIC_HOME, else ~/.mnemonic. */
  readonly home?: string
  /** Default: MNEMONIC_WORKSPACE, else SIGNET_WORKSPACE, else ~/.agents. */
  readonly workspace?: string
  /** Overrides of single configuration keys, over config.yaml. */
  readonly config?: Readonly<Record<string, unknown>>
  /** The persona whose memory this is. Default: MNEMONIC_AGENT, else main. */
  readonly agent?: string
  readonly clock?: Clock
}

export interface SyncOptions {
  /** Names of adapters; all that are on when absent. */
  readonly adapters?: readonly string[]
  /** A file or folder to read instead of the default places. */
  readonly path?: string
  readonly onProgress?: OnProgress
  readonly signal?: AbortSignal
}

export interface IndexOptions {
  /** new: what changed (default); all: everything again; session: one. */
  readonly scope?: 'new' | 'all'
  readonly session?: string
  readonly onProgress?: OnProgress
  readonly signal?: AbortSignal
}

export interface Mnemonic {
  readonly home: string
  readonly workspace: string
  readonly warnings: readonly string[]
  paths(): { home: string; workspace: string; database: string; config: string; models: string; logs: string; memory: string }
  sources(): Promise<SourceInfo[]>
  sync(options?: SyncOptions): Promise<SyncReport>
  search(request: SearchRequest): Promise<SearchAnswer>
  sessions(request?: SessionsRequest): Promise<SessionSummary[]>
  show(id: string, options?: { raw?: boolean; branches?: boolean }): Promise<ShowAnswer>
  index(options?: IndexOptions): Promise<IndexReport>
  indexStatus(): Promise<IndexStatusRow[]>
  /** Checks session files without importing them: `path`, else the default places of `jsonl`. */
  validate(path?: string): Promise<{ path: string; result: ValidationResult }[]>
  status(): Promise<StatusReport>
  health(): Promise<HealthReport>
  doctor(): Promise<DoctorReport>
  sql(query: string, options?: { limit?: number }): Promise<SqlAnswer>
  close(): Promise<void>
}
