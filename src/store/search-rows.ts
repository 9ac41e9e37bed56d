/**
 * The rows that every search reads, beside the two indexes: without the query builder, since they are asked for in a process that may live for
 * one search only. And what takes functions that each engine spells differently.
 */
import type { Selectable } from 'kysely'
import type { MetaKey } from './meta.ts'
import type { AccessCountsTable, AgentSessionsTable, ChunksTable, SearchLogTable } from './tables.ts'

export type ChunkRow = Selectable<ChunksTable>

/** The columns of a chunk that ranking uses. */
export type CandidateRow = Pick<
  ChunkRow,
  'id' | 'session_id' | 'path' | 'chunk_index' | 'timestamp' | 'token_count' | 'content_hash' | 'speakers'
>

/** What was said in a chunk. */
export type SaidRow = Pick<ChunkRow, 'id' | 'said_user' | 'said_assistant' | 'user_label' | 'assistant_label'>

export interface SearchRows {
  /** Rows of these chunks, in no order; those that no longer exist are missing. */
  candidates(ids: readonly number[]): Promise<CandidateRow[]>
  said(ids: readonly number[]): Promise<SaidRow[]>
  chunks(ids: readonly number[]): Promise<ChunkRow[]>
  /** The chunks before and after one, in the same session, document or conversation; abandoned branches only where asked for. */
  around(chunk: ChunkRow, branches: boolean): Promise<{ readonly before: SaidRow | undefined; readonly after: SaidRow | undefined }>
  sessions(
    ids: readonly string[],
  ): Promise<Pick<Selectable<AgentSessionsTable>, 'id' | 'source' | 'title' | 'project' | 'project_name' | 'label'>[]>
  /** The first speaker's name after this one, in the order of text, and the roles they speak in. */
  speakerAfter(name: string): Promise<NamedSpeaker | undefined>
  /** Values of `meta` by their keys; those that are not there are missing. */
  meta(keys: readonly MetaKey[]): Promise<Map<string, string>>
  /** The field `usage` in the metadata of these sessions' assistant messages, where it is a JSON object: the tokens they used. */
  usage(sessionIds: readonly string[]): Promise<{ readonly session_id: string; readonly usage: string }[]>
  /** When the newest job of a kind that ended well did so. */
  lastDone(kind: string): Promise<number | undefined>
  /** The sessions of these turns and the places of the turns in them, from 1, in the order in which they were said; those that are gone are missing. */
  turnPlaces(turnIds: readonly string[]): Promise<TurnPlace[]>
  /** What a session or conversation is about, with who else is about it; undefined where nothing was taken from it, or it is of another agent. */
  discussed(unit: string, agentId: string): Promise<DiscussedUnit | undefined>
  /** When these sessions and episodes began and ended. */
  spans(ids: readonly string[]): Promise<readonly { readonly from: number | null; readonly to: number | null }[]>
  /** Decisions of these turns that hold no longer, each with what holds instead of it; the first that replaced it comes first. */
  replaced(places: readonly string[]): Promise<ReplacedDecision[]>
  /** The ids, native ids and labels of all sessions. */
  sessionNames(): Promise<SessionNames[]>
  /** Where these episodes stand in their threads; those that are gone are missing. */
  episodePlaces(ids: readonly string[]): Promise<EpisodePlace[]>
  /** Who took part in these events, each handle of an event once, as the address book or the event itself calls them. */
  eventPeople(eventIds: readonly string[]): Promise<EventPeople[]>
  /** Names of people in the order of text, at most so many: of address books, or of events too. */
  peopleNames(from: 'contacts' | 'everywhere', most: number): Promise<string[]>
  /** The handles that go by one of these names, written so, and those that begin with one of these texts. */
  handlesOf(names: readonly string[], beginnings: readonly string[]): Promise<string[]>
  /** Of the ids, the native ids and the labels that other sessions have, the one just before and the one just after this session's native id. */
  namesBeside(session: Pick<SessionNames, 'id' | 'native_id'>): Promise<string[]>
  /** Those of the names that are the id, the native id or the label of a session. */
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
  /** Null where people said it to each other. */
  readonly turn_id: string | null
  readonly message: string
  /** What it is about: terms, one on a line. */
  readonly terms: string | null
  /** Its words, and what they answer. */
  readonly text: string | null
  readonly about: string | null
  /** What holds instead. */
  readonly by_id: string
  readonly by_key: string
  readonly by_turn: string | null
  readonly by_message: string
  readonly by_episode: string | null
  readonly by_text: string | null
  /** Which rule found it, and what it answers. */
  readonly by_rule: string | null
  readonly by_about: string | null
  readonly by_at: number
}

export interface DiscussedUnit {
  readonly weight: number
  /** Of how many units of its agent. */
  readonly count: number
  /** Each of its terms with each other unit that has it; a term that too many have is left out. */
  readonly shared: readonly SharedTerm[]
}

export interface SharedTerm {
  readonly shown: string
  readonly salience: number
  readonly is_name: number
  /** How many units have it, this one among them. */
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
  /** The thread is a part of another: a series of meetings in its calendar. */
  readonly is_part: number
  /** How many chunks its document has. */
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
  /** What they say as a user counts as the owner's speech. */
  readonly isOwner: boolean
}

/** The one thing a search writes. */
export interface SearchNote extends Pick<Selectable<SearchLogTable>, 'agent_id' | 'mode' | 'hits' | 'latency_ms' | 'created_at'> {
  /** What the answer held, each once. */
  readonly returned: readonly Pick<AccessCountsTable, 'kind' | 'id'>[]
}
