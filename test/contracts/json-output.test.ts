/** The JSON of every command, key by key, as it is printed; and docs/json-output.md, which must name each of them. */
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sessionEpisodeId } from '../../src/episodes/agent-session.ts'
import { writeExtracted } from '../../src/graph/write-extracted.ts'
import type { SearchAnswer } from '../../src/library/index.ts'
import { openSqlite } from '../../src/store/sqlite/open.ts'
import { found, from, named, observed, peopleOf, runOf, type Told, tell } from '../helpers/graph-story.ts'
import { binaryHome, SAMPLES } from '../helpers/run-binary.ts'
import { seedEntities, seedId, seedMentions, seedObservations } from '../helpers/seed-graph.ts'

const page = readFileSync(new URL('../../docs/json-output.md', import.meta.url), 'utf8')
const home = binaryHome()
const bad = join(home.root, 'bad')
const prompt = join(home.root, 'prompt.txt')
const kept = join(home.root, 'kept.db')

beforeAll(async () => {
  mkdirSync(bad)
  writeFileSync(join(bad, 'bad.jsonl'), 'not json\n')
  writeFileSync(prompt, 'What may go wrong?')
  await home.runHere('sync', '--path', SAMPLES)
})
afterAll(() => home.remove())

const REPORT = [
  'bytes_read',
  'duration_ms',
  'found',
  'ignored',
  'imported',
  'quarantined',
  'records',
  'removed',
  'repeated',
  'skipped_lines',
  'unchanged',
  'warnings',
]
const EPISODE = [
  ...[
    'channel',
    'closed',
    'definition',
    'end',
    'end_date',
    'episode_id',
    'event_count',
    'first_words',
    'people',
    'start',
    'start_date',
    'status',
    'strategy',
    'thread_id',
    'thread_name',
  ],
  'trust',
]
const INSTALLED = [
  'reports',
  ...under('reports[]', ['changed', 'commands', 'dry_run', 'files', 'name', 'notes', 'title']),
  ...under('reports[].files[]', ['backup', 'change', 'diff', 'path', 'what']),
]
const TYPE = [
  ...['built_in', 'definitions', 'implementation', 'name', 'output_type', 'runs', 'version'],
  ...under('runs', ['completed', 'failed', 'pending', 'running']),
]
const ENTITY = [...['agent_id', 'first_seen', 'id', 'known_by', 'last_seen', 'mentions', 'name', 'observations', 'parts', 'trust', 'type']]
const ANALYZED = [
  ...['dry_run', 'left', 'stopped', 'totals', 'types', 'waiting', 'warnings'],
  ...under('totals', ['completed', 'facets', 'failed', 'fallbacks']),
]
const WAITING = [
  ...under('waiting[]', ['episodes', 'estimate', 'implementation', 'type']),
  ...under('waiting[].estimate', ['calls', 'tokens', 'usd']),
]
const CONFIG = under('definitions[].config', ['gap_seconds', 'scope'])
const SESSION = [
  'harness',
  'id',
  'is_subagent',
  'label',
  'last_message_at',
  'message_count',
  'model',
  'models',
  'parent_session_id',
  'project',
  'session_id',
  'source',
  'started_at',
  'status',
  'title',
  'title_origin',
  'about',
  'project_name',
  'token_count',
  'tool_call_count',
  'turn_count',
  'usage',
  'usage.cache_read_tokens',
  'usage.cache_write_tokens',
  'usage.input_tokens',
  'usage.output_tokens',
  'usage.reasoning_tokens',
  'workspace_path',
]
const RESULT = [
  'channel',
  'content',
  'context',
  'excerpt',
  'harness',
  'has_decision',
  'id',
  'kind',
  'ledger',
  'matched',
  'message_ids',
  'path',
  'people',
  'project',
  'relevance_score',
  'session_id',
  'session_title',
  'project_name',
  'source',
  'speakers',
  'thread_id',
  'timestamp',
  'topics',
  'trust',
  'turn_id',
]
const LEFT_OFF = [
  ...['branch', 'project', 'sessions', 'state', 'text', 'time', 'timezone', 'tokens'],
  ...under('sessions[]', ['branch', 'folder', 'harness', 'id', 'last_message_at', 'session_id', 'title']),
  ...under('state', ['done', 'failing', 'interrupted', 'next', 'question', 'turn', 'turn_id', 'uncommitted']),
  ...under('state.done[]', ['asked', 'deed', 'told']),
  ...under('state.uncommitted', ['by', 'count', 'files']),
]
const ROUTED = [
  ...[
    'harness',
    'id',
    'instead',
    'last_message_at',
    'not_resumable',
    'project',
    'project_name',
    'resume',
    'score',
    'session_id',
    'stale',
    'stale_total',
  ],
  ...['status', 'title', 'why'],
]
/** Of `decisions`. */
const DECISION = [
  'about',
  'channel',
  'cite',
  'confidence',
  'decided_at',
  'event_id',
  'id',
  'message_id',
  'native_message_id',
  'project',
  'rule',
  'said',
  'session_id',
  'span',
  'speaker',
  'status',
  'subject',
  'superseded_by',
  'text',
  'title',
  'trust',
  'turn_id',
  'type',
  'words',
]

