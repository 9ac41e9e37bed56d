/** The JSON of `mnemonic search --json`: docs/json-output.md, pinned by a test. */
import type { DiscussionNote } from '../analyze/discussions/note.ts'
import type { ChangedSince } from '../core/changed-since.ts'
import type { Trust } from '../core/trust.ts'
import type { KnownLine } from './known/known-line.ts'
import type { LeftOffAnswer } from './left-off-answer.ts'
import type { NamedTimes } from './named-times.ts'
import type { PersonalSetting } from './personal-scope.ts'

export interface SearchRequest {
  /** Optional if `queries` has one. */
  readonly query?: string
  /** Other phrasings of the question, at most eight; their lists are fused. */
  readonly queries?: readonly string[]
  readonly filters?: SearchFilters
  /** 1 to 200; default 10. */
  readonly limit?: number
  /**
   * What the limit counts: hits (default), or sessions with their best hit. `history`: relevant sessions in order of time, default limit
   * 30.
   */
  readonly by?: 'hit' | 'session' | 'history'
  readonly explain?: boolean
  /** No correction of typing errors. Quoted text is never corrected. */
  readonly exact?: boolean
  /** Also hits by meaning alone, if no word matches or the search is exact. */
  readonly nearest?: boolean
  /** A folder: hits of its project come a little earlier. */
  readonly prefer_project?: string
  /** The caller's folder: selects the project for "where were we?". */
  readonly here?: string
  /** Messages, mail and calendars: only if the query or a filter names them, or never. Default all. */
  readonly personal?: PersonalSetting
  readonly signal?: AbortSignal
}

export interface Correction {
  readonly typed: string
  readonly used: string
}

export interface SearchFilters {
  /** ISO date or time, or "3 days ago"; inclusive. A bare date is midnight in the owner's zone. */
  readonly after?: string
  /** Exclusive. */
  readonly before?: string
  /** Aliases of `after` and `before`. */
  readonly since?: string
  readonly until?: string
  /** user, assistant, or a name. */
  readonly speaker?: string
  /** Name, `owner/name`, remote, path or end of a path; `.` is the project of the current folder. */
  readonly project?: string
  /** Id, native id, label or unique prefix. */
  readonly session?: string
  readonly topics?: readonly string[]
  readonly has_decision?: boolean
  readonly ledger?: 'agents' | 'events'
  readonly sources?: readonly string[]
  /** imessage, gmail, calendar, or a harness. */
  readonly channel?: string
  /** Sender, recipient or participant of a message: a name, a mail address, a phone number or `me`. */
  readonly from?: string
  readonly to?: string
  readonly with?: string
  /** Chunks that name this person, project or thing, and messages of that person. A name, alias, address or id. */
  readonly entity?: string
  /** Persona; `all` only on the command line. */
  readonly agent?: string
  readonly branches?: boolean
  /** Tool calls that touched a file matching this glob. */
  readonly file?: string
  readonly tool?: string
  readonly command?: string
  readonly errors?: boolean
}

export interface SearchAnswer {
  readonly query: string
  readonly queries: readonly string[]
  /** `hybrid`, or `lexical` with the reason. `model` made the vectors. */
  readonly mode: { readonly requested: string; readonly realized: string; readonly model?: string }
  /** ISO; null before the first sync. */
  readonly last_sync: string | null
  /**
   * `words`: a result holds a word of the question. `meaning`: results are only near in meaning. `listed`: the newest within the filters,
   * or all of a time. `none`: no match, or only on words of every question.
   */
  readonly matched: 'words' | 'meaning' | 'listed' | 'none'
  readonly left_out?: LeftOut
  readonly history?: History
  readonly corrections: readonly Correction[]
  /** Facts that the question asks for: current, since when, former. At most three lines. */
  readonly known?: readonly KnownLine[]
  readonly results: readonly SearchResult[]
  readonly groups: readonly SearchGroup[]
  /** Matching tool calls beyond `results`; a lower bound if not counted. Null if none were searched. */
  readonly more?: MoreWork | null
  /** Unknown speakers or topics in the filters, and the known ones. */
  readonly hint?: string
  /** Set if the question is only a time. A closed time is listed from its beginning. */
  readonly listed?: Listed
  readonly time?: NamedTimes
  /** For "where were we?": replaces hits; beside them if the question names a time. */
  readonly left_off?: LeftOffAnswer
  readonly phrasings?: readonly PhrasingReport[]
}

