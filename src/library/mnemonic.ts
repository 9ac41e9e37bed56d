import type { NewType } from '../analyze/run/own-type.ts'
import type { ArchiveReport, Opened, PublishReport, RecoverReport } from '../artifacts/artifacts.ts'
import type { Rendered, RenderOptions } from '../artifacts/render/projection.ts'
import type { ReindexReport } from '../artifacts/repair/reindex.ts'
import type { Verification } from '../artifacts/repair/verify.ts'
import type {
  ResumeAnswer,
  SessionList,
  SessionSummary,
  SessionsRequest,
  ShowAnswer,
  ShownPages,
  SourceInfo,
  SqlAnswer,
} from '../browse/browse.ts'
import type { DecisionList, DecisionsRequest } from '../browse/decisions/decisions.ts'
import type { EpisodeDefinition, EpisodeList, EpisodesRequest, ShownEpisode } from '../browse/episodes.ts'
import type { EventList, EventsRequest } from '../browse/events.ts'
import type { LeftOffRequest } from '../browse/left-off/left-off.ts'
import type { RouteAnswer, RouteRequest } from '../browse/route/route.ts'
import type { SecretList, SecretsRequest } from '../browse/secrets.ts'
import type { TimelineAnswer, TimelineRequest } from '../browse/timeline/timeline.ts'
import type { TopicList, TopicsRequest } from '../browse/topics.ts'
import type { WhyAnswer, WhyRequest } from '../browse/why/why.ts'
import type { Paths } from '../config/paths.ts'
import type { ConfigInput } from '../config/schema.ts'
import type { SourceSwitch } from '../config/switch-source.ts'
import type { Clock } from '../core/clock.ts'
import type { OnProgress } from '../core/progress.ts'
import type { EmbedReport, EmbedStatus } from '../embed/embed-report.ts'
import type { Embedder } from '../embed/embedder.ts'
import type { EmbedRunOptions } from '../embed/embedding-options.ts'
import type { NewDefinition } from '../episodes/own-definition.ts'
import type { ForgetReport } from '../forget/forget.ts'
import type { ForgetPlan, PlanRequest } from '../forget/plan.ts'
import type { ForgetRequest } from '../forget/request.ts'
import type { ReviewRequest } from '../graph/candidate-list.ts'
import type { CandidateList, EntityList, ShownEntity } from '../graph/entity-answers.ts'
import type { EntitiesRequest } from '../graph/list-entities.ts'
import type { IndexReport, IndexStatusRow } from '../index/index-report.ts'
import type { Adapter } from '../ingest/adapter.ts'
import type { ValidationResult } from '../ingest/capture/validate-session-file.ts'
import type { SyncReport } from '../ingest/sync-report.ts'
import type { AnalysisTypeInfo } from '../jobs/analysis-types.ts'
import type { AnalyzeOptions, AnalyzeReport } from '../jobs/analyze.ts'
import type { EpisodesReport, RebuildEpisodesOptions } from '../jobs/episodes.ts'
import type { ExportQmdOptions, IndexOptions, JobHooks, SyncOptions } from '../jobs/options.ts'
import type { RebuildOptions, RebuildReport } from '../jobs/rebuild.ts'
import type { WatchOptions } from '../jobs/watch.ts'
import type { WriteOptions, WriteReport } from '../jobs/write.ts'
import type { DecisionVerdict } from '../ledgers/owner-verdicts.ts'
import type { ListedProject } from '../ledgers/projects/list-projects.ts'
import type { ProjectPair } from '../ledgers/projects/project-decisions.ts'
import type { AgentStatus } from '../operations/agent-status.ts'
import type { BackupOptions, BackupReport } from '../operations/backup.ts'
import type { ExportOptions, ExportReport } from '../operations/export-all.ts'
import type { ExportedSession, SessionExportReport, SessionFormat } from '../operations/export-session/export-session.ts'
import type { QmdReport } from '../operations/qmd-export.ts'
import type { RepairOptions, RepairReport } from '../operations/repair.ts'
import type { DoctorReport, HealthReport, StatusReport } from '../operations/report.ts'
import type { RestoreOptions, RestoreReport } from '../operations/restore.ts'
import type { UninstallOptions, UninstallReport } from '../operations/uninstall.ts'
import type { ProjectCardAnswer } from '../roles/reader/project-card.ts'
import type { FilesAnswer, FilesRequest } from '../search/files.ts'
import type { LeftOffAnswer } from '../search/left-off-answer.ts'
import type { MemoryGetAnswer, MemoryGetRequest } from '../search/memory-get.ts'
import type { MemorySearchAnswer, MemorySearchRequest } from '../search/memory-search.ts'
import type { SearchAnswer, SearchRequest } from '../search/result.ts'
import type { Question } from '../search/search-each.ts'
import type { SessionSearchAnswer, SessionSearchRequest } from '../search/session-search.ts'
import type { ReadOnlyReason } from '../store/store.ts'
import type { MnemonicDossiers } from './dossier-calls.ts'
import type { MnemonicFixes } from './fix-calls.ts'
import type { Forking } from './fork-calls.ts'
import type { HookTest, HookTestRequest } from './hook-request.ts'
import type { MnemonicInstalling } from './install-calls.ts'
import type { MnemonicReader } from './prompt-reader.ts'
import type { MnemonicRemembering } from './remember-calls.ts'
import type { MnemonicSkills } from './skill-calls.ts'
import type { EntityRequest, Understanding } from './understanding.ts'