const SEARCH = [
  'corrections',
  'groups',
  'last_sync',
  'matched',
  'mode',
  'more',
  'queries',
  'query',
  'results',
  ...under('groups[]', [
    ...[
      'channel',
      'discussion',
      'harness',
      'hits',
      'id',
      'more',
      'people',
      'project',
      'project_name',
      'session_id',
      'thread_id',
      'timestamp',
      'title',
    ],
  ]),
  ...under('mode', ['model', 'realized', 'requested']),
  ...under('results[]', RESULT),
]
const KNOWN = ['known', ...under('known[]', ['citations', 'entity_id', 'name', 'text', 'trust', 'type'])]
const SYNC = [
  'adapters',
  'newly_failed_chunks',
  'published',
  'totals',
  ...under('adapters[]', ['name', ...REPORT]),
  ...under('totals', REPORT),
]
const HOLDINGS = ['events', 'last_message_at', 'messages', 'sessions']
const AGENTS = ['compactions', 'messages', 'sessions', 'subagents', 'tool_calls', 'turns']
const MESSAGE = ['kind', 'message_id', 'role', 'speaker', 'text', 'timestamp', 'tool_calls', 'trust']
const CALL = ['child_session_id', 'params', 'result', 'status', 'tool', 'tool_call_id']
const TURN = ['id', 'messages', 'model', 'parent_turn_id', 'status', 'timestamp', 'token_count', 'turn_id', 'turn_type']

const RELATED = ['channel', 'episode_id', 'from', 'id', 'project_name', 'score', 'session_id', 'shared', 'title', 'to']
const RENDERED = ['agent_id', 'clipped', 'path', 'rows', 'status', 'warnings']
const REINDEXED = ['checked', 'fenced', 'problems', 'removed', 'repaired']

interface Contract {
  readonly section: string
  readonly argv: readonly string[]
  readonly keys: readonly string[]
  readonly code?: number
}

