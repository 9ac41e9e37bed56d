/** What a search answers. The JSON of `mnemonic search --json` is this, in snake_case: docs/json-output.md, pinned by a test. */
import type { DiscussionNote } from '../analyze/discussions/note.ts'
import type { ChangedSince } from '../core/changed-since.ts'
import type { Trust } from '../core/trust.ts'
import type { KnownLine } from './known/known-line.ts'
import type { LeftOffAnswer } from './left-off-answer.ts'
import type { NamedTimes } from './named-times.ts'
import type { PersonalSetting } from './personal-scope.ts'

export interface SearchRequest {
  /** May be left out where `queries` has one. */
  readonly query?: string
  /** Further phrasings of the same question: each is searched, and the lists are fused. At most eight. */
  readonly queries?: readonly string[]
  readonly filters?: SearchFilters
  /** 1 to 200; 10 when absent. */
  readonly limit?: number
  /**
   * What the limit counts: hits, or sessions with their best hit. `history`: sessions in order of time, each with one sentence, up to where relevance
   * ends; 30 when no limit is given. `hit` when absent.
   */
  readonly by?: 'hit' | 'session' | 'history'
  readonly explain?: boolean
  /** Search for every word as it was typed: typing errors are not corrected. What stands in quotes never is. */
  readonly exact?: boolean
  /** Also what is only near in meaning, where no word of the question occurs or the search is exact; nothing is found then without it. */
  readonly nearest?: boolean
  /** A folder: hits of the project that it belongs to come a little earlier. No filter. */
  readonly prefer_project?: string
  /** The folder from which a person asks: a question about where the work stands means its project. No preference of hits. */
  readonly here?: string
  /** For agents in a project: messages, mail and calendars only where the query or a filter names them, or never. All when absent. */
  readonly personal?: PersonalSetting
  /** Stops the search before its next phrasing. */
  readonly signal?: AbortSignal
}

export interface Correction {
  /** A word of the question that stands nowhere. */
  readonly typed: string
  /** The near one that was searched for instead. */
  readonly used: string
}

export interface SearchFilters {
  /** ISO date or time, or "3 days ago" style; inclusive. A bare date is midnight in the owner's zone. */
  readonly after?: string
  /** Exclusive. */
  readonly before?: string
  /** The same as `after` and `before`. */
  readonly since?: string
  readonly until?: string
  /** user, assistant, or a name. */
  readonly speaker?: string
  /** Its name, `owner/name`, its remote, its path or the end of it; `.` is the project of the current folder. */
  readonly project?: string
  /** Id, native id, label or unique prefix. */
  readonly session?: string
  readonly topics?: readonly string[]
  readonly has_decision?: boolean
  readonly ledger?: 'agents' | 'events'
  readonly sources?: readonly string[]
  /** Where it was said: imessage, gmail, calendar, or a harness. */
  readonly channel?: string
  /** Who sent it, who received it, or who took part: a name, a mail address, a phone number, or `me`. Of what people wrote to each other only. */
  readonly from?: string
  readonly to?: string
  readonly with?: string
  /** Only what names this person, project or thing, and what that person sent or received: a name, an alias, an address, or an id. */
  readonly entity?: string
  /** Persona; `all` only at the command line. */
  readonly agent?: string
  readonly branches?: boolean
  /** Only tool calls that touched a file whose path matches this glob. */
  readonly file?: string
  /** Only calls of this tool. */
  readonly tool?: string
  /** Only calls whose command holds this text. */
  readonly command?: string
  /** Only calls that failed. */
  readonly errors?: boolean
}

export interface SearchAnswer {
  /** The first phrasing. */
  readonly query: string
  /** All phrasings, in the order in which they were given. */
  readonly queries: readonly string[]
  /** `hybrid`, or `lexical` with the reason; and whose vectors answered. */
  readonly mode: { readonly requested: string; readonly realized: string; readonly model?: string }
  /** ISO; null when nothing was ever synced. */
  readonly last_sync: string | null
  /**
   * What the results rest on. `words`: at least one of them holds a word of the question. `meaning`: no word matched, these are only the nearest by
   * meaning. `listed`: there was no word to look for, these are the newest that pass the filters, or all of a time that was named alone. `none`: nothing
   * matched; what results there are hold only words that every question has.
   */
  readonly matched: 'words' | 'meaning' | 'listed' | 'none'
  /** Where nothing was found: why what is near in meaning was left out. */
  readonly left_out?: LeftOut
  /** With `by: 'history'`: how much was found and left out. */
  readonly history?: History
  /** Words that were searched for instead of what was typed. */
  readonly corrections: readonly Correction[]
  /** Where the question asks for a fact of somebody or something that memory knows: what holds, since when, what held before; at most three lines. */
  readonly known?: readonly KnownLine[]
  readonly results: readonly SearchResult[]
  /** The same hits by session, conversation or document, in the order of the best hit of each. */
  readonly groups: readonly SearchGroup[]
  /** Given by every search: how many more tool calls match than `results` has, at least so many where not all were counted; null where none was looked for. */
  readonly more?: MoreWork | null
  /** Where a speaker or topic of the filters exists nowhere: which, and what exists. */
  readonly hint?: string
  /** Where the question is a time and nothing else: what was listed, from the first on, where the time has a beginning and an end. */
  readonly listed?: Listed
  /** Where the question names a time: how it was read, and what looks like a time and was not understood. */
  readonly time?: NamedTimes
  /** Where the question asks where the work stands, as "where were we?" does: that, in the place of hits; of a time that was named, beside them. */
  readonly left_off?: LeftOffAnswer
  /** With --explain, where there are several: what each phrasing gave, in the order of `queries`. */
  readonly phrasings?: readonly PhrasingReport[]
}

