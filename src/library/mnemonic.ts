/** The public interface: one object over one home. What is used most is a method of it; the rest is grouped. */

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
  /** Single keys of the configuration; they win over config.yaml and the environment. */
  readonly config?: ConfigInput
  /** The persona whose memory this is. Default: MNEMONIC_AGENT, else main. */
  readonly agent?: string
  readonly clock?: Clock
  /** Computes vectors instead of the configured model; the caller closes it. */
  readonly embedder?: Embedder
  /** Sources of the caller's own, beside the built-in ones. Each needs a name that no other source has. */
  readonly adapters?: readonly Adapter[]
  /** Called while the database is brought to this program's schema, with stage `migrate`; a large one takes minutes. */
  readonly onMigrate?: OnProgress
  /** Called once if the database cannot be written and is opened for reading only: no rights or a read-only disk, or no room on it. */
  readonly onReadOnly?: (reason: ReadOnlyReason) => void
}

/** Searches of several questions. */
/** Each question is a text, or a list of its phrasings. Where `by` is not given, the last two answer a question for a history in order of time. */
export interface MnemonicEach {
  search(questions: readonly Question[], request?: Omit<SearchRequest, 'query' | 'queries'>): Promise<SearchAnswer[]>
  sessionSearch(questions: readonly Question[], request?: Omit<SessionSearchRequest, 'query' | 'queries'>): Promise<SessionSearchAnswer[]>
  memorySearch(questions: readonly Question[], request?: Omit<MemorySearchRequest, 'query' | 'queries'>): Promise<MemorySearchAnswer[]>
}

export interface Mnemonic extends Understanding, Forking, MnemonicReader, MnemonicRemembering, MnemonicSkills {
  /** Where home, workspace and the files in them are. */
  readonly paths: Paths
  /** The persona whose memory this is; `all` for everybody's. */
  readonly agent: string
  /** The owner's zone: bare dates are midnight there, and people are shown times in it. */
  readonly timezone: string
  /** What a person should know about the configuration. */
  readonly warnings: readonly string[]

  /** Imports what is new in the sources, then indexes it. */
  sync(options?: SyncOptions): Promise<SyncReport>
  /** Syncs, and again whenever a source wrote something, until the signal ends it with INTERRUPTED. */
  watch(options: WatchOptions): Promise<never>
  readonly sources: MnemonicSources
  readonly index: MnemonicIndex
  readonly embedding: MnemonicEmbedding
  readonly episodes: MnemonicEpisodes
  readonly entities: MnemonicEntities
  readonly projects: MnemonicProjects
  readonly fixes: MnemonicFixes
  /** Makes all that is derived again from what is stored, by rules; what somebody decided and what models answered stays. */
  rebuild(options?: RebuildOptions): Promise<RebuildReport>
  /** Runs analyses over the episodes that wait for them, newest first: by rules, unless the configuration names a model. */
  analyze(options?: AnalyzeOptions): Promise<AnalyzeReport>
  readonly analyses: MnemonicAnalyses
  /** Does what waits in the memory-writer's queue: captures sessions, analyses them, publishes those that ended. One process at a time. */
  write(options?: WriteOptions): Promise<WriteReport>