export interface OpenMnemonicOptions {
  /** Default: MNEMONIC_HOME, else ~/.mnemonic. */
  readonly home?: string
  /** Default: MNEMONIC_WORKSPACE, else SIGNET_WORKSPACE, else ~/.agents. */
  readonly workspace?: string
  /** Overrides config.yaml and the environment, key by key. */
  readonly config?: ConfigInput
  /** Persona. Default: MNEMONIC_AGENT, else main. */
  readonly agent?: string
  readonly clock?: Clock
  /** Replaces the configured model. The caller must close it. */
  readonly embedder?: Embedder
  /** Custom sources. Names must differ from all other sources. */
  readonly adapters?: readonly Adapter[]
  /** Reports schema migration, with stage `migrate`; a large database takes minutes. */
  readonly onMigrate?: OnProgress
  /** Called once if the database is opened read-only: no permission, a read-only disk, or a full one. */
  readonly onReadOnly?: (reason: ReadOnlyReason) => void
}

/** Each question is a text or a list of phrasings. Without `by`, the last two answer a question for a history in order of time. */
export interface MnemonicEach {
  search(questions: readonly Question[], request?: Omit<SearchRequest, 'query' | 'queries'>): Promise<SearchAnswer[]>
  sessionSearch(questions: readonly Question[], request?: Omit<SessionSearchRequest, 'query' | 'queries'>): Promise<SessionSearchAnswer[]>
  memorySearch(questions: readonly Question[], request?: Omit<MemorySearchRequest, 'query' | 'queries'>): Promise<MemorySearchAnswer[]>
}

export interface Mnemonic extends Understanding, Forking, MnemonicReader, MnemonicRemembering, MnemonicSkills {
  readonly paths: Paths
  /** `all`: every persona. */
  readonly agent: string
  /** The owner's zone, for bare dates and displayed times. */
  readonly timezone: string
  readonly warnings: readonly string[]

  /** Imports new data from the sources, then indexes it. */
  sync(options?: SyncOptions): Promise<SyncReport>
  /** Syncs whenever a source changes. Ends only by the signal, with INTERRUPTED. */
  watch(options: WatchOptions): Promise<never>
  readonly sources: MnemonicSources
  readonly index: MnemonicIndex
  readonly embedding: MnemonicEmbedding
  readonly episodes: MnemonicEpisodes
  readonly entities: MnemonicEntities
  readonly projects: MnemonicProjects
  readonly fixes: MnemonicFixes
  /** Rebuilds derived data by rules. Keeps owner decisions and answers of models. */
  rebuild(options?: RebuildOptions): Promise<RebuildReport>
  /** Analyzes waiting episodes, newest first: by rules, unless a model is configured. */
  analyze(options?: AnalyzeOptions): Promise<AnalyzeReport>
  readonly analyses: MnemonicAnalyses
  /** Works on the memory-writer's queue: captures, analyzes and publishes sessions. One process at a time. */
  write(options?: WriteOptions): Promise<WriteReport>

