import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { tempStore } from '../../test/helpers/store.ts'
import { FOLDERS, TABLES } from './registry.ts'
import { LEDGER_FINDERS } from './select/text-in-ledgers.ts'
import { OTHER_FINDERS } from './select/text-in-other-tables.ts'

/** Columns without personal content, so that every new column is noticed. Others belong in src/forget/registry.ts. */
const SAY_NOTHING: Readonly<Record<string, string>> = {
  access_counts: 'kind id agent_id',
  agent_compactions: 'session_id turn_id',
  agent_messages: 'session_id turn_id opener_id parent_id role kind trust',
  agent_pending_titles: 'source',
  agent_records: 'source hash message_id',
  agent_session_history: 'session_id thread_id',
  agent_sessions: 'source agent_id status head_turn_id parent_session_id parent_message_id trust first_hash head_message_id title_origin',
  agent_threads: 'turn_id session_id ancestry',
  agent_tool_calls: 'message_id session_id result_message_id status child_session_id',
  agent_turns: 'session_id parent_turn_id opener_id query_message_ids response_message_id model provider turn_type status entity_ids',
  analysis_runs: 'id analysis_type_id episode_id agent_id status content_hash implementation last_event_id version holder asked',
  analysis_types: 'id name version output_type facets_config_json prompt_template model definitions_json',
  artifact_journal: 'key flow agent_id session_token step',
  artifacts: 'source_sha256 source_kind agent_id session_id session_token memory_sentence_quality head_sha256',
  chunk_context_waiting: 'message_id',
  chunk_shadow: 'status bits',
  chunk_signs: 'config_id bits',
  chunks: 'source ledger agent_id session_id turn_id trust content_hash embed_status',
  decision_links: 'earlier_id later_id reason',
  decisions: 'key agent_id type session_id turn_id trust',
  decisions_waiting: 'event_id',
  derived_sources: 'event_id message kind unit answered',
  derived_waiting: 'kind unit',
  discussions: 'agent_id',
  documents: 'kind agent_id session_token hash',
  embedding_configs: 'id name model',
  embeddings: 'id config_id owner_type owner_id episode_id event_id agent_id content_hash vector created_at',
  entities: 'id agent_id type canonical_id message_id trust run_id embed_status',
  entity_aliases: 'id agent_id entity_id alias_type given_by source_type run_id message_id trust',
  episode_definitions: 'id name channel strategy config_json description',
  episode_entity_mentions: 'episode_id entity_id message_id run_id agent_id',
  episode_events: 'episode_id event_id',
  episode_members: 'episode_id event_id',
  episode_relationship_mentions: 'episode_id relationship_id message_id agent_id',
  episode_sessions_waiting: 'session_id',
  analysis_waiting: 'episode_id',
  episode_waiting: 'thread_id',
  episodes: 'id definition_id channel agent_id trust',
  event_people: 'role',
  events: 'channel content_types direction thread_id source_adapter trust agent_id',
  extraction_cache: 'content_hash extractor',
  extractions: 'hash value_json',
  facets: 'id analysis_run_id episode_id agent_id facet_type person_id trust message_id',
  files: 'source hash agent_id session_id turn_id kind identity',
  format_drift: 'adapter',
  graph_decisions: 'agent_id entity_a_id entity_b_id decision into_id event_id',
  graph_owner_aliases: 'event_id agent_id entity_id alias_type',
  graph_splits: 'event_id agent_id entity_id part_id message_id',
  graph_types: 'entity_id event_id agent_id type was',
  graph_waiting: 'entity_id',
  index_chunks:
    'embed_status topic_tags speakers message_ids content_hash user_label assistant_label said_user said_assistant extra_terms context',
  index_events: 'event_id',
  index_files: 'turn_id path hash shortened',
  index_state: 'session_id file_hash status',
  index_words: 'word',
  jobs: 'kind status agent_id error_code',
  leases: 'name owner host job',
  llm_answer_messages: 'answer_key message_id',
  llm_answers: 'key model',
  llm_spend: 'day provider model purpose',
  mail_waiting: 'event_id',
  merge_candidates: 'id agent_id entity_a_id entity_b_id status decided_by',
  meta: 'key',
  pattern_events: 'relationship_id event_id',
  pattern_waiting: 'entity_id',
  project_facts: 'kind trust',
  fact_waiting: 'unit',
  command_runs: 'call_id session_id command',
  failures: 'signature command state',
  failure_waiting: 'session_id',
  quarantine: 'adapter code',
  reader_given: 'agent_id kind',
  relationships: 'id agent_id subject_id type object_id source_type run_id message_id trust corrects',
  remembered_waiting: 'event_id',
  schema_migrations: 'name',
  search_log: 'agent_id mode',
  series_parts: 'agent_id',
  session_chunks: 'session_id timestamp speakers topic_tags content context_content embedding created_at',
  session_embeddings: 'embedding',
  sync_state: 'adapter tail_hash status file_hash',
  threads: 'channel source_adapter source_id parent_thread_id agent_id',
  token_bits: 'bits',
  tombstones: 'id agent_id kind record_hash text_hash session_token reason removed_paths',
  vector_owners: 'owner_type owner_id episode_id event_id agent_id',
  vectors: 'hash vector',
  work: 'agent_id identity',
  work_calls: 'call',
  work_files: 'action',
  work_waiting: 'session_id',
  writer_tasks: 'kind agent_id status error_code',
}