  /** Where the work on a project was left: its newest sessions, this branch first, and how the first of them stood. */
  leftOff(request?: LeftOffRequest): Promise<LeftOffAnswer>
  search(request: SearchRequest): Promise<SearchAnswer>
  /** Session history only, with the inputs and outputs of the tool `session_search`. */
  sessionSearch(request: SessionSearchRequest): Promise<SessionSearchAnswer>
  /** Session history and documents, each hit with path and lines: the tool `memory_search`. */
  memorySearch(request: MemorySearchRequest): Promise<MemorySearchAnswer>
  /** Several questions, each searched by itself: the answers in their order. */
  readonly each: MnemonicEach
  /** The text of a document, or some of its lines: the tool `memory_get`. */
  memoryGet(request: MemoryGetRequest): Promise<MemoryGetAnswer>
  /** Newest first. */
  sessions(request?: SessionsRequest): Promise<SessionSummary[]>
  /** The same, and how many there are. */
  sessionList(request?: SessionsRequest): Promise<SessionList>
  /** Gives a session a title of the owner's own, which wins; `null` takes it back. */
  rename(session: string, title: string | null): Promise<SessionSummary>
  /** Who touched which files, when, in which session; the last touched first. */
  files(request?: FilesRequest): Promise<FilesAnswer>
  /** Why lines of a file are there: the turn that wrote each, by git's history and the edit calls of sessions. Starts git, unless told not to. */
  why(request: WhyRequest): Promise<WhyAnswer>
  /** What was talked about, the commonest first: how often, in how many conversations, first and last. */
  topics(request?: TopicsRequest): Promise<TopicList>
  /** Which secrets redaction finds in sessions, newest first: kind and place, never the value. */
  secrets(request?: SecretsRequest): Promise<SecretList>
  /** What was decided, promised, preferred or corrected, with what said it, newest first; with `all` every event. */
  events(request?: EventsRequest): Promise<EventList>
  /** What was decided about a subject, as lines: what holds, and what held before. With `preferences`, what the owner prefers. */
  decisions(request?: DecisionsRequest): Promise<DecisionList>
  /** Says that neither of two decisions replaces the other. It stays through every sync and rebuild. */
  separateDecisions(a: string, b: string): Promise<DecisionVerdict>
  /** Says that the later of two decisions replaces the earlier. It stays through every sync and rebuild. */
  joinDecisions(a: string, b: string): Promise<DecisionVerdict>
  /** Sessions, commits, meetings and conversations of some days together, in order of time; today where no day is named. */
  timeline(request?: TimelineRequest): Promise<TimelineAnswer>
  /** A session, turn or message by any of its names, some turns (`c010174c:5-9`), or what a citation names. */
  show(id: string, options?: ShowOptions): Promise<ShowAnswer | ShownDocument>
  /** The same page by page, for sessions of any length. */
  showPages(id: string, options?: Omit<ShowOptions, 'tree' | 'outline'>): Promise<ShownPages | ShownDocument>
  /** The command with which the harness takes up the session again that the id names, or that holds what it names. Runs nothing. */
  resume(id: string): Promise<ResumeAnswer>
  /** The sessions to continue with a message, best first: each with why, how to resume it, and what changed since it last spoke of it. */
  route(request: RouteRequest): Promise<RouteAnswer>
  /** One read-only query; the answer is redacted. */
  sql(query: string, options?: { readonly limit?: number }): Promise<SqlAnswer>

  /** What `forget` would remove. Changes nothing. */
  planForget(request: PlanRequest): Promise<ForgetPlan>
  /** Removes what is named, everywhere, and proves it. */
  forget(request: ForgetRequest): Promise<ForgetReport>
  /** Finishes a forgetting that was interrupted; undefined when there is none. */
  resumeForgetting(options?: JobHooks): Promise<ForgetReport | undefined>

  readonly artifacts: MnemonicArtifacts
  readonly dossiers: MnemonicDossiers
  readonly safekeeping: MnemonicSafekeeping
  readonly installing: MnemonicInstalling

  status(): Promise<StatusReport>
  /** How much of it is the agent's whose memory this is, and how fresh. */
  agentStatus(): Promise<AgentStatus>
  health(): Promise<HealthReport>
  doctor(): Promise<DoctorReport>
  /** What a hook of a harness would answer, and how long each step takes. Changes nothing. */
  testHook(request: HookTestRequest): Promise<HookTest>

  close(): Promise<void>
  /** The same as `close`: `await using memory = await openMnemonic()`. */
  [Symbol.asyncDispose](): Promise<void>
}

export interface ShowOptions {
  /** The text as it was said, with its secrets. */
  readonly raw?: boolean
  /** Abandoned branches too. */
  readonly branches?: boolean
  /** The subagents of the session instead of its turns. */
  readonly tree?: boolean
  /** A line a turn instead of what was said. */
  readonly outline?: boolean
  /** Only so many turns from the end. */
  readonly last?: number
  /** So many turns before and after the turn that is named. */
  readonly around?: number
}

