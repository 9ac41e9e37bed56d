/** A test compares these types with a migrated database. */
import type { Generated } from 'kysely'

export interface AgentSessionsTable {
  id: string
  source: string
  native_id: string
  agent_id: Generated<string>
  label: string
  session_key: string | null
  title: string | null
  title_rank: Generated<number>
  status: Generated<'active' | 'ended' | 'deleted'>
  head_turn_id: string | null
  head_message_id: string | null
  model: string | null
  project: string | null
  workspace_path: string | null
  created_at: number | null
  started_at: number | null
  ended_at: number | null
  last_message_at: number | null
  message_count: Generated<number>
  parent_session_id: string | null
  parent_native_id: string | null
  parent_message_id: string | null
  tool_call_id: string | null
  task_description: string | null
  task_status: string | null
  is_subagent: Generated<number>
  context_token_limit: number | null
  context_tokens_used: number | null
  is_agentic: Generated<number>
  force_mode: string | null
  context_json: string | null
  conversation_state: string | null
  trust: Generated<string>
  first_hash: string | null
  raw_json: string | null
  own_title: string | null
  source_title: string | null
  title_origin: TitleOrigin | null
  names_version: Generated<number>
  repository: string | null
  repository_seen: string | null
  project_name: string | null
}

/** In order of precedence. */
export type TitleOrigin = 'owner' | 'harness' | 'plan' | 'pull_request' | 'commit' | 'prompt'

export interface AgentMessagesTable {
  id: string
  session_id: string
  native_id: string
  turn_id: string | null
  opener_id: string
  parent_id: string | null
  role: 'user' | 'assistant' | 'system' | 'tool'
  kind: string
  content: string | null
  sequence: number
  timestamp: number | null
  speaker: string | null
  trust: string
  model: string | null
  checkpoint_id: string | null
  is_agentic: Generated<number>
  is_plan_execution: Generated<number>
  context_json: string | null
  cursor_rules_json: string | null
  metadata_json: string | null
}

export interface AgentRecordsTable {
  source: string
  native_id: string
  hash: string
  message_id: string
}

export interface AgentTurnsTable {
  id: string
  session_id: string
  parent_turn_id: string | null
  opener_id: string
  sequence: number
  query_message_ids: string
  response_message_id: string | null
  model: string | null
  provider: string | null
  token_count: Generated<number>
  message_count: Generated<number>
  tool_call_count: Generated<number>
  timestamp: number | null
  has_children: Generated<number>
  turn_type: Generated<'normal' | 'compaction'>
  status: Generated<'open' | 'final' | 'superseded'>
  label: string | null
  summary: string | null
  topics: string | null
  entity_ids: string | null
}

export interface AgentToolCallsTable {
  id: string
  native_id: string
  message_id: string | null
  session_id: string
  result_message_id: string | null
  tool_name: string | null
  tool_number: number | null
  params_json: string | null
  result_json: string | null
  status: Generated<string>
  child_session_id: string | null
  child_native_id: string | null
  started_at: number | null
  completed_at: number | null
}

export interface AgentSessionHistoryTable {
  id: Generated<number>
  session_id: string
  thread_id: string
  created_at: number
}

export interface AgentCompactionsTable {
  id: string
  session_id: string
  turn_id: string
  summary: string
  trigger: string | null
  tokens_before: number | null
  timestamp: number | null
  metadata_json: string | null
}

export interface AgentPendingTitlesTable {
  source: string
  leaf_native_id: string
  title: string
  title_rank: number
  unit: string
}

export interface ThreadsTable {
  id: string
  channel: string
  name: string | null
  source_adapter: string
  source_id: string
  parent_thread_id: string | null
  agent_id: Generated<string>
  metadata_json: string | null
  created_at: number
  updated_at: number
}

export interface EventsTable {
  id: string
  timestamp: number
  channel: string
  content_types: string
  content: string | null
  direction: 'sent' | 'received' | 'observed'
  thread_id: string | null
  reply_to: string | null
  source_adapter: string
  source_id: string
  speaker: string | null
  trust: Generated<string>
  agent_id: Generated<string>
  metadata_json: string | null
}

export interface EventPeopleTable {
  event_id: string
  role: 'from' | 'to' | 'cc' | 'bcc' | 'organizer' | 'attendee' | 'member'
  /** Normalized. */
  handle: string
  /** As the event spells it. */
  name: string | null
}