export interface History {
  readonly sessions: number
  readonly relevant: number
  readonly less_relevant: number
  /** False: there may be more. */
  readonly counted: boolean
}

export interface LeftOut {
  /**
   * `no_word`: no word of the question matches within the filters. `exact`: a quoted phrase, an error code or an exact search must match.
   */
  readonly reason: 'no_word' | 'exact'
  /** Whether `nearest` would find hits. */
  readonly nearest: boolean
  readonly text: string
}

export interface MoreWork {
  readonly work: number
  readonly counted: boolean
  /** Further matches of a quoted phrase on abandoned branches; `branches` finds them. */
  readonly abandoned?: number
}

export interface Listed {
  /** For people, in the owner's zone: "January 14, 2026". */
  readonly days: string
  /** ISO, inclusive; null if open. */
  readonly from: string | null
  /** ISO, exclusive; null if open. */
  readonly to: string | null
  readonly hits: number
  readonly sessions: number
  /** Chats, mail threads, series of meetings and single meetings. */
  readonly conversations: number
  /** Nearest days with something, `2026-02-03`; set if nothing is found and only project and agent filter. */
  readonly nearest?: { readonly before: string | null; readonly after: string | null }
}

export interface SearchGroup {
  /** The discussion that spans several sessions; null if unknown. Only for the first groups. */
  readonly discussion: DiscussionNote | null
  /** For `show`: the session, conversation or document. */
  readonly id: string
  /** Empty without a session. */
  readonly session_id: string
  /** Chat, mail thread or calendar; else empty. */
  readonly thread_id: string
  /** `imessage`, `gmail`, `calendar`, or the harness; null for a document. */
  readonly channel: string | null
  /** Participants of a conversation. */
  readonly people: readonly string[]
  readonly title: string | null
  readonly project: string | null
  readonly project_name: string | null
  readonly harness: string | null
  readonly timestamp: string
  /** Positions in `results`, best first. */
  readonly hits: readonly number[]
  /** Further hits of the session that are not in `results`. */
  readonly more: number
}

export interface SearchResult {
  /** Short: `c010174c:7` is turn 7 of a session, `e:3f2a1c9d` an episode. Else the path of a document. */
  readonly id: string
  readonly kind: 'speech' | 'work'
  readonly session_id: string
  readonly turn_id: string
  readonly thread_id: string
  readonly channel: string | null
  readonly people: readonly string[]
  /** Native message ids, or event ids. */
  readonly message_ids: readonly string[]
  readonly path: string
  readonly source: string
  /** `claude-code`, `codex` …; null without a session. */
  readonly harness: string | null
  readonly ledger: string
  readonly timestamp: string
  readonly speakers: readonly string[]
  readonly session_title: string | null
  readonly project: string | null
  /** Name of the repository, with its owner if ambiguous. */
  readonly project_name: string | null
  readonly topics: readonly string[]
  readonly has_decision: boolean
  readonly relevance_score: number
  readonly content: string
  readonly excerpt: string
  /** Beginning of the question and text around; not counted in message_ids. */
  readonly context: string
  readonly trust: Trust
  /** What replaced the decision in this hit. */
  readonly superseded_by?: SupersededBy
  /** The next turn, if it takes back a prompt that only picks ("2", "yes"). */
  readonly taken_back?: TakenBack
  /** Later state of the files that the turn wrote. Absent if unknown, as for folders not on this machine. */
  readonly changed_since?: ChangedSince
  readonly matched: readonly string[]
  readonly explain?: Readonly<Record<string, number>>
  /** With --explain: positions in `queries` of the phrasings that found it. */
  readonly found_by?: readonly number[]
  /** Its rank in each of their lists, from 1. */
  readonly found_at?: readonly number[]
}

export interface TakenBack {
  readonly id: string
  readonly turn_id: string
  readonly text: string
}

export interface SupersededBy {
  /** `d:3f2a1c9d`, as in `decisions`. */
  readonly id: string
  /** The turn for `show`; null if no turn says it. */
  readonly cite: string | null
  readonly event_id: string
  readonly decided_at: string
  readonly text: string
}

export interface PhrasingReport {
  readonly query: string
  readonly found: number
  readonly hits: number
  readonly only: number
}