const CONTRACTS: readonly Contract[] = [
  // Before anything is published: publishing makes the sentences itself.
  {
    section: 'analyze',
    argv: ['analyze', '--type', 'memory_sentence_v1'],
    keys: [...[...ANALYZED, ...WAITING], ...under('types[]', ['completed', 'facets', 'failed', 'fallbacks', 'implementation', 'type'])],
  },
  { section: 'sync', argv: ['sync', '--path', SAMPLES], keys: SYNC },
  {
    section: 'search',
    argv: ['search', 'lease'],
    keys: [...SEARCH, 'results[].superseded_by', ...under('results[].superseded_by', ['cite', 'decided_at', 'event_id', 'id', 'text'])],
  },
  {
    section: 'search',
    argv: ['search', 'what does Quill use for images now?'],
    keys: [...SEARCH, ...KNOWN],
  },
  {
    section: 'read',
    argv: ['read', '--explain', 'what does Quill use for images now?'],
    keys: [
      ...['known', 'left', 'mode', 'needed', 'phrasings', 'pieces', 'reason', 'scope', 'text', 'tokens'],
      ...under('known[]', ['citations', 'entity_id', 'name', 'text', 'trust', 'type']),
      ...under('left[]', ['citation', 'why']),
      ...under('pieces[]', ['citation', 'date', 'kind', 'project', 'text', 'title', 'tokens', 'trust', 'why']),
    ],
  },
  {
    section: 'sources',
    argv: ['sources'],
    keys: [
      'sources',
      ...under('sources[]', ['available', 'bytes', 'enabled', 'kind', 'name', 'oldest_waiting', 'places', 'retention']),
      ...under('sources[]', ['units', 'unknown', 'waiting', 'warnings']),
      ...under('sources[].places[]', ['exists', 'path']),
      ...under('sources[].retention', ['days', 'path', 'setting']),
      'timer',
      ...under('timer', ['installed', 'last_sync', 'running']),
    ],
  },
  { section: 'sources', argv: ['sources', 'enable', 'chatgpt'], keys: ['changed', 'config', 'enabled', 'name'] },
  { section: 'sources', argv: ['sources', 'disable', 'chatgpt'], keys: ['changed', 'config', 'enabled', 'name'] },
  {
    section: 'files',
    argv: ['files'],
    keys: [
      ...['files', 'total'],
      ...under('files[]', ['created', 'deleted', 'edited', 'file', 'first_at', 'harness', 'id', 'last_at', 'path', 'project', 'read']),
      ...under('files[]', ['session_id', 'session_title']),
    ],
  },
  {
    section: 'topics',
    argv: ['topics'],
    keys: ['topics', 'total', ...under('topics[]', ['conversations', 'count', 'first_at', 'last_at', 'topic'])],
  },
  {
    section: 'secrets',
    argv: ['secrets'],
    keys: [
      ...['different', 'kinds', 'secrets', 'total', ...under('kinds[]', ['count', 'kind'])],
      ...under('secrets[]', ['at', 'fingerprint', 'id', 'kind', 'message_id', 'path', 'place', 'project', 'session_id', 'source', 'tool']),
    ],
  },
  { section: 'episodes', argv: ['episodes'], keys: ['episodes', 'timezone', 'total', ...under('episodes[]', EPISODE)] },
  {
    section: 'episodes',
    argv: ['episodes', sessionEpisodeId('claude-code:c462ede4-9ca6-4e6a-8ffd-902d7a9e3981')],
    keys: [
      ...['episode', 'events', 'timezone', 'total', ...under('episode', EPISODE)],
      ...under('events[]', ['direction', 'event_id', 'speaker', 'text', 'timestamp', 'trust']),
    ],
  },
  { section: 'entities', argv: ['entities'], keys: ['entities', 'left_out', 'total', ...under('entities[]', ENTITY)] },
  {
    section: 'projects',
    argv: ['projects'],
    keys: ['projects', 'total', ...under('projects[]', ['folders', 'key', 'last', 'merged', 'name', 'sessions'])],
  },
  {
    section: 'project',
    argv: ['project', 'lantern'],
    keys: [
      ...['project', 'sections', ...under('project', ['first', 'key', 'last', 'name', 'sessions'])],
      ...under('sections[]', ['lines', 'title']),
      ...under('sections[].lines[]', ['at', 'id', 'label', 'sessions', 'text', 'trust']),
    ],
  },
  {
    section: 'how',
    argv: ['how', 'tests', '--project', 'lantern'],
    keys: [
      'failed',
      'passed',
      'tasks',
      'what',
      ...under('passed[]', ['command', 'environment', 'failed', 'flags', 'folder', 'id', 'last', 'passed', 'purpose', 'sessions']),
    ],
  },
  {
    section: 'fix',
    argv: ['fix', 'no such error'],
    keys: ['errors', 'matched', 'occurrences', 'total', ...under('errors[]', ['line', 'signature'])],
  },
  { section: 'friction', argv: ['friction'], keys: ['friction', 'total'] },
  { section: 'entities', argv: ['entities', 'review'], keys: ['candidates', 'total'] },
  {
    section: 'fork',
    argv: ['fork', '--query', 'lease', '--max-turns', '10', '--max-tokens', '8000'],
    keys: [
      ...[
        'query',
        'relevant_turns',
        'total_tokens',
        ...under('relevant_turns[]', ['citation', 'messages', 'session', 'tool_calls', 'turn', 'why']),
      ],
      ...under('relevant_turns[].turn', ['id', 'label', 'time']),
      ...under('relevant_turns[].session', ['harness', 'id', 'project', 'title']),
      ...under('relevant_turns[].messages[]', ['id', 'role', 'text', 'time', 'trust']),
      ...under('relevant_turns[].tool_calls[]', ['failed', 'id', 'input', 'message', 'result', 'tool']),
    ],
  },
  {
    section: 'related',
    argv: ['related', 'c462ede4'],
    keys: ['name', 'of', 'related', ...under('of', RELATED), ...under('related[]', RELATED)],
  },
  {
    section: 'rebuild',
    argv: ['rebuild', '--yes'],
    keys: [
      ...['discussions', 'documents', 'episodes', 'events', 'labels', 'resumed', 'runs', 'warnings'],
      ...[...under('episodes', ['added', 'changed', 'removed']), ...under('events', ['added', 'looked_at', 'removed'])],
    ],
  },
  {
    section: 'route',
    argv: ['route', 'job', 'queue', 'lease'],
    keys: [
      ...['considered', 'message', 'sessions'],
      ...under('sessions[]', ROUTED),
      ...under('sessions[].why', ['by_subagent', 'cite', 'entities', 'excerpt', 'in_project', 'parts', 'terms', 'topics']),
      ...under('sessions[].why.parts', ['entities', 'search', 'terms', 'topics']),
      ...under('sessions[].resume', ['argv', 'command', 'folder', 'folder_exists', 'harness', 'session_id', 'subagent_id']),
      ...under('sessions[].stale[]', ['about', 'asked', 'changed_at', 'cite', 'kind', 'known_at', 'now']),
    ],
  },
  {
    section: 'read',
    argv: ['read', '--explain', 'what did we decide about the job queue and its lease?'],
    keys: [
      ...['known', 'left', 'mode', 'needed', 'phrasings', 'pieces', 'reason', 'scope', 'text', 'tokens'],
      ...under('left[]', ['citation', 'why']),
      ...under('pieces[]', ['citation', 'date', 'kind', 'project', 'text', 'title', 'tokens', 'trust', 'why']),
    ],
  },
  { section: 'read', argv: ['read', '--brief'], keys: ['changed', 'project', 'stable', 'text', 'tokens'] },
  {
    section: 'dossier',
    argv: ['dossier', '--topic', 'lease'],
    keys: ['backup', 'kind', 'markdown', 'path', 'sentences', 'state', 'subject', 'title', 'warnings'],
  },
  {
    section: 'dossier',
    argv: ['howto', 'lantern'],
    keys: ['backup', 'kind', 'markdown', 'path', 'sentences', 'state', 'subject', 'title', 'warnings'],
  },
  {
    section: 'dossier',
    argv: ['dossier', '--list'],
    keys: ['dossiers', ...under('dossiers[]', ['agent', 'edited', 'kind', 'path', 'stale', 'subject'])],
  },
  {
    section: 'episodes',
    argv: ['episodes', 'definitions'],
    keys: ['definitions', ...under('definitions[]', ['channel', 'config', 'description', 'episodes', 'name', 'strategy']), ...CONFIG],
  },
  {
    section: 'episodes',
    argv: ['episodes', 'definitions', 'add', '--name', 'mine', '--strategy', 'thread'],
    keys: ['channel', 'config', 'description', 'episodes', 'name', 'strategy'],
  },
  { section: 'episodes', argv: ['episodes', 'definitions', 'remove', 'mine'], keys: ['removed'] },
  { section: 'analyze', argv: ['analyze', '--dry-run'], keys: [...ANALYZED, ...WAITING] },
  { section: 'analyze', argv: ['analyze', 'types'], keys: ['types', ...under('types[]', TYPE)] },
  {
    section: 'analyze',
    argv: ['analyze', 'types', 'add', '--name', 'risks', '--on', 'agent_session', '--prompt', prompt, '--facet', 'risk=what may go wrong'],
    keys: TYPE,
  },
  { section: 'analyze', argv: ['analyze', 'types', 'remove', 'risks'], keys: ['removed'] },
  { section: 'write', argv: ['write'], keys: ['busy', 'left', 'sessions', 'timed_out', 'warnings'] },
  { section: 'episodes', argv: ['episodes', 'rebuild'], keys: ['added', 'changed', 'removed', 'warnings'] },
  {
    section: 'decisions',
    argv: ['decisions'],
    keys: [
      ...['as_of', 'lines', 'terms', 'total', ...under('lines[]', ['before', 'holds', 'related'])],
      ...['lines[].before[]', 'lines[].holds[]'].flatMap((one) => under(one, DECISION)),
      ...under('lines[].before[].superseded_by', ['cite', 'decided_at', 'event_id', 'id', 'reason', 'text', 'words']),
    ],
  },
  {
    section: 'events',
    argv: ['events', '--type', 'decision'],
    keys: [
      ...['events', 'total'],
      ...under('events[]', [
        'channel',
        'confidence',
        'content',
        'direction',
        'done_by',
        'episode_id',
        'event_id',
        'id',
        'message_id',
        'native_message_id',
      ]),
      ...under('events[]', [
        'people',
        'rule',
        'session_id',
        'span',
        'speaker',
        'thread_id',
        'timestamp',
        'title',
        'trust',
        'turn_id',
        'type',
        'words',
      ]),
    ],
  },
  {
    section: 'why',
    argv: ['why', `${prompt}:1`],
    keys: [
      ...['counts', 'file', 'from', 'git', 'is_deleted', 'name', 'parts', 'renamed_from', 'root', 'to', 'total'],
      ...under('counts', ['commit', 'edit', 'none', 'unknown']),
      ...under('git', ['problem', 'used']),
      ...under('parts[]', ['candidates', 'commit', 'kind', 'lines', 'ranges', 'reason', 'text', 'turn']),
    ],
  },
  {
    section: 'timeline',
    argv: ['timeline', '--day', '2026-09-14'],
    keys: [
      ...['days', 'from', 'nearest', 'timezone', 'to'],
      ...under('days[]', ['day', 'entries']),
      ...under('days[].entries[]', [
        'active_ms',
        'all_day',
        'channel',
        'commits',
        'count',
        'day',
        'episode_id',
        'from',
        'id',
        'kind',
        'location',
      ]),
      ...under('days[].entries[]', ['people', 'project_name', 'session_id', 'statements', 'title', 'to']),
      ...under('days[].entries[].statements[]', ['at', 'content', 'event_id', 'trust', 'type', 'words']),
    ],
  },
  {
    section: 'timeline',
    argv: ['timeline', '--day', '2001-01-01'],
    keys: ['days', 'from', 'nearest', 'nearest.after', 'nearest.before', 'timezone', 'to'],
  },
  { section: 'sessions', argv: ['sessions', '--subagents'], keys: ['sessions', 'total', ...under('sessions[]', SESSION)] },
  {
    section: 'show',
    argv: ['show', 'c462ede4'],
    keys: [
      'kind',
      'session',
      'turns',
      ...under('session', SESSION),
      ...under('turns[]', TURN),
      ...under('turns[].messages[]', MESSAGE),
      ...under('turns[].messages[].tool_calls[]', CALL),
    ],
  },
  {
    section: 'show',
    argv: ['show', 'c462ede4', '--outline'],
    keys: [
      'kind',
      'session',
      'turns',
      ...under('session', SESSION),
      ...under('turns[]', [
        'id',
        'message_count',
        'prompt',
        'status',
        'timestamp',
        'token_count',
        'tool_call_count',
        'turn_id',
        'turn_type',
      ]),
    ],
  },
  {
    section: 'show',
    argv: ['show', 'agent-a4c19e', '--tree'],
    keys: [
      'kind',
      'nodes',
      'root_session_id',
      'session_id',
      ...under('nodes[]', [...SESSION, 'depth', 'missing_parent', 'started_by', 'task_status']),
      ...under('nodes[].started_by', ['message_id', 'tool', 'tool_call_id']),
    ],
  },
  { section: 'rename', argv: ['rename', 'c462ede4', 'A title of my own'], keys: ['session', ...under('session', SESSION)] },
  { section: 'rename', argv: ['rename', 'c462ede4', '--reset'], keys: ['session', ...under('session', SESSION)] },
  {
    section: 'resume',
    argv: ['resume', 'c462ede4'],
    keys: ['argv', 'command', 'folder', 'folder_exists', 'harness', 'session_id', 'subagent_id'],
  },
  {
    section: 'left-off',
    argv: ['left-off', '--project', 'lantern'],
    keys: LEFT_OFF,
  },
  { section: 'export', argv: ['export', 'c462ede4'], keys: ['content', 'format', 'session_id', 'turns'] },
  {
    section: 'export',
    argv: ['export', 'c462ede4', '--out', join(home.root, 'talk.md')],
    keys: ['bytes', 'format', 'path', 'session_id', 'sha256', 'turns'],
  },
  { section: 'completion', argv: ['completion', 'bash'], keys: ['script', 'shell'] },
  {
    section: 'index, chunk',
    argv: ['index', '--all'],
    keys: ['calls', 'chunks', 'documents', 'duration_ms', 'partial', 'removed', 'sessions', 'unchanged', 'warnings'],
  },
  {
    section: 'index, chunk',
    argv: ['chunk', '--all'],
    keys: ['calls', 'chunks', 'documents', 'duration_ms', 'partial', 'removed', 'sessions', 'unchanged', 'warnings'],
  },
  {
    section: 'index, chunk',
    argv: ['index', '--status'],
    keys: ['sessions', ...under('sessions[]', ['chunk_count', 'file_hash', 'file_path', 'last_indexed', 'session_id', 'status'])],
  },
  {
    section: 'index, chunk',
    argv: ['chunk', '--validate-only', bad],
    keys: ['files', 'invalid', 'valid', ...under('files[]', ['errors', 'path', 'valid', 'warnings'])],
    code: 3,
  },
  {
    section: 'status',
    argv: ['status'],
    keys: [
      ...[
        'agents',
        'core',
        'events',
        'graph',
        'home',
        'index',
        'last_sync',
        'metrics',
        'sizes',
        'sources',
        'spent_today',
        'version',
        'writer',
      ],
      ...under('writer', ['failed', 'last_agent_run', 'mode', 'oldest', 'waiting']),
      ...under('agents', AGENTS),
      ...under('core', ['accesses', 'analysis_runs', 'embeddings', 'episodes', 'facets', 'runs', 'waiting_episodes']),
      ...under('core.runs', ['completed', 'failed', 'pending', 'running']),
      ...under('events', ['events', 'threads']),
      ...under('graph', ['entities', 'merge_candidates', 'relationships']),
      ...under('index', [
        'chunks',
        'cursor',
        'documents',
        'identity',
        'partial_sessions',
        'tools',
        'waiting_sessions',
        'waiting_work_sessions',
        'work_calls',
      ]),
      ...under('metrics', [
        'avg_index_time_per_session_ms',
        'avg_search_latency_ms',
        'failed_chunks',
        'last_indexed',
        'quarantined_sessions',
        'search_count_24h',
        'storage_used_mb',
        'total_chunks',
        'total_sessions',
      ]),
      ...under('sizes', ['artifacts_bytes', 'database_bytes', 'models_bytes', 'token_bits_bytes', 'vectors_bytes']),
      ...under('sources[]', ['adapter', 'last_read', 'quarantined', 'units']),
    ],
  },
  {
    section: 'memory',
    argv: ['memory', 'publish', '--ended'],
    keys: ['failed', 'results', ...under('results[]', ['flow', 'paths', 'session_id', 'status']), 'warnings'],
  },
  {
    section: 'memory',
    argv: ['memory', 'publish', '--again'],
    keys: ['failed', 'results', ...under('results[]', ['flow', 'paths', 'session_id', 'status']), 'warnings'],
  },
  { section: 'memory', argv: ['memory', 'render'], keys: RENDERED },
  { section: 'memory', argv: ['memory', 'reindex'], keys: REINDEXED },
  { section: 'memory', argv: ['memory', 'verify'], keys: ['checked', 'problems'] },
  {
    section: 'memory',
    argv: ['memory', 'recover'],
    keys: [
      ...['failed', 'forgotten', 'leftovers', 'manifests', 'reindexed', 'rendered', 'results', 'unfinished'],
      ...under('reindexed', REINDEXED),
      ...under('rendered[]', RENDERED),
    ],
  },
  {
    section: 'memory',
    argv: ['memory', 'open', 'c462ede4'],
    keys: ['compaction_path', 'manifest_path', 'session_id', 'summary_path', 'transcript_path'],
  },
  { section: 'open', argv: ['open', 'c462ede4'], keys: ['path', 'session_id'] },
  { section: 'backup', argv: ['backup', kept], keys: ['bytes', 'duration_ms', 'left_out', 'path', 'redacted', ...HOLDINGS] },
  {
    section: 'restore',
    argv: ['restore', kept, '--yes'],
    keys: ['database', 'duration_ms', 'forgotten', 'kept', 'path', ...HOLDINGS],
  },
  {
    section: 'export',
    argv: ['export', '--dir', join(home.root, 'exported')],
    keys: [
      ...['agent', 'duration_ms', 'files', 'path', 'redacted', 'warnings'],
      ...under('files[]', ['bytes', 'path', 'records', 'sha256']),
    ],
  },
  {
    section: 'uninstall',
    argv: ['uninstall', '--purge', '--dry-run'],
    keys: [
      ...['dry_run', 'home', 'kept', 'package', 'removed', 'warnings', 'workspace'],
      ...under('removed[]', ['bytes', 'path', 'what']),
      ...under('kept[]', ['bytes', 'path', 'what']),
    ],
  },
  { section: 'install', argv: ['uninstall', 'codex', '--dry-run'], keys: INSTALLED },
  { section: 'install', argv: ['install', 'codex', '--dry-run'], keys: INSTALLED },
  { section: 'install', argv: ['install', 'claude-code', '--plugin', '--dry-run'], keys: INSTALLED },
  {
    section: 'install',
    argv: ['install'],
    keys: ['harnesses', ...under('harnesses[]', ['as_plugin', 'detected', 'files', 'installed', 'name', 'title', 'warnings'])],
  },
  {
    section: 'init',
    argv: ['init'],
    keys: [
      ...['done', 'plan'],
      ...under('plan', ['auto_publish', 'harnesses', 'home', 'personal', 'sources', 'timer', 'workspace']),
      ...under('plan.timer', ['installed', 'last_sync', 'running']),
      ...under('plan.harnesses[]', ['as_plugin', 'detected', 'files', 'installed', 'name', 'title', 'warnings']),
    ],
  },
  {
    section: 'forget',
    argv: ['forget', '--match', 'no such text anywhere', '--dry-run'],
    keys: ['dry_run', 'records', 'selector', 'sessions', 'subagents', 'tables', 'whole', 'would_remove'],
  },
  {
    section: 'forget',
    argv: ['forget', '--match', 'no such text anywhere', '--yes'],
    keys: [
      ...['at', 'backups', 'git', 'id', 'reason', 'receipt_path', 'removed', 'removed_paths', 'scan', 'selector', 'status', 'still_held'],
      ...['subagents', 'tables', 'tombstones', 'warnings', 'whole'],
      ...under('backups[]', ['path', 'status']),
      ...under('scan', ['bytes', 'database_rewritten', 'files', 'log_emptied', 'needles', 'undecoded', 'unreadable']),
    ],
  },
  { section: 'health', argv: ['health'], keys: ['checks', 'status', ...under('checks[]', ['message', 'name', 'status'])] },
  { section: 'doctor', argv: ['doctor'], keys: ['checks', 'ok', ...under('checks[]', ['absent', 'found', 'name', 'ok'])] },
  {
    section: 'hook test',
    argv: ['hook', 'test', 'claude-code', 'prompt', '--prompt', 'sqlite'],
    keys: [
      ...['budget_ms', 'context', 'event', 'gate', 'harness', 'notice', 'output', 'steps', 'tasks', 'total_ms'],
      ...under('steps[]', ['ms', 'name']),
    ],
  },
  { section: 'paths', argv: ['paths'], keys: ['config', 'database', 'home', 'logs', 'memory', 'models', 'workspace'] },
  {
    section: 'remember',
    argv: ['remember', 'Lanterns are lit at dusk', '--yes'],
    keys: [
      'is_new',
      'new_entity',
      'remembered',
      'searchable',
      'warnings',
      ...under('remembered', [
        'about',
        'alias',
        'by',
        'confirmed_by',
        'confirms',
        'corrects',
        'event_id',
        'from',
        'id',
        'project',
        'stated_at',
        'status',
        'text',
        'trust',
        'type',
      ]),
    ],
  },
  {
    section: 'remember',
    argv: ['remember', '--list'],
    keys: [
      'proposed',
      'remembered',
      'total',
      ...under('remembered[]', [
        'about',
        'alias',
        'by',
        'confirmed_by',
        'confirms',
        'corrects',
        'event_id',
        'from',
        'id',
        'project',
        'stated_at',
        'status',
        'text',
        'trust',
        'type',
      ]),
    ],
  },
  {
    section: 'skills',
    argv: ['skills', 'write', '--dry-run'],
    keys: [
      ...['dry_run', 'skills', ...under('skills[]', ['files', 'folder', 'role'])],
      ...under('skills[].files[]', ['kept_as', 'path', 'status']),
    ],
  },
  { section: 'sql', argv: ['sql', 'select id from agent_sessions'], keys: ['columns', 'rows', 'truncated'] },
  {
    section: 'demo',
    argv: ['demo'],
    keys: [
      ...['counts', 'home', 'kept', 'next', 'searches', 'sync', 'workspace'],
      ...under('counts', ['chunks', ...AGENTS]),
      ...under('searches[]', [...SEARCH, 'more.counted', 'more.work']),
      ...under('sync', SYNC),
    ],
  },
]

