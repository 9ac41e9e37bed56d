/** Without the query builder: the reader's process lives for one prompt. Never writes. */
import type { ReaderGivenTable } from './tables.ts'
import type { FileAction } from './work.ts'

export type GivenPiece = Pick<ReaderGivenTable, 'kind' | 'id' | 'part'>

export type ReadingSession = Pick<ReaderGivenTable, 'agent_id' | 'harness' | 'session'>

export interface GivenNote extends ReadingSession {
  readonly pieces: readonly GivenPiece[]
  readonly given_at: number
  readonly expired_before: number
}

export interface ReaderRows {
  given(session: ReadingSession): Promise<GivenPiece[]>
  /** With its last prompts, newest first. Undefined if not captured yet. */
  session(harness: string, nativeId: string, prompts: number): Promise<{ readonly id: string; readonly prompts: string[] } | undefined>
  /** Newest first; a file appears once per touch. */
  files(sessionId: string, most: number): Promise<{ readonly path: string; readonly action: FileAction }[]>
  projects(agentId: string): Promise<KnownProject[]>
  /** `names` must be folded as aliases are. */
  entities(agentId: string, names: readonly string[]): Promise<NamedThing[]>
  byFirstName(agentId: string, names: readonly string[]): Promise<NamedThing[]>
  /** The entity with this id, or the owner entity of every agent. */
  owners(agentId: string, ownerId: string): Promise<string[]>
  aliases(entityIds: readonly string[]): Promise<{ readonly entity_id: string; readonly value: string }[]>
  holdsPersonal(): Promise<boolean>
  channels(): Promise<string[]>
  /** Handles in the address book, in chats or in mail sent by the owner. A mere sender of mail does not count. */
  acquainted(handles: readonly string[]): Promise<string[]>
  /** `text` must be lower-cased. */
  threadsNamedIn(text: string, shortest: number): Promise<{ readonly id: string; readonly name: string }[]>
  /** Active statements with at least one term; most terms first, then newest. */
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
  readonly called: string
}

export interface StatedRequest {
  readonly agentId: string
  readonly type: 'decision' | 'preference_stated'
  readonly terms: readonly string[]
  readonly least: number
  readonly limit: number
}

export interface StatedRow {
  readonly event_id: string
  readonly key: string
  readonly session_id: string | null
  /** Where it applies: a project, everything, or its own conversation. */
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