export interface ContactsTable {
  handle: string
  /** Source file, as `sync_state` names it. */
  unit: string
  name: string
  /** Shared by all handles of one contact card. */
  card: string | null
}

export interface SeriesPartsTable {
  series: string
  /** Empty for the rule. */
  part: string
  thread_id: string
  version: string
  ends_at: number
  body_json: string
  revision: number
  agent_id: Generated<string>
}

export interface EpisodeDefinitionsTable {
  id: string
  name: string
  channel: string | null
  strategy: string
  config_json: string
  description: string | null
  created_at: number
  updated_at: number
}

export interface EpisodesTable {
  id: string
  definition_id: string
  channel: string | null
  thread_id: string | null
  agent_id: Generated<string>
  start_time: number
  end_time: number
  event_count: number
  first_event_id: string | null
  last_event_id: string | null
  summary: string | null
  trust: Generated<string>
  created_at: number
  /** Increases with every change of any episode. */
  revision: Generated<number>
}

export interface EpisodeWaitingTable {
  thread_id: string
  first_time: number
  last_time: number
}

export interface DerivedSourcesTable {
  event_id: string
  /** In the agents or the events ledger. */
  message: string
  kind: 'session' | 'episode'
  unit: string
  /** The message it answers, if only that names the subject. */
  answered: string | null
}

/** Decisions and preferences, copied from derived events for their history. */
export interface DecisionsTable {
  event_id: string
  /** Prefix of the id's hash. */
  key: string
  agent_id: string
  type: 'decision' | 'preference_stated'
  /** Project, else thread, else session. One decision replaces another only within it. */
  scope: string
  session_id: string | null
  turn_id: string | null
  message: string
  made_at: number
  trust: string
}

export interface DecisionTermsTable {
  event_id: string
  term: string
  is_name: number
}

export interface DecisionLinksTable {
  earlier_id: string
  later_id: string
  reason: string
}

export interface DecisionsWaitingTable {
  event_id: string
}

export interface DerivedWaitingTable {
  kind: 'session' | 'episode'
  unit: string
}

export interface MailWaitingTable {
  event_id: string
}

export interface EpisodeSessionsWaitingTable {
  session_id: string
  first_sequence: number
}

/** Only episodes of people's events. */
export interface EpisodeMembersTable {
  episode_id: string
  position: number
  event_id: string
}

/** View: the records of every episode. */
export interface EpisodeEventsTable {
  episode_id: string
  event_id: string
  position: number
}

export interface AnalysisTypesTable {
  id: string
  name: string
  version: string
  output_type: string
  facets_config_json: string | null
  prompt_template: string | null
  model: string | null
  created_at: number
  updated_at: number
  /** JSON array of episode definition names. */
  definitions_json: Generated<string>
}

export interface AnalysisRunsTable {
  id: string
  analysis_type_id: string
  episode_id: string
  agent_id: Generated<string>
  status: 'pending' | 'running' | 'completed' | 'failed'
  started_at: number | null
  completed_at: number | null
  output_text: string | null
  error_message: string | null
  content_hash: string | null
  implementation: string | null
  created_at: number
  last_event_id: string | null
  /** Of the analysis type, when it ran. */
  version: string | null
  revision: number | null
  attempts: Generated<number>
  /** The running process, and when another may take the run over. */
  holder: string | null
  held_until: number | null
  /** Requested implementation; `implementation` is the one that answered, `note` says why they differ. */
  asked: string | null
  note: string | null
}

export interface FacetsTable {
  id: string
  analysis_run_id: string
  episode_id: string
  agent_id: Generated<string>
  facet_type: string
  value: string
  person_id: string | null
  confidence: number | null
  trust: Generated<string>
  metadata_json: string | null
  created_at: number
  /** A message of either ledger. */
  message_id: string | null
  /** UTF-16 code units. */
  span_start: number | null
  span_end: number | null
}

export interface EmbeddingConfigsTable {
  id: string
  name: string
  model: string
  dimensions: number
  created_at: number
}

export interface EmbeddingsTable {
  number: Generated<number>
  id: string
  config_id: string
  owner_type: 'chunk' | 'episode' | 'event' | 'entity'
  owner_id: string
  episode_id: string | null
  event_id: string | null
  agent_id: Generated<string>
  content_hash: string
  vector: Buffer
  created_at: number
}