function under(prefix: string, keys: readonly string[]): string[] {
  return keys.map((key) => `${prefix}.${key}`)
}

/** Every key of a document by its path. `hint` of a check and the names under `explain` come and go. */
function keysOf(value: unknown, prefix = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => (isObject(item) ? keysOf(item, `${prefix}[]`) : []))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const path = prefix === '' ? key : `${prefix}.${key}`
    return key === 'hint' ? [] : [path, ...keysOf(inner, path)]
  })
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function sectionOf(title: string): string {
  const from = page.indexOf(`\n## ${title}\n`)
  expect(from, `docs/json-output.md has a section ${title}`).toBeGreaterThan(0)
  const to = page.indexOf('\n## ', from + 1)
  return page.slice(from, to === -1 ? undefined : to)
}

describe.each(CONTRACTS)('$argv', ({ section, argv, keys, code = 0 }) => {
  it('prints one JSON document with exactly the pinned keys', async () => {
    const { code: exit, stdout } = await home.runHere(...argv, '--json')
    expect(exit).toBe(code)
    expect([...new Set(keysOf(JSON.parse(stdout)))].sort()).toEqual([...keys].sort())
  })

  it('is documented key by key', () => {
    const text = ['demo', 'rename', 'show'].includes(section) ? page : sectionOf(section)
    sectionOf(section)
    for (const key of keys) {
      const name = key.slice(key.lastIndexOf('.') + 1)
      expect(text, `docs/json-output.md names ${key}`).toMatch(new RegExp(`[\`.]${name}\``))
    }
  })
})

