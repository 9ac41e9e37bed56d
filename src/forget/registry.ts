/**
 * The complete list of places with personal content: table columns and folders. A test fails if a table is missing. The full-text index is
 * listed with its engine.
 */

/** ledger: kept out by tombstones, removed by src/ledgers; derived: removed and rebuilt; operations: removed or blanked. */
export type Holder =
  | { readonly kind: 'ledger' | 'derived' | 'operations'; readonly columns: readonly string[]; readonly removal: string }
  | { readonly kind: 'none'; readonly because: string }

const none = (because: string): Holder => ({ kind: 'none', because })
const holds = (kind: 'ledger' | 'derived' | 'operations', removal: string, columns: string): Holder => ({
  ...{ kind, removal },
  columns: columns.split(' '),
})

export const TABLES: Readonly<Record<string, Holder>> = {
  agent_sessions: holds(
    'ledger',
    'the session, its title, or the one value',
    'id native_id title own_title source_title label session_key model project project_name repository repository_seen workspace_path parent_native_id tool_call_id task_description task_status force_mode conversation_state context_json raw_json',
  ),
  agent_messages: holds(
    'ledger',
    'the message, or the one value beside its text',
    'id native_id content speaker model checkpoint_id context_json cursor_rules_json metadata_json',
  ),
  agent_records: holds('ledger', 'the record’s name', 'native_id'),
  agent_turns: holds(
    'ledger',
    'made again from what is left of its messages; what an analysis said of it is blanked; or the one value',
    'id model provider label summary topics',
  ),
  agent_tool_calls: holds('ledger', 'parameters or result, emptied', 'id native_id tool_name params_json result_json child_native_id'),
  agent_session_history: none('ids of turns, and is removed with them'),
  agent_compactions: holds('ledger', 'the message that it is', 'id summary trigger metadata_json'),
  agent_pending_titles: holds(
    'ledger',
    'the title; that of a forgotten message, and those of the file of a forgotten session, too; the path gets another name',
    'leaf_native_id title unit',
  ),
  agent_threads: none('a view over sessions and turns'),
  threads: holds('ledger', 'the name, or the one value', 'id name metadata_json'),
  events: holds('ledger', 'the event, or the one value', 'id source_id content speaker reply_to metadata_json'),
  event_people: holds('ledger', 'removed with its event, or the one value', 'event_id handle name'),
  contacts: holds('ledger', 'the name', 'handle unit name card'),
  series_parts: holds('ledger', 'the part, or the one value', 'series part thread_id version body_json'),

  episodes: holds('derived', 'the episode, with its analyses', 'summary thread_id first_event_id last_event_id'),
  episode_events: none('a view over episodes and what they are made of'),
  episode_members: none('ids of events, and is removed with the episode'),
  episode_sessions_waiting: none('ids of sessions, and is removed with them'),
  episode_waiting: none('ids of threads and times; emptied by the next sync'),
  derived_sources: none('ids, and is removed with its event, which goes with the message that says it'),
  decisions: holds('derived', 'removed with its event', 'event_id scope message'),
  decision_terms: holds('derived', 'removed with its event', 'event_id term'),
  decision_links: none('ids of decisions, and is removed with them'),
  decisions_waiting: none('ids of events, and is removed with them'),
  derived_waiting: none('ids of sessions and episodes, and is removed with them'),
  mail_waiting: none('ids of events, and is removed with them; emptied by the next sync'),
  episode_definitions: none('rules of ours'),
  analysis_types: none('prompts of ours and of the owner'),
  analysis_runs: holds('derived', 'the run, with its facets', 'output_text error_message note'),
  project_facts: holds(
    'derived',
    'the fact; removed with the message or call that says it, and taken again from what is left of it',
    'id session_id message_id call_id key value detail_json',
  ),
  fact_waiting: none('ids of calls and messages, and is removed with them'),
  command_runs: none('hashes, and is removed with the call'),
  failures: holds(
    'derived',
    'the row; all of a session go with a call or message that they are made of, and are followed again from what is left',
    'call_id session_id tool program line shown fix_json solved_call why_message',
  ),
  failure_waiting: none('ids of sessions, and is removed with them'),
  session_commits: holds('derived', 'the row', 'session_id hash'),
  analysis_waiting: none('ids of episodes, and is removed with them'),
  facets: holds('derived', 'the facet', 'value metadata_json'),
  embedding_configs: none('names of models'),
  embeddings: none('vectors; removed with the last chunk of their text'),
  entities: holds('derived', 'the entity, with its aliases, observations and mentions', 'name key rank metadata_json'),
  entity_aliases: holds('derived', 'the alias', 'value normalized rank'),
  relationships: holds('derived', 'the observation', 'fact target_literal'),
  remembered_waiting: none('ids of events, and is removed with them'),
  merge_candidates: holds('derived', 'the candidate', 'evidence_json'),
  graph_waiting: none('ids of entities, and is removed with them'),
  graph_decisions: none('ids, and is removed with the event of the owner that says it'),
  graph_owner_aliases: holds('derived', 'removed with the event of the owner that says it', 'value normalized'),
  graph_types: none('ids and names of types, and is removed with the event of the owner that says it'),
  graph_splits: holds('derived', 'removed with the event of the owner that says it', 'part_key'),
  episode_entity_mentions: none('ids, and is removed with episode and entity'),
  episode_relationship_mentions: none('ids, and is removed with episode and observation'),
  discussions: holds('derived', 'removed with the documents of the unit; taken again from what is left', 'unit'),
  discussion_terms: holds('derived', 'the term; removed with the documents of the unit too', 'unit term shown'),
  discussion_waiting: holds('operations', 'the row', 'unit'),
  pattern_events: none('ids, and is removed with event and observation; the pattern is counted again'),
  pattern_waiting: none('ids of entities, and is removed with them'),
  chunk_context_waiting: none('ids of messages, until the index has looked'),
  index_words: none('names of ours: versions, kinds, personas'),
  index_sessions: holds('derived', 'removed with the documents of the session, which are made again', 'id folder'),
  index_files: none('what the view files shows'),
  index_chunks: none('what the view chunks shows'),
  index_events: none('ids of events, and is removed with the chunk'),
  work_names: holds('derived', 'removed with the last call that it names; the session is indexed again', 'name'),
  work_calls: none('what the view work shows'),
  work_files: none('numbers, and is removed with the call'),
  work_waiting: none('ids of sessions, and is removed with them'),
  work: holds(
    'derived',
    'removed with the call of the ledger, or when that changes; made again from what is left of it',
    'call_id session_id tool',
  ),
  vectors: none('what the view embeddings shows'),
  vector_owners: none('ids, and is removed with the vector'),
  extractions: none('what the view extraction_cache shows'),
  files: holds('derived', 'the document leaves the index; one of a session is made again', 'path shortened'),
  chunks: holds(
    'derived',
    'removed with its document',
    'path speakers message_ids said_user said_assistant user_label assistant_label extra_terms context topic_tags',
  ),
  chunk_signs: none('bits of vectors, and is removed with the chunk'),
  token_bits: none('bits of the tokens of a vector, and is removed with it'),
  chunk_shadow: none('bits of vectors, and is removed with the chunk'),
  chunk_sign_changes: none('numbers of chunks'),
  session_chunks: none('a view over chunks'),
  session_embeddings: none('a view over chunks'),
  extraction_cache: holds('derived', 'the row; those of removed chunks too', 'value_json'),
  index_state: holds('derived', 'made again', 'file_path'),
  documents: holds('derived', 'the row is removed with its file, or with the document that is forgotten', 'path session_id text'),

  meta: holds('operations', 'the value', 'value'),
  sync_state: holds(
    'operations',
    'the path gets another name; what the adapter carries for it, or for its session, is dropped',
    'path carry_json session_id',
  ),
  quarantine: holds('operations', 'the path gets another name; the reason is removed', 'path reasons_json'),
  format_drift: holds('operations', 'the row is removed; those of the files of a forgotten session too', 'path name'),
  jobs: holds('operations', 'the message', 'error_message details_json'),
  artifacts: holds(
    'operations',
    'all files and rows of the session; published again without it',
    'source_path manifest_path session_key project memory_sentence links_json',
  ),
  artifact_journal: holds('operations', 'the row: the publication starts again', 'plan_json session_id'),
  writer_tasks: holds('operations', 'the row; that of a session goes with the session too', 'harness session log error_message'),
  leases: none('processes and hosts'),
  llm_spend: none('names of models, and numbers'),
  llm_answers: holds('derived', 'the answer; removed with any message that it was made of', 'answer_json'),
  llm_answer_messages: none('ids, and is removed with the answer'),
  access_counts: none('ids and numbers, and is removed with what it counts'),
  reader_given: holds(
    'operations',
    'the row; it goes with what it names and with the session that it was given to, too, and after 30 days',
    'harness session id part',
  ),
  search_log: none('numbers; a question is never kept'),
  tombstones: none('keyed hashes; a reason that holds the text is blanked'),
  schema_migrations: none('names of ours'),
}