export interface EntitiesTable {
  id: string
  agent_id: Generated<string>
  type: string
  name: string
  canonical_id: string | null
  message_id: string | null
  trust: Generated<string>
  metadata_json: string | null
  created_at: number
  updated_at: number
  run_id: string | null
  /** Identifying key: an address or a name. */
  key: Generated<string>
  rank: Generated<string>
  embed_status: Generated<'waiting' | 'done' | 'failed'>
}

export interface EntityAliasesTable {
  id: string
  agent_id: Generated<string>
  entity_id: string
  alias_type: string
  value: string
  normalized: string
  /** Source: a header field, message text, or the owner. */
  given_by: Generated<'header' | 'text' | 'owner'>
  confidence: Generated<number>
  source_type: Generated<string>
  run_id: string | null
  message_id: string | null
  trust: Generated<string>
  created_at: number
  /** UTF-16 code units. */
  span_start: number | null
  span_end: number | null
  rank: Generated<string>
}

export interface RelationshipsTable {
  id: string
  agent_id: Generated<string>
  subject_id: string
  type: string
  object_id: string | null
  target_literal: string | null
  fact: string
  source_type: 'stated' | 'inferred' | 'imported' | 'owner'
  confidence: number
  valid_at: number | null
  invalid_at: number | null
  created_at: number
  recorded_at: number
  run_id: string | null
  message_id: string | null
  span_start: number | null
  span_end: number | null
  trust: string
  /** For owner statements: the id of the corrected observation or event; `*` if the statement's own words name the error. */
  corrects: string | null
}

export interface RememberedWaitingTable {
  event_id: string
}

export interface MergeCandidatesTable {
  id: string
  agent_id: Generated<string>
  entity_a_id: string
  entity_b_id: string
  confidence: number
  auto_eligible: Generated<number>
  evidence_json: string
  status: Generated<'proposed' | 'merged' | 'rejected' | 'unmerged'>
  decided_by: string | null
  decided_at: number | null
  created_at: number
}

export interface GraphWaitingTable {
  entity_id: string
}

export interface GraphDecisionsTable {
  agent_id: string
  /** The lesser of the two ids. */
  entity_a_id: string
  entity_b_id: string
  decision: 'merge' | 'unmerge' | 'reject'
  /** The surviving entity of a merge. */
  into_id: string | null
  decided_at: number
  event_id: string
}

export interface GraphOwnerAliasesTable {
  event_id: string
  agent_id: string
  entity_id: string
  alias_type: string
  value: string
  normalized: string
  decided_at: number
}

export interface GraphTypesTable {
  entity_id: string
  event_id: string
  agent_id: string
  type: string
  was: string
  decided_at: number
}

/** Mentions that the owner assigned to another entity of the same name. */
export interface GraphSplitsTable {
  event_id: string
  agent_id: string
  entity_id: string
  part_id: string
  part_key: string
  message_id: string
  span_start: number
}

export interface EpisodeEntityMentionsTable {
  episode_id: string
  entity_id: string
  message_id: string
  mention_count: Generated<number>
  agent_id: Generated<string>
  run_id: string
  /** The first mention in the message, in UTF-16 code units. */
  span_start: number
  span_end: number
}

export interface EpisodeRelationshipMentionsTable {
  episode_id: string
  relationship_id: string
  message_id: string
  agent_id: Generated<string>
}

export interface PatternEventsTable {
  relationship_id: string
  event_id: string
  /** 1 supports the habit, 0 contradicts it. */
  supports: number
}

export interface DiscussionsTable {
  /** A session, or the document path of an episode. */
  unit: string
  weight: number
  agent_id: string
}

export interface DiscussionTermsTable {
  unit: string
  term: string
  shown: string
  salience: number
  is_name: number
}

export interface AnalysisWaitingTable {
  episode_id: string
  revision: number
}

/** Commits printed by git in a session; `hash` has seven digits. */
export interface SessionCommitsTable {
  session_id: string
  hash: string
}

export interface DiscussionWaitingTable {
  unit: string
}

export interface PatternWaitingTable {
  entity_id: string
}

/** Queue: messages whose model context changed. */
export interface ChunkContextWaitingTable {
  message_id: string
}