it('--explain adds numbers by name, and nothing else', async () => {
  const { stdout } = await home.runHere('search', 'lease', '--explain', '--json')
  const { results } = JSON.parse(stdout) as { results: Record<string, unknown>[] }
  const first = results.find(({ superseded_by }) => superseded_by === undefined)
  expect(Object.keys(first ?? {}).sort()).toEqual([...RESULT, 'explain'].sort())
  for (const value of Object.values(first?.explain as object)) expect(typeof value).toBe('number')
})

it('entities show prints its pinned keys', async () => {
  const store = await openSqlite({ path: join(home.root, 'home', 'mnemonic.db'), clock: Date.now })
  const said = await store.read
    .selectFrom('agent_messages as m')
    .innerJoin('episodes as e', 'e.thread_id', 'm.session_id')
    .select(['m.id', 'e.id as episode'])
    .where('e.definition_id', '=', 'agent_session')
    .orderBy('m.id')
    .executeTakeFirstOrThrow()
  const [ada, acme] = [seedId('Ada Byron'), seedId('Acme Engines')]
  await seedEntities(store, [
    { id: ada, name: 'Ada Byron' },
    { id: acme, name: 'Acme Engines', type: 'company' },
  ])
  await seedMentions(store, [{ episode: said.episode, entity: ada, message: said.id }])
  const observation = { id: 'ada works', subject: ada, type: 'WORKS_AT', object: acme, fact: 'Ada works at Acme Engines', saidAt: 1 }
  await seedObservations(store, [{ ...observation, message: said.id }])
  await store.close()
  const { code, stdout } = await home.runHere('entities', 'show', 'Ada', '--json')
  expect(code).toBe(0)
  const named = ['entity_id', 'name', 'type']
  const place = ['channel', 'episode_id', 'id', 'message_id', 'session_id', 'span', 'timestamp', 'turn_id']
  const keys = [
    ...['aliases', 'as_of', 'candidates', 'current', 'entity', 'episodes', 'former', 'neighbours', 'parts', 'uncertain'],
    ...under('entity', [
      'agent_id',
      'first_seen',
      'id',
      'known_by',
      'last_seen',
      'mentions',
      'name',
      'observations',
      'parts',
      'trust',
      'type',
    ]),
    ...under('current[]', ['confidence', 'literal', 'object', 'observations', 'replaced_by', 'since', 'subject', 'type', 'until', 'why']),
    ...[...under('current[].subject', named), ...under('current[].object', named)],
    ...under('current[].observations[]', [
      ...place,
      ...['confidence', 'counted', 'fact', 'learned_later', 'relationship_id', 'said_at', 'source_type', 'trust'],
    ]),
    ...under('aliases[]', ['given_by', 'times', 'trust', 'type', 'value']),
    ...under('parts[]', ['id', 'known_by', 'name']),
    ...under('episodes[]', ['channel', 'definition', 'end', 'episode_id', 'mentions', 'start', 'summary']),
    ...under('episodes[].mentions[]', [...place, 'count']),
    ...under('neighbours[]', [...named, 'by', 'distance']),
    ...under('neighbours[].by[]', ['message_id', 'object', 'observations', 'relationship_id', 'subject', 'type']),
    ...[...under('neighbours[].by[].subject', named), ...under('neighbours[].by[].object', named)],
  ]
  expect([...new Set(keysOf(JSON.parse(stdout)))].sort()).toEqual(keys.sort())
  for (const key of keys) expect(sectionOf('entities'), key).toContain(`${key.replace(/.*[.\]]\.?/, '')}\``)
})