  /** Newest sessions of a project, this branch first, and the state of the first. */
  leftOff(request?: LeftOffRequest): Promise<LeftOffAnswer>
  search(request: SearchRequest): Promise<SearchAnswer>
  /** Session history only: the tool `session_search`. */
  sessionSearch(request: SessionSearchRequest): Promise<SessionSearchAnswer>
  /** Session history and documents, with path and lines: the tool `memory_search`. */
  memorySearch(request: MemorySearchRequest): Promise<MemorySearchAnswer>
  /** Several questions, each searched separately; answers in their order. */
  readonly each: MnemonicEach
  /** A document or some of its lines: the tool `memory_get`. */
  memoryGet(request: MemoryGetRequest): Promise<MemoryGetAnswer>
  sessions(request?: SessionsRequest): Promise<SessionSummary[]>
  sessionList(request?: SessionsRequest): Promise<SessionList>
  /** Sets the owner's title, which overrides others; `null` removes it. */
  rename(session: string, title: string | null): Promise<SessionSummary>
  files(request?: FilesRequest): Promise<FilesAnswer>
  /** The turns that wrote lines of a file, from git history and edit calls. Runs git by default. */
  why(request: WhyRequest): Promise<WhyAnswer>
  topics(request?: TopicsRequest): Promise<TopicList>
  /** Kind and place of redacted secrets, never their values; newest first. */
  secrets(request?: SecretsRequest): Promise<SecretList>
  events(request?: EventsRequest): Promise<EventList>
  /** Decision history of a subject: current and replaced. With `preferences`, the owner's preferences. */
  decisions(request?: DecisionsRequest): Promise<DecisionList>
  /** Neither decision replaces the other. Survives syncs and rebuilds. */
  separateDecisions(a: string, b: string): Promise<DecisionVerdict>
  /** The later decision replaces the earlier. Survives syncs and rebuilds. */
  joinDecisions(a: string, b: string): Promise<DecisionVerdict>
  /** Sessions, commits, meetings and conversations by time. Default: today. */
  timeline(request?: TimelineRequest): Promise<TimelineAnswer>
  /** Accepts any id of a session, turn or message, a range of turns (`c010174c:5-9`), or a citation. */
  show(id: string, options?: ShowOptions): Promise<ShowAnswer | ShownDocument>
  /** Page by page, for sessions of any length. */
  showPages(id: string, options?: Omit<ShowOptions, 'tree' | 'outline'>): Promise<ShownPages | ShownDocument>
  resume(id: string): Promise<ResumeAnswer>
  /** Sessions to continue with a message, best first, with reasons and changes since. */
  route(request: RouteRequest): Promise<RouteAnswer>
  sql(query: string, options?: { readonly limit?: number }): Promise<SqlAnswer>

  planForget(request: PlanRequest): Promise<ForgetPlan>
  forget(request: ForgetRequest): Promise<ForgetReport>
  /** Finishes an interrupted forget; undefined if there is none. */
  resumeForgetting(options?: JobHooks): Promise<ForgetReport | undefined>

  readonly artifacts: MnemonicArtifacts
  readonly dossiers: MnemonicDossiers
  readonly safekeeping: MnemonicSafekeeping
  readonly installing: MnemonicInstalling

  status(): Promise<StatusReport>
  /** Size and freshness of the current persona's memory. */
  agentStatus(): Promise<AgentStatus>
  health(): Promise<HealthReport>
  doctor(): Promise<DoctorReport>
  testHook(request: HookTestRequest): Promise<HookTest>

  close(): Promise<void>
  /** For `await using memory = await openMnemonic()`. */
  [Symbol.asyncDispose](): Promise<void>
}