/** A writable view, like ChunksTable, EmbeddingsTable and ExtractionCacheTable, over the index's tables. */
export interface FilesTable {
  id: Generated<number>
  path: string
  source: string
  hash: string
  agent_id: Generated<string>
  session_id: string | null
  turn_id: string | null
  kind: string
  chunk_count: Generated<number>
  identity: string
  updated_at: number
  /** JSON array of native ids of truncated messages. */
  shortened: string | null
}

export interface ChunksTable {
  id: Generated<number>
  path: string
  source: string
  ledger: string
  agent_id: Generated<string>
  session_id: string | null
  turn_id: string | null
  chunk_index: number
  timestamp: number
  speakers: string
  message_ids: string
  said_user: Generated<string>
  said_assistant: Generated<string>
  user_label: Generated<string>
  assistant_label: Generated<string>
  extra_terms: Generated<string>
  context: Generated<string>
  topic_tags: Generated<string>
  has_decision: Generated<number>
  has_action: Generated<number>
  token_count: number
  trust: string
  superseded: Generated<number>
  content_hash: string
  embed_status: Generated<'waiting' | 'done' | 'failed'>
  vector_number: number | null
  created_at: number
}

export interface IndexWordsTable {
  number: Generated<number>
  word: string
}

export interface IndexSessionsTable {
  number: Generated<number>
  id: string
  folder: string | null
}

export interface IndexFilesTable {
  id: Generated<number>
  session: number | null
  turn_id: string | null
  path: string | null
  source: number
  kind: number
  agent: number
  identity: number
  chunk_count: Generated<number>
  updated_at: number
  hash: string | Buffer
  shortened: string | null
}

export interface IndexEventsTable {
  event_id: string
  chunk: number
}

export interface IndexChunksTable {
  id: Generated<number>
  file: number
  session: number | null
  chunk_index: number
  timestamp: number
  agent: number
  superseded: Generated<number>
  has_decision: Generated<number>
  has_action: Generated<number>
  ledger: number
  trust: number
  token_count: number
  vector_number: number | null
  embed_status: Generated<'waiting' | 'done' | 'failed'>
  topic_tags: Generated<string>
  speakers: string
  message_ids: string
  content_hash: string | Buffer
  created_at: number
  user_label: Generated<string>
  assistant_label: Generated<string>
  said_user: Generated<string>
  said_assistant: Generated<string>
  extra_terms: Generated<string>
  context: Generated<string>
}

export interface WorkNamesTable {
  number: Generated<number>
  name: string
}

export interface WorkCallsTable {
  id: Generated<number>
  call: string
  session: number
  agent: number
  tool: number | null
  timestamp: number
  superseded: Generated<number>
  failed: Generated<number>
  shortened: Generated<number>
  identity: number
}

export interface WorkFilesTable {
  path: number
  call: number
  action: 'read' | 'edit' | 'create' | 'delete'
}

export interface ProjectFactsTable {
  id: string
  session_id: string
  message_id: string
  call_id: string | null
  kind: string
  key: string
  value: string
  detail_json: string | null
  at: number | null
  trust: string
}

export interface FactWaitingTable {
  unit: string
  is_call: number
}

/** Outcome of a repeatable command. */
export interface CommandRunsTable {
  call_id: string
  session_id: string
  command: string
  passed: number
  sequence: number
  at: number | null
}

export interface FailuresTable {
  call_id: string
  signature: string
  session_id: string
  rank: number
  sequence: number
  tool: string
  program: string
  command: string
  line: string
  shown: string
  state: 'fixed' | 'form' | 'unchanged' | 'unclear' | 'again' | 'open'
  fix_json: string | null
  solved_call: string | null
  why_message: string | null
  calls: number
  turns: number
  at: number | null
}

/** Queue: sessions whose failures must be followed, from this message on. */
export interface FailureWaitingTable {
  session_id: string
  sequence: number
}

export interface WorkWaitingTable {
  session_id: string
}

export interface WorkTable {
  id: number
  call_id: string
  session_id: string
  agent_id: string
  tool: string | null
  timestamp: number
  superseded: number
  failed: number
  shortened: number
  identity: string
}

export interface VectorsTable {
  number: Generated<number>
  config: number
  hash: string | Buffer
  vector: Buffer
}

export interface VectorOwnersTable {
  number: number
  owner_type: 'chunk' | 'episode' | 'event' | 'entity'
  owner_id: string
  episode_id: string | null
  event_id: string | null
  agent_id: Generated<string>
  created_at: number
}