/** Everything under both roots is scanned, listed or not. */
export const FOLDERS: readonly { readonly root: 'home' | 'workspace'; readonly path: string; readonly removal: string }[] = [
  {
    root: 'home',
    path: 'mnemonic.db',
    removal: 'rows; then the file is rewritten and the log emptied',
  },
  { root: 'home', path: 'config.yaml', removal: 'the owner’s own file: listed, never touched' },
  { root: 'home', path: 'models', removal: 'weights of models: scanned' },
  { root: 'home', path: 'logs', removal: 'a log that holds it is removed' },
  { root: 'home', path: 'qmd', removal: 'exported again' },
  { root: 'home', path: 'answers', removal: 'ids that the numbers of the last answers stand for: removed' },
  { root: 'home', path: 'receipts', removal: 'hold counts, never a text' },
  { root: 'home', path: 'backups', removal: 'opened and cleaned like the database' },
  { root: 'workspace', path: 'memory', removal: 'sets of the session removed and published again without it' },
  { root: 'workspace', path: 'MEMORY.md', removal: 'rendered again' },
  { root: 'workspace', path: 'agents', removal: 'MEMORY.md and LEDGER.md of other agents: rendered again' },
  {
    root: 'workspace',
    path: 'dossiers',
    removal: 'made again, or removed with its subject; one that a person edited is removed where it holds it',
  },
  { root: 'workspace', path: 'howto', removal: 'as dossiers' },
]

/** Rows that forgetting needs: hashes, keys and numbers. */
export const OWN_META: ReadonlySet<string> = new Set([
  'tombstone_key',
  'tombstone_other_keys',
  'tombstone_revision',
  'tombstone_mark',
  'forget_pending',
])