export interface ShowOptions {
  /** Unredacted text. */
  readonly raw?: boolean
  readonly branches?: boolean
  readonly tree?: boolean
  readonly outline?: boolean
  readonly last?: number
  readonly around?: number
}

export interface ShownDocument {
  readonly kind: 'document'
  readonly document: MemoryGetAnswer
}

export interface MnemonicSources {
  list(): Promise<SourceInfo[]>
  /** Enables a source in config.yaml; takes effect at the next open. */
  setEnabled(name: string, enabled: boolean): Promise<SourceSwitch>
  /** Validates session files without importing. Default: the default paths of `jsonl`. */
  validate(path?: string): Promise<ValidatedFile[]>
}

export interface ValidatedFile {
  readonly path: string
  readonly result: ValidationResult
}

/** Derived from the ledger: can be rebuilt without the sources. */
export interface MnemonicIndex {
  run(options?: IndexOptions): Promise<IndexReport>
  status(): Promise<IndexStatusRow[]>
  /** Writes documents of turns as files for QMD, and deletes stale ones. */
  exportQmd(options?: ExportQmdOptions): Promise<QmdReport>
}

export interface MnemonicEmbedding {
  /** Embeds all waiting chunks. */
  run(options?: EmbedRunOptions): Promise<EmbedReport>
  status(): Promise<EmbedStatus>
}

/** Groups of records: conversations, mail threads, meetings, turns, sessions. Every sync updates them. */
export interface MnemonicEpisodes {
  /** Newest first. Excludes single turns unless their definition is named. */
  list(request?: EpisodesRequest): Promise<EpisodeList>
  /** Accepts a unique prefix of the id. `limit`: most events, default 200. */
  show(id: string, options?: { readonly limit?: number }): Promise<ShownEpisode>
  definitions(): Promise<EpisodeDefinition[]>
  /** Adds or changes a custom definition; the next sync or `rebuild` applies it. */
  addDefinition(definition: NewDefinition): Promise<EpisodeDefinition>
  /** Deletes its episodes too. Throws for a built-in one. */
  removeDefinition(name: string): Promise<void>
  /** Regenerates episodes from the ledgers; idempotent. */
  rebuild(options?: RebuildEpisodesOptions): Promise<EpisodesReport>
}

/** People and things of the graph. Decisions are stored as owner events and survive rebuilds. */
export interface MnemonicEntities {
  list(request?: EntitiesRequest): Promise<EntityList>
  /** Accepts an id prefix, name or address. Throws AMBIGUOUS_ID for several matches. */
  show(name: string, options?: EntityRequest & { readonly episodes?: number | undefined }): Promise<ShownEntity>
  review(request?: ReviewRequest): Promise<CandidateList>
  /** Merges `from` into `into`. `unmerge` restores exactly the earlier state. */
  merge(from: string, into: string, options?: EntityOptions): Promise<{ merged: { from: NamedEntity; into: NamedEntity } }>
  unmerge(name: string, options?: EntityOptions): Promise<{ unmerged: { entity: NamedEntity; from: NamedEntity[] } }>
  /** Never proposed or merged by a rule again. */
  reject(one: string, other: string, options?: EntityOptions): Promise<{ rejected: { a: NamedEntity; b: NamedEntity } }>
  /** Default `type`: detected from its form. */
  alias(
    name: string,
    value: string,
    options?: EntityOptions & { readonly type?: string | undefined; readonly remove?: boolean | undefined },
  ): Promise<{ alias: { entity: NamedEntity; value: string; removed: boolean } }>
  /** Overrides the extracted type. Setting the original type undoes it. */
  retype(name: string, type: string, options?: EntityOptions): Promise<{ retyped: { entity: NamedEntity; was: string } }>
  places(name: string, options?: EntityOptions): Promise<{ entity: NamedEntity; places: SaidOfEntity[] }>
  /** `take`: ids of observations or messages of the other entity. `unsplit` restores exactly the earlier state. */
  split(
    name: string,
    options: EntityOptions & { readonly take: readonly string[] },
  ): Promise<{ split: { entity: NamedEntity; part: NamedEntity; taken: number } }>
  unsplit(part: string, options?: EntityOptions): Promise<{ unsplit: { entity: NamedEntity; part: NamedEntity } }>
}