it('phrasings, --explain and a typing error add their pinned keys', async () => {
  const { stdout } = await home.runHere('search', 'why lesae', '--also', 'sqlite job queue', '--explain', '--json')
  const answer = JSON.parse(stdout) as { results: { found_by: number[]; found_at: number[] }[]; corrections: object[]; phrasings: object[] }
  expect(answer.corrections).toEqual([{ typed: 'lesae', used: 'lease' }])
  expect(answer.phrasings.map((one) => Object.keys(one).sort())).toEqual([
    ['found', 'hits', 'only', 'query'],
    ['found', 'hits', 'only', 'query'],
  ])
  for (const { found_by, found_at } of answer.results) expect(found_at).toHaveLength(found_by.length)
  for (const key of ['corrections[].typed', 'corrections[].used', 'results[].found_at', 'phrasings[].only']) {
    expect(sectionOf('search')).toContain(`\`${key}\``)
  }
})

it('a time alone says what was listed', async () => {
  const { listed } = JSON.parse((await home.runHere('search', '2026-09-14', '--json')).stdout) as { listed: object }
  expect(Object.keys(listed).sort()).toEqual(['conversations', 'days', 'from', 'hits', 'sessions', 'to'])
  for (const key of ['listed', ...Object.keys(listed)]) expect(sectionOf('search')).toContain(`\`${key}\``)
})

