/** The public API: anything not exported here may change. */

export type { DiscussionNote } from '../analyze/discussions/note.ts'
export type { CostEstimate } from '../analyze/run/model-provider.ts'
export type { NewType } from '../analyze/run/own-type.ts'
export type { WaitingType } from '../analyze/run/plan.ts'
export type { TypeReport } from '../analyze/run/run-analyses.ts'
export type { ArchivedTranscript, ArchiveReport, Opened, PublishReport, RecoverReport } from '../artifacts/artifacts.ts'
export type { ListedDossier } from '../artifacts/dossiers/dossiers.ts'
export type { ContentFrontmatter, Frontmatter, ManifestFrontmatter } from '../artifacts/format/frontmatter-schema.ts'
export type { Published } from '../artifacts/publish/publish-context.ts'
export type { Rendered, RenderOptions } from '../artifacts/render/projection.ts'
export type { ReindexReport } from '../artifacts/repair/reindex.ts'
export type { ArtifactProblem, CheckedArtifact, ProblemKind, Verification } from '../artifacts/repair/verify.ts'
export type {
  OutlinedTurn,
  RecordedUsage,
  ResumeAnswer,
  SessionList,
  SessionSummary,
  SessionsRequest,
  ShowAnswer,
  ShownMessage,
  ShownOutline,
  ShownPages,
  ShownSession,
  ShownTree,
  ShownTurn,
  SourceInfo,
  SqlAnswer,
  TreeNode,
  UnknownRecords,
} from '../browse/browse.ts'
export type { DecisionLine, Replacement, ShownDecision } from '../browse/decisions/decision.ts'
export type { DecisionList, DecisionsRequest } from '../browse/decisions/decisions.ts'
export type { EpisodeDefinition, EpisodeEvent, EpisodeList, EpisodeSummary, EpisodesRequest, ShownEpisode } from '../browse/episodes.ts'
export type { EventList, EventsRequest, ShownEvent } from '../browse/events.ts'
export type { FixAnswer, Friction, Occurrence } from '../browse/fix/find-fixes.ts'
export type { FailingForm, HowAnswer, HowForm } from '../browse/fix/how.ts'
export type { LeftOffRequest } from '../browse/left-off/left-off.ts'
export type { RelatedAnswer, RelatedUnit } from '../browse/related.ts'
export type { RouteAnswer, RoutedSession, RouteReasons, RouteRequest } from '../browse/route/route.ts'
export type { RouteParts } from '../browse/route/route-score.ts'
export type { StaleEntity } from '../browse/route/stale.ts'
export type { ListedSecret, SecretList, SecretPlace, SecretsRequest } from '../browse/secrets.ts'
export type { ShownPerson } from '../browse/shown-people.ts'
export type { SpanRequest } from '../browse/timeline/asked-span.ts'
export type { TimelineCommit, TimelineEntry, TimelineStatement } from '../browse/timeline/entry.ts'
export type { TimelineAnswer, TimelineDay, TimelineRequest } from '../browse/timeline/timeline.ts'
export type { ListedTopic, TopicList, TopicsRequest } from '../browse/topics.ts'
export type { WhyTurn } from '../browse/why/turn.ts'
export type { WhyAnswer, WhyKind, WhyPart, WhyRequest } from '../browse/why/why.ts'
export type { Paths } from '../config/paths.ts'
export type { ConfigInput, DeepReadonly } from '../config/schema.ts'
export type { SourceSwitch } from '../config/switch-source.ts'
export type { ChangedSince } from '../core/changed-since.ts'
export type { Clock } from '../core/clock.ts'
export type { ErrorCode, ErrorOptions } from '../core/error.ts'
export { ERROR_CODES, MnemonicError } from '../core/error.ts'
export type { ToolEvent } from '../core/hook-gate.ts'
export type { OnProgress, ProgressEvent, UnitProgress, WaitEvent } from '../core/progress.ts'
export { redactSensitiveText } from '../core/redact.ts'
export type { RememberType } from '../core/remember-type.ts'
export type { Retention } from '../core/retention-words.ts'
export type { StatementType } from '../core/statement-type.ts'
export type { Trust } from '../core/trust.ts'
export type { EmbedConfigStatus, EmbedReport, EmbedStatus, Stopped } from '../embed/embed-report.ts'
export type { Embedder, EmbedOptions, SignedText, StatedText, TokenEmbedder } from '../embed/embedder.ts'
export type { EmbedRunOptions } from '../embed/embedding-options.ts'
export type { NewDefinition } from '../episodes/own-definition.ts'
export type { ForgetReport } from '../forget/forget.ts'
export type { ForgetPlan, PlannedRecord, PlanRequest } from '../forget/plan.ts'
export type { GitCopy, Receipt } from '../forget/receipt.ts'
export type { ForgetRequest } from '../forget/request.ts'
export type { ForkContext, ForkMessage, ForkRequest, ForkText, ForkToolCall, ForkTurn } from '../fork/fork-context.ts'
export type { ForkedSession, ForkHarness, ForkSessionRequest } from '../fork/native/forked-session.ts'
export type { ReviewRequest } from '../graph/candidate-list.ts'
export type {
  CandidateList,
  EntityAlias,
  EntityList,
  EntityPart,
  EntitySummary,
  MergeCandidate,
  ShownEntity,
} from '../graph/entity-answers.ts'
export type { FoundEntity } from '../graph/find-entity.ts'
export type { EntitiesRequest } from '../graph/list-entities.ts'
export type { Place } from '../graph/read/cite.ts'
export type { Why } from '../graph/read/judge.ts'
export type { Mention, MentioningEpisode } from '../graph/read/mentions.ts'
export type { Named } from '../graph/read/names.ts'
export type { Neighbour, Step } from '../graph/read/neighbours.ts'
export type { Citation, Synthesis, SynthesizedStatement } from '../graph/read/synthesize.ts'
export type { IndexReport, IndexStatusRow } from '../index/index-report.ts'
export type { Adapter, Checkpoint, DiscoverOptions, DocumentRecord, ReadItem, SourceUnit, UnitReader } from '../ingest/adapter.ts'
export type { ValidationResult } from '../ingest/capture/validate-session-file.ts'
export type { AdapterReport, SyncReport } from '../ingest/sync-report.ts'
export type { AnalysisTypeInfo } from '../jobs/analysis-types.ts'
export type { AnalyzeOptions, AnalyzeReport } from '../jobs/analyze.ts'
export type { EpisodesReport, RebuildEpisodesOptions } from '../jobs/episodes.ts'
export type { ExportQmdOptions, IndexOptions, JobHooks, SyncOptions } from '../jobs/options.ts'
export type { RebuildOptions, RebuildReport } from '../jobs/rebuild.ts'
export type { RelationRequest, RememberRequest } from '../jobs/remember-request.ts'
export type { WatchedPlace, WatchOptions } from '../jobs/watch.ts'
export type { WriteOptions, WriteReport } from '../jobs/write.ts'
export type { WrittenSession } from '../jobs/write-session.ts'
export type {
  AgentRecord,
  CallRecord,
  HeadRecord,
  LinkRecord,
  MessageKind,
  MessageRecord,
  SessionRecord,
  TitleRank,
  TitleRecord,
  ToolCallPart,
  ToolResultPart,
  TurnRecord,
} from '../ledgers/agent-record.ts'
export type { EventPerson, EventRecord, OneEventRecord, SeriesPartRecord, ThreadRecord } from '../ledgers/event-record.ts'
export type { DecisionVerdict } from '../ledgers/owner-verdicts.ts'
export type { ContactRecord } from '../ledgers/people/contacts-writer.ts'
export type { ListedProject } from '../ledgers/projects/list-projects.ts'
export type { ProjectPair } from '../ledgers/projects/project-decisions.ts'
export type { RememberedStatus } from '../ledgers/remembered.ts'
export type { AgentStatus } from '../operations/agent-status.ts'
export type { BackupOptions, BackupReport } from '../operations/backup.ts'
export type { ExportOptions, ExportReport } from '../operations/export-all.ts'
export type { ExportedFile, ExportManifest } from '../operations/export-manifest.ts'
export type { ExportedSession, SessionExportReport, SessionFormat } from '../operations/export-session/export-session.ts'
export type { QmdReport } from '../operations/qmd-export.ts'
export type { LostRows, RepairOptions, RepairPlan, RepairReport } from '../operations/repair.ts'
export type { DoctorReport, HealthReport, Metrics, SpendReport, StatusReport, WriterStatus } from '../operations/report.ts'
export type { Holdings, RestoreOptions, RestorePlan, RestoreReport } from '../operations/restore.ts'
export type { TimerState } from '../operations/timer-state.ts'
export type { UninstallItem, UninstallOptions, UninstallReport } from '../operations/uninstall.ts'
export type { HookEvent } from '../roles/hooks/hook-call.ts'
export type { InstalledFile, InstallOptions, InstallReport } from '../roles/install/install.ts'
export type { ProjectCardAnswer, ProjectCardLine } from '../roles/reader/project-card.ts'
export type { BriefAnswer, ReadAnswer, ReadPiece } from '../roles/reader/reader.ts'
export type { SkillRole } from '../roles/skills/skill-texts.ts'
export type { SkillFile, SkillsReport } from '../roles/skills/write-skills.ts'
export type { AgentRun } from '../roles/writer/agent/agent-runs.ts'
export type { WriterTaskKind } from '../roles/writer/writer-task.ts'
export type { FilesAnswer, FilesRequest, TouchedFile } from '../search/files.ts'
export type { KnownLine } from '../search/known/known-line.ts'
export type { DoneLine, LeftOffAnswer, LeftOffSession, LeftOffState } from '../search/left-off-answer.ts'
export type { MemoryGetAnswer, MemoryGetRequest } from '../search/memory-get.ts'
export type { MemoryHit, MemorySearchAnswer, MemorySearchRequest } from '../search/memory-search.ts'
export { type AnswerWithHits, MOST_OF_EACH, mostRelevant, type ScoredHit } from '../search/most-relevant.ts'
export type { NamedTimes, UnderstoodTime } from '../search/named-times.ts'
export type { PersonalSetting } from '../search/personal-scope.ts'
export type {
  Correction,
  History,
  LeftOut,
  Listed,
  MoreWork,
  PhrasingReport,
  SearchAnswer,
  SearchFilters,
  SearchGroup,
  SearchRequest,
  SearchResult,
  SupersededBy,
  TakenBack,
} from '../search/result.ts'
export type { Question } from '../search/search-each.ts'
export type { SessionHit, SessionSearchAnswer, SessionSearchRequest } from '../search/session-search.ts'
export type { SourceDatabase } from '../store/source-database.ts'
export type { ReadOnlyReason } from '../store/store.ts'
export type { FileAction, ToolIndexing } from '../store/work.ts'
export type { DecisionsText } from './agent-decisions.ts'
export type { EntityText } from './agent-entity.ts'
export type { ProjectText } from './agent-project.ts'
export type { AgentReading, AgentReadings, FailedReading, Reader, ReadRequest } from './agent-read.ts'
export type { ListOptions, Outline, OutlineOptions } from './agent-sessions.ts'
export type { AgentAnswer, AgentHit, DocumentOptions, Hints } from './agent-text.ts'
export type { Later } from './agent-texts.ts'
export {
  decisionsForAgent,
  documentForAgent,
  entityForAgent,
  fixForAgent,
  forgetPlanForAgent,
  historyText,
  howForAgent,
  outlineForAgent,
  projectForAgent,
  readForAgent,
  readSeveralForAgent,
  searchesForAgent,
  searchForAgent,
  sessionsForAgent,
  timelineForAgent,
  whyText,
} from './agent-texts.ts'
export type { TimelineOptions, TimelineText } from './agent-timeline.ts'
export type { WhyText, WhyTextOptions } from './agent-why.ts'
export type { DossierAnswer, DossierRequest, DossierText, MnemonicDossiers } from './dossier-calls.ts'
export type { FixOptions, MnemonicFixes } from './fix-calls.ts'
export type { Forking, WriteForkRequest, WrittenFork } from './fork-calls.ts'
export type { HookAnswer, HookRequest, HookTest, HookTestRequest } from './hook-request.ts'
export type { FirstHit, HarnessState, InitPlan, MnemonicInstalling, PlannedSource } from './install-calls.ts'
export type * from './mnemonic.ts'
export { answerHook, copySamples, openMnemonic } from './open-mnemonic.ts'
export type { MnemonicReader, ReadBriefRequest, ReadPromptRequest } from './prompt-reader.ts'
export type { MnemonicRemembering, RememberAnswer, RememberedList, RememberedRequest, ShownRemembered } from './remember-calls.ts'
export type { MnemonicSkills, SkillsRequest } from './skill-calls.ts'
export type { EntityRequest, FindEntitiesOptions, RelatedEntities, RelatedEntitiesRequest, Understanding } from './understanding.ts'