export interface SaidOfEntity {
  readonly relationship_id: string
  readonly message_id: string
  readonly type: string
  /** Redacted. */
  readonly fact: string
  readonly said_at: string
}

export interface MnemonicProjects {
  list(options?: EntityOptions): Promise<{ projects: ListedProject[]; total: number }>
  /** By name, remote or folder. Sessions of `from` count as `into`'s until `unmerge`. */
  merge(from: string, into: string): Promise<{ merged: ProjectPair }>
  unmerge(name: string): Promise<{ unmerged: ProjectPair }>
  /** By name, remote or folder; default: the current folder. `whole`: without a limit of lines. */
  card(name?: string, options?: EntityOptions & { readonly whole?: boolean | undefined }): Promise<ProjectCardAnswer>
}

export interface EntityOptions {
  readonly agent?: string | undefined
}

export interface NamedEntity {
  readonly id: string
  readonly name: string
  readonly type: string
}

export interface MnemonicAnalyses {
  types(): Promise<AnalysisTypeInfo[]>
  /** Adds or changes a custom type, which the configured model answers. */
  addType(type: NewType): Promise<AnalysisTypeInfo>
  /** Deletes its runs and facets too. Throws for a built-in one. */
  removeType(name: string): Promise<void>
}

/** Published history, as markdown in the workspace. `signal` stops a call at its next step. */
export interface MnemonicArtifacts {
  /** One session, without its last turn if it is still open. Default: all that ended since their last publication. */
  publish(
    options?: JobHooks & { readonly session?: string; readonly again?: boolean; readonly compactions?: boolean },
  ): Promise<PublishReport>
  /** Writes MEMORY.md and the full ledger. For agent `all`: every agent's; returns main's. */
  render(options?: JobHooks & RenderOptions): Promise<Rendered>
  /** Rebuilds rows about published files from the files, then MEMORY.md. */
  reindex(options?: JobHooks): Promise<ReindexReport>
  verify(options?: JobHooks): Promise<Verification>
  open(session: string): Promise<Opened | undefined>
  /** Finishes the work of a crashed process. */
  recover(options?: JobHooks): Promise<RecoverReport>
  /** Rewrites a file from the ledger; `kept` is the backup. */
  restore(path: string, options?: JobHooks): Promise<{ path: string; kept: string | undefined }>
  /** Publishes an edited file's text as a new file; `restored`: the original got its text back. */
  accept(path: string, options?: JobHooks): Promise<{ path: string; from: string; restored: boolean }>
  /** Moves transcripts outside the window of MEMORY.md to `memory/archive/`; `before`: only sessions that ended before. */
  archive(options?: JobHooks & { readonly before?: string; readonly dryRun?: boolean }): Promise<ArchiveReport>
}

export interface ExportSessionOptions {
  /** Default: markdown. */
  readonly format?: SessionFormat
  readonly branches?: boolean
}

export interface MnemonicSafekeeping {
  /** Unredacted, in one file. Other processes can keep writing. */
  backup(file: string, options?: BackupOptions): Promise<BackupReport>
  /** Undefined if `confirm` returned false. Forgotten records stay forgotten. */
  restore(file: string, options?: RestoreOptions): Promise<RestoreReport | undefined>
  /** Saves the readable part of a damaged database and rebuilds the rest; undefined if `confirm` returned false. */
  repair(options?: RepairOptions): Promise<RepairReport | undefined>
  export(options: ExportOptions): Promise<ExportReport>
  /** One conversation or a range of turns (`c010174c:5-9`), redacted. */
  exportSession(id: string, options?: ExportSessionOptions): Promise<ExportedSession>
  writeSession(id: string, file: string, options?: ExportSessionOptions & { readonly force?: boolean }): Promise<SessionExportReport>
  /** Lists all traces of Mnemonic on this machine; `purge` deletes the home. Close this object afterwards. */
  uninstall(options?: UninstallOptions): Promise<UninstallReport | undefined>
}
