/**
 * What the memory-reader asks beside a search, without the query builder: it answers before a prompt is sent, in a process that lives for that alone.
 * Never writes.
 */
import type { ReaderGivenTable } from './tables.ts'
import type { FileAction } from './work.ts'

/** What was given: a part of a turn, an episode or a document, or a decision. */
export type GivenPiece = Pick<ReaderGivenTable, 'kind' | 'id' | 'part'>

export type ReadingSession = Pick<ReaderGivenTable, 'agent_id' | 'harness' | 'session'>

/** One write of the reader. */
export interface GivenNote extends ReadingSession {
  readonly pieces: readonly GivenPiece[]
  readonly given_at: number
  /** What was given before this is dropped. */
  readonly expired_before: number
}

export interface ReaderRows {
  given(session: ReadingSession): Promise<GivenPiece[]>
  /** The session in the ledger, and its last prompts, the newest first; undefined where it was not captured yet. */
  session(harness: string, nativeId: string, prompts: number): Promise<{ readonly id: string; readonly prompts: string[] } | undefined>
  /** What the calls of a session did to files, the newest first; a file as often as it was touched. */
  files(sessionId: string, most: number): Promise<{ readonly path: string; readonly action: FileAction }[]>
  /** Each project that sessions of the agent are of, once. */
  projects(agentId: string): Promise<KnownProject[]>
  /** The entities that are called so; `names` are folded as aliases are. */
  entities(agentId: string, names: readonly string[]): Promise<NamedThing[]>
  /** The people whose first name this is, by a full name. */
  byFirstName(agentId: string, names: readonly string[]): Promise<NamedThing[]>
  /** The entities that are the owner: the one with this id, or of every agent. */
  owners(agentId: string, ownerId: string): Promise<string[]>
  /** What else these are called. */
  aliases(entityIds: readonly string[]): Promise<{ readonly entity_id: string; readonly value: string }[]>
  /** False where no message, mail or calendar was ever indexed. */
  holdsPersonal(): Promise<boolean>
  /** The channels of people in the ledger. */
  channels(): Promise<string[]>
  /** Those of the handles that the owner keeps a card of, chats with or wrote to: no mere sender of mail. */
  acquainted(handles: readonly string[]): Promise<string[]>
  /** Conversations whose name stands in the text, which is in lower case. */
  threadsNamedIn(text: string, shortest: number): Promise<{ readonly id: string; readonly name: string }[]>
  /** Decisions or preferences that hold and have at least one of these terms, those with most first, then the newest. */
  stated(request: StatedRequest): Promise<StatedRow[]>
}

export interface KnownProject {
  readonly project: string | null
  readonly repository: string | null
  readonly project_name: string | null
}

export interface NamedThing {
  readonly id: string
  readonly type: string
  readonly name: string
  /** As it was asked for. */
  readonly called: string
}

export interface StatedRequest {
  readonly agentId: string
  readonly type: 'decision' | 'preference_stated'
  readonly terms: readonly string[]
  /** Least number of the terms. */
  readonly least: number
  readonly limit: number
}

export interface StatedRow {
  readonly event_id: string
  readonly key: string
  readonly session_id: string | null
  /** What it is for: a project, all that the owner does, or the conversation that says it. */
  readonly scope: string
  readonly turn_id: string | null
  readonly made_at: number
  readonly trust: string
  readonly content: string | null
  readonly rule: string | null
  readonly about: string | null
  readonly title: string | null
  readonly project: string | null
  readonly repository: string | null
  readonly project_name: string | null
  readonly hits: number
}