it('a time without anything names the nearest days, and a question says how its time was read', async () => {
  const ask = async (query: string) => JSON.parse((await home.runHere('search', query, '--json')).stdout) as SearchAnswer
  const { listed } = await ask('what did we do on 1999-03-01')
  expect(listed).toMatchObject({ hits: 0, nearest: { before: null, after: expect.stringMatching(/^20\d\d-\d\d-\d\d$/) } })
  const { time } = await ask('job queue in the first week of september, or on september 31')
  expect(time).toMatchObject({ understood: [{ phrase: 'the first week of september' }], not_understood: ['september 31'] })
  for (const key of ['listed.nearest', 'time', ...Object.keys(time ?? {}), ...Object.keys(time?.understood[0] ?? {})])
    expect(sectionOf('search')).toContain(`\`${key}\``)
  const text = async (query: string) => home.runHere('search', query)
  expect((await text('what did we do on 1999-03-01')).stdout).toMatch(/nothing; the nearest days with something: 20/)
  expect((await text('what did we do on 1999-03-01')).stderr).toMatch(/mnemonic timeline 20/)
  const said = (await text('job queue in the first week of september, or on september 31')).stdout
  expect(said).toMatch(/^time: September 1, \d{4} to September 7, \d{4}/m)
  expect(said).toMatch(/^time not understood: "september 31"/m)
})

it('memory verify, accept and restore of an edited file print their pinned keys', async () => {
  await home.runHere('memory', 'publish')
  const opened = JSON.parse((await home.runHere('memory', 'open', 'c462ede4', '--json')).stdout) as { summary_path: string }
  const edit = () => appendFileSync(join(home.root, 'workspace', opened.summary_path), 'an edit\n')
  const keys = async (...argv: string[]) => [...new Set(keysOf(JSON.parse((await home.runHere(...argv, '--json')).stdout)))].sort()
  edit()
  expect(await keys('memory', 'verify')).toEqual(['checked', 'problems', 'problems[].kind', 'problems[].path', 'problems[].problem'])
  expect(await keys('memory', 'accept', opened.summary_path)).toEqual(['from', 'path', 'restored'])
  edit()
  expect(await keys('memory', 'restore', opened.summary_path)).toEqual(['kept', 'path'])
  const ARCHIVE = ['archived', 'archived[].from', 'archived[].path', 'archived[].session_id', 'before', 'bytes', 'dry_run', 'failed']
  expect(await keys('memory', 'archive')).toEqual(ARCHIVE)
})