/** What `show` gives where the name is that of a document. */
export interface ShownDocument {
  readonly kind: 'document'
  readonly document: MemoryGetAnswer
}

/** What is read, from where. */
export interface MnemonicSources {
  list(): Promise<SourceInfo[]>
  /** Writes into config.yaml whether a sync reads this source; takes effect when the home is next opened. */
  setEnabled(name: string, enabled: boolean): Promise<SourceSwitch>
  /** Checks session files without importing them: those below `path`, else below the default paths of `jsonl`. */
  validate(path?: string): Promise<ValidatedFile[]>
}

export interface ValidatedFile {
  readonly path: string
  readonly result: ValidationResult
}

/** The search index: derived from the ledger, can be rebuilt without the sources. */
export interface MnemonicIndex {
  run(options?: IndexOptions): Promise<IndexReport>
  /** What the index holds of each session. */
  status(): Promise<IndexStatusRow[]>
  /** Writes the documents of turns as files for QMD, and removes those that are stale. */
  exportQmd(options?: ExportQmdOptions): Promise<QmdReport>
}

/** The vectors of the index. */
export interface MnemonicEmbedding {
  /** Gives every chunk that waits its vector. */
  run(options?: EmbedRunOptions): Promise<EmbedReport>
  status(): Promise<EmbedStatus>
}

/** Records that belong together: a conversation without a pause, a mail thread, a meeting, a turn, a session. Every sync keeps them up to date. */
export interface MnemonicEpisodes {
  /** Newest first; without single turns, unless their definition is named. */
  list(request?: EpisodesRequest): Promise<EpisodeList>
  /** One with what was said in it, by its id or the unique beginning of it. `limit`: most events, 200 when absent. */
  show(id: string, options?: { readonly limit?: number }): Promise<ShownEpisode>
  /** The ways in which records are grouped, with how many episodes each made. */
  definitions(): Promise<EpisodeDefinition[]>
  /** One of the owner's own, added or changed; the next sync, or `rebuild`, makes its episodes. */
  addDefinition(definition: NewDefinition): Promise<EpisodeDefinition>
  /** With its episodes; one that is built in is refused. */
  removeDefinition(name: string): Promise<void>
  /** Makes them again from the ledgers; where those did not change, nothing is written. */
  rebuild(options?: RebuildEpisodesOptions): Promise<EpisodesReport>
}

