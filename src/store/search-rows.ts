/** Bypasses the query builder, because the process may live for one search. Hides functions that each engine spells differently. */
import type { Selectable } from 'kysely'
import type { MetaKey } from './meta.ts'
import type { AccessCountsTable, AgentSessionsTable, ChunksTable, SearchLogTable } from './tables.ts'

export type ChunkRow = Selectable<ChunksTable>

export type CandidateRow = Pick<
  ChunkRow,
  'id' | 'session_id' | 'path' | 'chunk_index' | 'timestamp' | 'token_count' | 'content_hash' | 'speakers'
>

export type SaidRow = Pick<ChunkRow, 'id' | 'said_user' | 'said_assistant' | 'user_label' | 'assistant_label'>

export interface SearchRows {
  /** Unordered; omits missing chunks. */
  candidates(ids: readonly number[]): Promise<CandidateRow[]>
  said(ids: readonly number[]): Promise<SaidRow[]>
  chunks(ids: readonly number[]): Promise<ChunkRow[]>
  around(chunk: ChunkRow, branches: boolean): Promise<{ readonly before: SaidRow | undefined; readonly after: SaidRow | undefined }>
  sessions(
    ids: readonly string[],
  ): Promise<Pick<Selectable<AgentSessionsTable>, 'id' | 'source' | 'title' | 'project' | 'project_name' | 'label'>[]>
  /** The next speaker name after this one, for pagination. */
  speakerAfter(name: string): Promise<NamedSpeaker | undefined>
  meta(keys: readonly MetaKey[]): Promise<Map<string, string>>
  /** Token usage: the `usage` object of assistant messages. */
  usage(sessionIds: readonly string[]): Promise<{ readonly session_id: string; readonly usage: string }[]>
  lastDone(kind: string): Promise<number | undefined>
  /** 1-based positions within sessions. Omits missing turns. */
  turnPlaces(turnIds: readonly string[]): Promise<TurnPlace[]>
  /** Undefined if there are no topics, or the unit belongs to another agent. */
  discussed(unit: string, agentId: string): Promise<DiscussedUnit | undefined>
  spans(ids: readonly string[]): Promise<readonly { readonly from: number | null; readonly to: number | null }[]>
  /** The earliest replacement first. */
  replaced(places: readonly string[]): Promise<ReplacedDecision[]>
  sessionNames(): Promise<SessionNames[]>
  episodePlaces(ids: readonly string[]): Promise<EpisodePlace[]>
  /** One row per handle and event, named as in the address book or else the event. */
  eventPeople(eventIds: readonly string[]): Promise<EventPeople[]>
  peopleNames(from: 'contacts' | 'everywhere', most: number): Promise<string[]>
  handlesOf(names: readonly string[], beginnings: readonly string[]): Promise<string[]>
  /** The neighbours of this native id in sorted order, among all ids, native ids and labels. */
  namesBeside(session: Pick<SessionNames, 'id' | 'native_id'>): Promise<string[]>
  namesTaken(names: readonly string[]): Promise<Set<string>>
}

export type SessionNames = Pick<Selectable<AgentSessionsTable>, 'id' | 'native_id' | 'label'>

export interface TurnPlace extends Pick<SessionNames, 'native_id'> {
  readonly id: string
  readonly session_id: string
  readonly number: number
}

export interface ReplacedDecision {
  readonly id: string
  /** Null if people said it to each other. */
  readonly turn_id: string | null
  readonly message: string
  readonly terms: string | null
  readonly text: string | null
  readonly about: string | null
  readonly by_id: string
  readonly by_key: string
  readonly by_turn: string | null
  readonly by_message: string
  readonly by_episode: string | null
  readonly by_text: string | null
  readonly by_rule: string | null
  readonly by_about: string | null
  readonly by_at: number
}

export interface DiscussedUnit {
  readonly weight: number
  readonly count: number
  /** Terms paired with each other unit that has them. Omits terms that are too common. */
  readonly shared: readonly SharedTerm[]
}

export interface SharedTerm {
  readonly shown: string
  readonly salience: number
  readonly is_name: number
  /** Units with this term, including this one. */
  readonly holders: number
  readonly unit: string
  readonly unit_weight: number
  readonly unit_salience: number
  readonly unit_is_name: number
}

export interface EpisodePlace {
  readonly id: string
  readonly channel: string
  readonly thread_id: string | null
  /** The thread belongs to a larger one, as a meeting series does to its calendar. */
  readonly is_part: number
  readonly chunks: number | null
  readonly before: string | null
  readonly before_chunks: number | null
  readonly after: string | null
}

export interface EventPeople {
  readonly event_id: string
  readonly handle: string
  readonly name: string | null
}

export interface NamedSpeaker {
  readonly name: string
  readonly roles: readonly string[]
  /** Their user-role speech counts as the owner's. */
  readonly isOwner: boolean
}

export interface SearchNote extends Pick<Selectable<SearchLogTable>, 'agent_id' | 'mode' | 'hits' | 'latency_ms' | 'created_at'> {
  readonly returned: readonly Pick<AccessCountsTable, 'kind' | 'id'>[]
}
