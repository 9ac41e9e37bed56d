/** What a caller asks of the memory-reader. */
import type { BriefAnswer, ReadAnswer } from '../roles/reader/reader.ts'
import type { PersonalSetting } from '../search/personal-scope.ts'

export interface ReadBriefRequest {
  /** The persona whose memory is read: that of the configuration when absent. */
  readonly agent?: string
  /** The folder that the session works in. */
  readonly folder?: string
  readonly harness?: string
  /** The session by the harness's own id. */
  readonly session?: string
  /** Most tokens of the whole text. */
  readonly maxTokens?: number
  /** Answers with what there is when it fires. */
  readonly signal?: AbortSignal
}

export interface ReadPromptRequest extends ReadBriefRequest {
  readonly prompt: string
  /** The prompt is the first of its session: then "continue" asks where the work stands. */
  readonly opens?: boolean
  /** The branch that is worked on; default: that of the folder. */
  readonly branch?: string
  /** Says for each candidate why it is there, or why not. */
  readonly explain?: boolean
}

export interface MnemonicReader {
  /** The memory that a prompt is given before its agent sees it: dated, cited pieces within a budget of tokens; nothing where it needs none. */
  read(request: ReadPromptRequest): Promise<ReadAnswer>
  /** What a session is told at its start: where its project stands, what holds, what is open, and what changed since it was last here. */
  brief(request?: ReadBriefRequest): Promise<BriefAnswer>
  /** Which messages, mail and calendars an agent may read that works in this folder: `read.personal` in a project, elsewhere `always`. */
  personalIn(folder: string): Promise<PersonalSetting>
}