export interface History {
  /** Sessions, conversations and documents that are shown. */
  readonly sessions: number
  /** Those that are relevant, shown or not. */
  readonly relevant: number
  /** Those that were found and only touch on it. */
  readonly less_relevant: number
  /** False: there may be more of these. */
  readonly counted: boolean
}

export interface LeftOut {
  /** `no_word`: no word of the question occurs, or none does within the filters. `exact`: a quoted phrase, an error code or an exact search must occur itself. */
  readonly reason: 'no_word' | 'exact'
  /** `nearest` would find what is near in meaning. */
  readonly nearest: boolean
  /** The reason, for people. */
  readonly text: string
}

export interface MoreWork {
  readonly work: number
  readonly counted: boolean
  /** Where there are any: how many more hold a quoted phrase on branches that a later edit or fork left. `branches` finds them. */
  readonly abandoned?: number
}

export interface Listed {
  /** For people, in the owner's zone: "January 14, 2026". */
  readonly days: string
  /** ISO, inclusive; null for a time without a beginning. */
  readonly from: string | null
  /** ISO, exclusive; null for a time without an end. */
  readonly to: string | null
  /** All that is of that time, shown or not. */
  readonly hits: number
  readonly sessions: number
  /** Chats, mail threads, series of meetings and single meetings. */
  readonly conversations: number
  /** Where there is nothing, and no filter but project and agent: the nearest days with something, `2026-02-03`. */
  readonly nearest?: { readonly before: string | null; readonly after: string | null }
}

export interface SearchGroup {
  /** What discussion over several sessions or conversations it belongs to; null where it is not known to belong to one. Only of the first groups. */
  readonly discussion: DiscussionNote | null
  /** Of the session, the conversation or the document as a whole, as `show` takes it. */
  readonly id: string
  /** Empty for what belongs to no session. */
  readonly session_id: string
  /** The chat, the mail thread or the calendar; empty for what people did not write to each other. */
  readonly thread_id: string
  /** `imessage`, `gmail`, `calendar`, or the harness; null for a document. */
  readonly channel: string | null
  /** Who takes part, by name, of what people wrote to each other. */
  readonly people: readonly string[]
  readonly title: string | null
  readonly project: string | null
  readonly project_name: string | null
  readonly harness: string | null
  /** Of the best hit. */
  readonly timestamp: string
  /** Positions in `results`, best first. */
  readonly hits: readonly number[]
  /** How many more hits of the session were found and are not among `results`. */
  readonly more: number
}

export interface SearchResult {
  /** Short and unique, as a person types it: `c010174c:7` is the seventh turn of that session, `e:3f2a1c9d` an episode; else the path of a document. */
  readonly id: string
  /** What people and agents said (and wrote), or what a tool call did. */
  readonly kind: 'speech' | 'work'
  readonly session_id: string
  readonly turn_id: string
  /** The chat, the mail thread or the calendar; empty for what people did not write to each other. */
  readonly thread_id: string
  /** `imessage`, `gmail`, `calendar`, or the harness; null for a document. */
  readonly channel: string | null
  /** Who takes part, by name, of what people wrote to each other. */
  readonly people: readonly string[]
  /** Native ids of messages; ids of events. */
  readonly message_ids: readonly string[]
  readonly path: string
  readonly source: string
  /** Whose session it is: `claude-code`, `codex` …; null for what is no session. */
  readonly harness: string | null
  readonly ledger: string
  readonly timestamp: string
  readonly speakers: readonly string[]
  /** Of a session or a conversation; of one without a name those who take part. */
  readonly session_title: string | null
  readonly project: string | null
  /** The repository's own name, with its owner's where two have one name. */
  readonly project_name: string | null
  readonly topics: readonly string[]
  readonly has_decision: boolean
  readonly relevance_score: number
  readonly content: string
  /** The two or three sentences of `content` that answer. */
  readonly excerpt: string
  /** How the question began, where it does not stand in `content`, and neighbouring text; not counted in message_ids. */
  readonly context: string
  readonly trust: Trust
  /** What was decided here holds no longer: what holds instead. Absent where nothing was replaced. */
  readonly superseded_by?: SupersededBy
  /** Its prompt only picks ("2", "yes"), and the next turn takes that back: which, and what it says. */
  readonly taken_back?: TakenBack
  /** What became of the files that its turn wrote. Absent where that is not known: of folders that are not on this machine. */
  readonly changed_since?: ChangedSince
  /** The words and parts that matched, for people. */
  readonly matched: readonly string[]
  /** With --explain: each part of the score. */
  readonly explain?: Readonly<Record<string, number>>
  /** With --explain, where there are several: positions in `queries` of the phrasings that found it. */
  readonly found_by?: readonly number[]
  /** Beside `found_by`: its rank in the list of each of them, from 1. */
  readonly found_at?: readonly number[]
}

export interface TakenBack {
  /** The next turn, for `show`. */
  readonly id: string
  readonly turn_id: string
  readonly text: string
}

/** The decision that holds instead of one in a hit. */
export interface SupersededBy {
  /** `d:3f2a1c9d`, as `decisions` has it. */
  readonly id: string
  /** The turn that says it, for `show`; null where no turn does. */
  readonly cite: string | null
  readonly event_id: string
  readonly decided_at: string
  readonly text: string
}

/** What one phrasing gave. */
export interface PhrasingReport {
  readonly query: string
  /** How many hits it found: so many were fused. */
  readonly found: number
  /** How many of the results it found, and how many of them no other phrasing found. */
  readonly hits: number
  readonly only: number
}