/** People and things that were talked about. What is decided here is kept as an event of the owner, and stays where the graph is made again. */
export interface MnemonicEntities {
  /** The most often named first. */
  list(request?: EntitiesRequest): Promise<EntityList>
  /** One, with what holds, held and is claimed, by its id or the beginning of it, by a name or an address. Throws AMBIGUOUS_ID where several fit. */
  show(name: string, options?: EntityRequest & { readonly episodes?: number | undefined }): Promise<ShownEntity>
  /** Pairs that may be one, with what speaks for it. */
  review(request?: ReviewRequest): Promise<CandidateList>
  /** `from` becomes a part of `into`. Nothing is moved: `unmerge` gives back exactly what was. */
  merge(from: string, into: string, options?: EntityOptions): Promise<{ merged: { from: NamedEntity; into: NamedEntity } }>
  unmerge(name: string, options?: EntityOptions): Promise<{ unmerged: { entity: NamedEntity; from: NamedEntity[] } }>
  /** The two are not one: they are not proposed again, and no rule joins them. */
  reject(one: string, other: string, options?: EntityOptions): Promise<{ rejected: { a: NamedEntity; b: NamedEntity } }>
  /** What you call it; with `remove`, no longer. Without `type` its form says what it is. */
  alias(
    name: string,
    value: string,
    options?: EntityOptions & { readonly type?: string | undefined; readonly remove?: boolean | undefined },
  ): Promise<{ alias: { entity: NamedEntity; value: string; removed: boolean } }>
  /** It is of this type, whatever it was found as. Given its first type again, it is as before. */
  retype(name: string, type: string, options?: EntityOptions): Promise<{ retyped: { entity: NamedEntity; was: string } }>
  /** What was said of one entity, the oldest first: what `split` takes from. */
  places(name: string, options?: EntityOptions): Promise<{ entity: NamedEntity; places: SaidOfEntity[] }>
  /** It is two: what `take` names (ids of observations, or of messages) is of the other one. `unsplit` gives back exactly what was. */
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
  /** The last used first. */
  list(options?: EntityOptions): Promise<{ projects: ListedProject[]; total: number }>
  /** Two are one, each given by name, remote or folder: sessions of the first are those of the second, until `unmerge`. */
  merge(from: string, into: string): Promise<{ merged: ProjectPair }>
  unmerge(name: string): Promise<{ unmerged: ProjectPair }>
  /** The card of a project, by its name, remote or folder; of the current folder when absent. `whole`: every line that is known. */
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

/** What is looked for in episodes. */
export interface MnemonicAnalyses {
  /** Each with what does it and how far its runs are. */
  types(): Promise<AnalysisTypeInfo[]>
  /** One of the owner's own, which asks the configured model; changed where it is there. */
  addType(type: NewType): Promise<AnalysisTypeInfo>
  /** With its runs and their facets; one that is built in is refused. */
  removeType(name: string): Promise<void>
}

/** Published history, as markdown in the workspace. `signal` stops a call at its next step. */
export interface MnemonicArtifacts {
  /** One session, also one that goes on (its last turn waits); without one, every session that ended since its last publication. */
  publish(
    options?: JobHooks & { readonly session?: string; readonly again?: boolean; readonly compactions?: boolean },
  ): Promise<PublishReport>
  /** Writes MEMORY.md and the full ledger again. With agent `all` everybody's; the answer is about main's. */
  render(options?: JobHooks & RenderOptions): Promise<Rendered>
  /** Makes the rows about published files again from the files, then MEMORY.md from both. */
  reindex(options?: JobHooks): Promise<ReindexReport>
  verify(options?: JobHooks): Promise<Verification>
  /** Where a session's files are; undefined when it is not published. */
  open(session: string): Promise<Opened | undefined>
  /** Finishes what a process that died left behind. */
  recover(options?: JobHooks): Promise<RecoverReport>
  /** Writes a file again as the ledger has it; `kept` names the copy of what was there. */
  restore(path: string, options?: JobHooks): Promise<{ path: string; kept: string | undefined }>
  /** Publishes the text of an edited file as a new one; `restored`: the edited file has its own text again. */
  accept(path: string, options?: JobHooks): Promise<{ path: string; from: string; restored: boolean }>
  /** Moves transcripts of sessions that left the window of MEMORY.md into `memory/archive/`; `before`: only of sessions that ended before this time. */
  archive(options?: JobHooks & { readonly before?: string; readonly dryRun?: boolean }): Promise<ArchiveReport>
}

export interface ExportSessionOptions {
  /** markdown when absent. */
  readonly format?: SessionFormat
  /** Abandoned branches too. */
  readonly branches?: boolean
}

/** What brings a memory out of its home, and back. */
export interface MnemonicSafekeeping {
  /** Writes everything, raw, into one file, while other processes go on. */
  backup(file: string, options?: BackupOptions): Promise<BackupReport>
  /** Replaces the database by a backup; undefined when `confirm` said no. What was forgotten stays forgotten. */
  restore(file: string, options?: RestoreOptions): Promise<RestoreReport | undefined>
  /** Saves what can be read of a damaged database, and makes the rest again from it; undefined when `confirm` said no. */
  repair(options?: RepairOptions): Promise<RepairReport | undefined>
  /** Writes everything in open formats, redacted. */
  export(options: ExportOptions): Promise<ExportReport>
  /** One conversation, or some turns of one (`c010174c:5-9`), redacted, as a text to keep or to hand on. */
  exportSession(id: string, options?: ExportSessionOptions): Promise<ExportedSession>
  /** The same into a file. */
  writeSession(id: string, file: string, options?: ExportSessionOptions & { readonly force?: boolean }): Promise<SessionExportReport>
  /** Lists what of Mnemonic is on this machine; with `purge` removes its home. Close this object afterwards. */
  uninstall(options?: UninstallOptions): Promise<UninstallReport | undefined>
}