it('every table and view of the schema is registered, and nothing else', async () => {
  const store = await tempStore()
  const names = (await store.tables()).map(({ name }) => name)
  const known = Object.keys(TABLES)
  expect(
    names.filter((name) => !known.includes(name)),
    'register these in src/forget/registry.ts',
  ).toEqual([])
  expect(
    known.filter((name) => !names.includes(name)),
    'these exist no more',
  ).toEqual([])
})

it('every column of every table that can hold a text is registered, or is known to say nothing', async () => {
  const store = await tempStore()
  for (const { name, columns } of await store.tables()) {
    const holder = TABLES[name]
    if (holder === undefined || holder.kind === 'none') continue
    for (const column of holder.columns) expect(columns, `${name}.${column}`).toContain(column)
  }
  const unknown = await unknownColumns(store.location)
  expect(unknown.missing, 'name these columns in src/forget/registry.ts').toEqual([])
  expect(unknown.vanished, 'these exist no more').toEqual([])
})

it('this test can fail: a new column is noticed, in a table that holds content and in one that holds none, whatever its name', async () => {
  const store = await tempStore()
  const db = new Database(store.location)
  db.exec(
    'alter table search_log add column note_id text; alter table sync_state add column memory_json text; alter table contacts add column reply blob',
  )
  db.close()
  expect((await unknownColumns(store.location)).missing).toEqual(['contacts.reply', 'search_log.note_id', 'sync_state.memory_json'])
})

async function unknownColumns(location: string): Promise<{ missing: string[]; vanished: string[] }> {
  const db = new Database(location, { readonly: true })
  const [missing, there]: [string[], Set<string>] = [[], new Set()]
  for (const name of Object.keys(TABLES)) {
    const holder = TABLES[name]
    const registered = holder === undefined || holder.kind === 'none' ? [] : holder.columns
    const columns = db.prepare('select name, type from pragma_table_info(?)').all(name) as { name: string; type: string }[]
    for (const { name: column, type } of columns) {
      there.add(`${name}.${column}`)
      if (NUMBERS.test(type) || registered.includes(column) || SAY_NOTHING[name]?.split(' ').includes(column)) continue
      missing.push(`${name}.${column}`)
    }
  }
  db.close()
  const listed = Object.entries(SAY_NOTHING).flatMap(([name, columns]) => columns.split(' ').map((column) => `${name}.${column}`))
  return { missing: missing.sort(), vanished: listed.filter((column) => !there.has(column)) }
}

const NUMBERS = /int|real/i

it('for every table that holds content something says what to do with it', () => {
  const holding = Object.entries(TABLES).flatMap(([name, { kind }]) => (kind === 'none' ? [] : [name]))
  expect(Object.keys({ ...LEDGER_FINDERS, ...OTHER_FINDERS }).sort()).toEqual(holding.sort())
  for (const [name, holder] of Object.entries(TABLES)) {
    expect(holder.kind === 'none' ? holder.because : holder.removal, name).not.toBe('')
    if (holder.kind === 'ledger') expect(Object.keys(LEDGER_FINDERS)).toContain(name)
  }
})

it('this test can fail: a migration that adds a table is noticed', async () => {
  const store = await tempStore()
  const db = new Database(store.location)
  db.exec('create table diary (entry text)')
  db.close()
  expect((await store.tables()).map(({ name }) => name).filter((name) => TABLES[name] === undefined)).toEqual(['diary'])
})

it('the folders of home and workspace are registered', () => {
  const paths = FOLDERS.map(({ root, path }) => join(root, path))
  for (const path of [
    'home/mnemonic.db',
    'home/logs',
    'home/models',
    'home/receipts',
    'home/answers',
    'home/qmd',
    'workspace/memory',
    'workspace/MEMORY.md',
  ]) {
    expect(paths).toContain(path)
  }
})