export interface ExtractionsTable {
  hash: string | Buffer
  extractor: number
  value_json: string
}

export interface ChunkSignsTable {
  chunk_id: Generated<number>
  config_id: string
  bits: Buffer
}

export interface TokenBitsTable {
  /** `vectors.number`. */
  number: Generated<number>
  wanted: number
  /** Bytes; null if not computed yet. */
  size: number | null
  bits: Buffer | null
}

export interface MetaTable {
  key: string
  value: string
}

export interface IndexStateTable {
  session_id: string
  file_path: string
  file_hash: string
  last_indexed: number
  chunk_count: number
  status: 'complete' | 'partial' | 'failed'
}

export interface ExtractionCacheTable {
  content_hash: string
  extractor: string
  value_json: string
}

/** Mirrors files that people wrote or that were published; the files are authoritative. */
export interface DocumentsTable {
  path: string
  kind: 'document' | 'summary' | 'transcript' | 'compaction'
  agent_id: string
  session_id: string | null
  session_token: string | null
  timestamp: number
  /** Increases with every change of any document. */
  revision: number
  hash: string
  text: string
}

export interface SyncStateTable {
  adapter: string
  path: string
  size: number
  mtime_ms: number
  offset: Generated<number>
  tail_hash: string | null
  carry_json: string | null
  records: Generated<number>
  status: 'reading' | 'done' | 'quarantined'
  session_id: string | null
  file_hash: string | null
  reads: Generated<number>
  updated_at: number
}

export interface QuarantineTable {
  adapter: string
  path: string
  code: string
  reasons_json: string
  size: number
  mtime_ms: number
  first_seen: number
  last_seen: number
}

export interface FormatDriftTable {
  adapter: string
  path: string
  name: string
  count: number
  first_seen: number
  last_seen: number
}

export interface JobsTable {
  id: Generated<number>
  kind: string
  status: 'running' | 'done' | 'failed' | 'interrupted'
  agent_id: Generated<string>
  items: Generated<number>
  duration_ms: number | null
  error_code: string | null
  error_message: string | null
  details_json: string | null
  started_at: number
  finished_at: number | null
}

export interface LeasesTable {
  name: string
  owner: string
  pid: number
  host: string
  acquired_at: number
  expires_at: number
  ttl_ms: number | null
  job: string | null
}

export interface LlmSpendTable {
  id: Generated<number>
  day: string
  provider: string
  model: string
  purpose: string
  input_tokens: Generated<number>
  output_tokens: Generated<number>
  cost_usd: Generated<number>
  created_at: number
  calls: Generated<number>
}

export interface LlmAnswersTable {
  key: string
  model: string
  answer_json: string
  created_at: number
}

/** Messages behind an answer; deleting one deletes the answer. */
export interface LlmAnswerMessagesTable {
  answer_key: string
  message_id: string
}

export interface AccessCountsTable {
  kind: 'turn' | 'episode' | 'entity'
  id: string
  agent_id: string
  times: number
  last_at: number
}

export interface ReaderGivenTable {
  agent_id: string
  harness: string
  /** The harness's own session id. */
  session: string
  kind: 'turn' | 'episode' | 'document' | 'decision' | 'failure' | 'command' | 'file'
  id: string
  part: string
  given_at: number
}

export interface SearchLogTable {
  id: Generated<number>
  agent_id: string
  mode: string
  hits: number
  latency_ms: number
  created_at: number
}

export interface ArtifactsTable {
  source_path: string
  source_sha256: string
  source_kind: 'summary' | 'transcript' | 'compaction' | 'manifest'
  agent_id: string
  session_id: string
  session_key: string | null
  session_token: string
  captured_at: number
  membership_ts: number | null
  project: string | null
  memory_sentence: string | null
  memory_sentence_quality: string | null
  manifest_path: string | null
  created_at: number
  updated_at: number
  head_sha256: string | null
  links_json: string | null
}

export interface ArtifactJournalTable {
  key: string
  flow: 'session-end' | 'compaction'
  agent_id: string
  session_id: string
  session_token: string
  captured_at: number
  step: string
  plan_json: string
  started_at: number
  updated_at: number
}