describe('entities, over a graph', () => {
  const own = binaryHome()
  const PAIR = ['id', 'known_by', 'name', 'type']
  const CANDIDATE = [
    ...['a', 'auto_eligible', 'b', 'confidence', 'decided_by', 'evidence', 'id', 'status'],
    ...[...under('a', PAIR), ...under('b', PAIR), ...under('evidence[]', ['by', 'says', 'value'])],
  ]
  const ENTITY = ['agent_id', 'first_seen', 'id', 'known_by', 'last_seen', 'mentions', 'name', 'observations', 'parts', 'trust', 'type']
  const NAMED = ['id', 'name', 'type']
  beforeAll(async () => {
    mkdirSync(join(own.root, 'home'), { recursive: true })
    const store = await openSqlite({ path: join(own.root, 'home', 'mnemonic.db'), clock: () => 0 })
    for (const told of [
      { id: 'm1', channel: 'gmail', from: ['robert.hale@work.example', 'Robert Hale'], says: 'Acme is mine.' },
      { id: 'm2', channel: 'gmail', from: ['bob@home.example', 'Bob Hale'], says: 'Acme is my company.' },
    ] satisfies Told[])
      await store.write(async (tx) => {
        const runId = await runOf(tx, await tell(tx, told))
        const [speaker] = peopleOf(told)
        if (speaker === undefined) throw new Error('nobody speaks')
        const acme = named(told, 'Acme', 'company')
        await writeExtracted(tx, from(told, { runId }), found([speaker, acme], [observed(told, speaker, 'KNOWS_OF', acme)]))
      })
    await store.close()
  })
  afterAll(() => own.remove())

  it.each<[argv: string[], keys: string[]]>([
    [['list'], ['entities', 'left_out', 'total', ...under('entities[]', ENTITY)]],
    [['review'], ['candidates', 'total', ...under('candidates[]', CANDIDATE)]],
    [
      ['merge', 'Bob Hale', 'Robert Hale'],
      ['merged', ...under('merged', ['from', 'into']), ...under('merged.from', NAMED), ...under('merged.into', NAMED)],
    ],
    [
      ['unmerge', 'Bob Hale'],
      ['unmerged', ...under('unmerged', ['entity', 'from']), ...under('unmerged.entity', NAMED), ...under('unmerged.from[]', NAMED)],
    ],
    [
      ['reject', 'Bob Hale', 'Robert Hale'],
      ['rejected', ...under('rejected', ['a', 'b']), ...under('rejected.a', NAMED), ...under('rejected.b', NAMED)],
    ],
    [
      ['alias', 'Bob Hale', 'Bobby'],
      ['alias', ...under('alias', ['entity', 'removed', 'value']), ...under('alias.entity', NAMED)],
    ],
    [
      ['retype', 'Bob Hale', 'pet'],
      ['retyped', ...under('retyped', ['entity', 'was']), ...under('retyped.entity', NAMED)],
    ],
    [
      ['split', 'Acme', '--list'],
      ['entity', 'places', ...under('entity', NAMED), ...under('places[]', ['fact', 'message_id', 'relationship_id', 'said_at', 'type'])],
    ],
  ])('%s prints the pinned keys, and each is documented', async (argv, keys) => {
    const { code, stdout } = await own.runHere('entities', ...argv, '--json')
    expect(code).toBe(0)
    expect([...new Set(keysOf(JSON.parse(stdout)))].sort()).toEqual([...keys].sort())
    for (const key of keys) expect(sectionOf('entities'), key).toMatch(new RegExp(`[\`.]${key.slice(key.lastIndexOf('.') + 1)}\``))
  })
})

it('two decisions that are joined or separated print the pair', async () => {
  const { lines } = JSON.parse((await home.runHere('decisions', '--json')).stdout) as { lines: { holds: { id: string }[] }[] }
  const [a = '', b = ''] = lines.flatMap(({ holds }) => holds.map(({ id }) => id))
  for (const verb of ['join', 'separate']) {
    const said = JSON.parse((await home.runHere('decisions', verb, a, b, '--json')).stdout) as Record<string, unknown>
    expect(Object.keys(said).sort()).toEqual(['earlier', 'later', 'says'])
    expect(said.says).toBe(verb)
  }
  for (const key of ['earlier', 'later', 'says']) expect(sectionOf('decisions')).toContain(`\`${key}\``)
})

it('a kind of record that nobody knows is one warning of sync, counted in sources, and known to health', async () => {
  const drifted = binaryHome()
  try {
    const project = join(drifted.root, 'claude', 'projects', '-srv-harbor')
    mkdirSync(project, { recursive: true })
    for (const name of ['8f14e45f-0001-4e6a-8ffd-902d7a9e3981', '8f14e45f-0002-4e6a-8ffd-902d7a9e3981']) {
      const common = { sessionId: name, cwd: '/srv/harbor', timestamp: '2026-02-01T10:00:00.000Z', version: '2.1.0' }
      const lines = [
        { ...common, type: 'user', uuid: `${name}-1`, parentUuid: null, message: { role: 'user', content: 'Which port?' } },
        { ...common, type: 'brand-new', uuid: `${name}-2`, parentUuid: `${name}-1` },
        { ...common, type: 'brand-new', uuid: `${name}-3`, parentUuid: `${name}-2` },
      ]
      writeFileSync(join(project, `${name}.jsonl`), `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)
    }
    const sync = await drifted.runHere('sync', '--no-embed', '--json')
    expect(sync.code).toBe(0)
    const { totals } = JSON.parse(sync.stdout) as { totals: { warnings: string[] } }
    expect(totals.warnings).toEqual([
      expect.stringMatching(/^claude-code: 4 × unknown record type "brand-new" in 2 files \(first: .*-0001-.*\.jsonl\)$/),
    ])
    const { sources } = JSON.parse((await drifted.runHere('sources', '--json')).stdout) as { sources: { unknown: object[] }[] }
    const unknown = sources.flatMap((source) => source.unknown)
    expect(unknown).toMatchObject([{ name: 'brand-new', count: 4, files: 2 }])
    expect(Object.keys(unknown[0] ?? {}).sort()).toEqual(['count', 'example_path', 'files', 'first_seen', 'last_seen', 'name'])
    const health = await drifted.runHere('health', '--json')
    expect(health.code).toBe(3)
    expect(health.stdout).toContain('claude-code \\"brand-new\\" (4)')
  } finally {
    drifted.remove()
  }
})

it('an error is one JSON line on stderr, and stdout stays empty', async () => {
  const { code, stdout, stderr } = await home.runHere('show', 'no-such-session', '--json')
  expect(code).toBe(1)
  expect(stdout).toBe('')
  const { error } = JSON.parse(stderr) as { error: object }
  expect(Object.keys(error).sort()).toEqual(['code', 'details', 'hint', 'message', 'recoverable'])
  expect(error).toMatchObject({ code: 'NOT_FOUND', recoverable: false })
})