export interface WriterTasksTable {
  kind: 'capture' | 'compaction' | 'publish'
  agent_id: string
  harness: string
  session: string
  log: string | null
  status: 'counting' | 'waiting' | 'failed'
  turns: Generated<number>
  revision: Generated<number>
  attempts: Generated<number>
  queued_at: number
  updated_at: number
  error_code: string | null
  error_message: string | null
}

export interface TombstonesTable {
  id: string
  agent_id: string
  kind: string
  record_hash: string | null
  text_hash: string | null
  session_token: string | null
  removed_at: number
  reason: string
  removed_paths: Generated<string>
}

export interface Tables {
  agent_sessions: AgentSessionsTable
  agent_messages: AgentMessagesTable
  agent_records: AgentRecordsTable
  agent_turns: AgentTurnsTable
  agent_tool_calls: AgentToolCallsTable
  agent_session_history: AgentSessionHistoryTable
  agent_compactions: AgentCompactionsTable
  agent_pending_titles: AgentPendingTitlesTable
  threads: ThreadsTable
  events: EventsTable
  event_people: EventPeopleTable
  contacts: ContactsTable
  series_parts: SeriesPartsTable
  episode_definitions: EpisodeDefinitionsTable
  episodes: EpisodesTable
  episode_events: EpisodeEventsTable
  episode_members: EpisodeMembersTable
  episode_waiting: EpisodeWaitingTable
  derived_sources: DerivedSourcesTable
  derived_waiting: DerivedWaitingTable
  decisions: DecisionsTable
  decision_terms: DecisionTermsTable
  decision_links: DecisionLinksTable
  decisions_waiting: DecisionsWaitingTable
  episode_sessions_waiting: EpisodeSessionsWaitingTable
  mail_waiting: MailWaitingTable
  analysis_types: AnalysisTypesTable
  analysis_runs: AnalysisRunsTable
  analysis_waiting: AnalysisWaitingTable
  facets: FacetsTable
  embedding_configs: EmbeddingConfigsTable
  embeddings: EmbeddingsTable
  entities: EntitiesTable
  entity_aliases: EntityAliasesTable
  relationships: RelationshipsTable
  remembered_waiting: RememberedWaitingTable
  merge_candidates: MergeCandidatesTable
  graph_waiting: GraphWaitingTable
  graph_decisions: GraphDecisionsTable
  graph_owner_aliases: GraphOwnerAliasesTable
  graph_types: GraphTypesTable
  graph_splits: GraphSplitsTable
  episode_entity_mentions: EpisodeEntityMentionsTable
  discussions: DiscussionsTable
  discussion_terms: DiscussionTermsTable
  discussion_waiting: DiscussionWaitingTable
  session_commits: SessionCommitsTable
  pattern_events: PatternEventsTable
  pattern_waiting: PatternWaitingTable
  chunk_context_waiting: ChunkContextWaitingTable
  episode_relationship_mentions: EpisodeRelationshipMentionsTable
  files: FilesTable
  index_words: IndexWordsTable
  index_sessions: IndexSessionsTable
  index_files: IndexFilesTable
  index_events: IndexEventsTable
  index_chunks: IndexChunksTable
  work_names: WorkNamesTable
  work_calls: WorkCallsTable
  work_files: WorkFilesTable
  work_waiting: WorkWaitingTable
  project_facts: ProjectFactsTable
  fact_waiting: FactWaitingTable
  command_runs: CommandRunsTable
  failures: FailuresTable
  failure_waiting: FailureWaitingTable
  work: WorkTable
  vectors: VectorsTable
  vector_owners: VectorOwnersTable
  extractions: ExtractionsTable
  chunks: ChunksTable
  chunk_signs: ChunkSignsTable
  token_bits: TokenBitsTable
  meta: MetaTable
  index_state: IndexStateTable
  extraction_cache: ExtractionCacheTable
  documents: DocumentsTable
  sync_state: SyncStateTable
  quarantine: QuarantineTable
  format_drift: FormatDriftTable
  jobs: JobsTable
  leases: LeasesTable
  llm_spend: LlmSpendTable
  llm_answers: LlmAnswersTable
  llm_answer_messages: LlmAnswerMessagesTable
  search_log: SearchLogTable
  access_counts: AccessCountsTable
  reader_given: ReaderGivenTable
  artifacts: ArtifactsTable
  artifact_journal: ArtifactJournalTable
  writer_tasks: WriterTasksTable
  tombstones: TombstonesTable
}
