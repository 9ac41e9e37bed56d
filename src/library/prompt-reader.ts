import type { BriefAnswer, ReadAnswer } from '../roles/reader/reader.ts'
import type { PersonalSetting } from '../search/personal-scope.ts'

export interface ReadBriefRequest {
  readonly agent?: string
  readonly folder?: string
  readonly harness?: string
  /** The harness's own id. */
  readonly session?: string
  readonly maxTokens?: number
  /** After it fires, the answer uses what was found so far. */
  readonly signal?: AbortSignal
}

export interface ReadPromptRequest extends ReadBriefRequest {
  readonly prompt: string
  /** First prompt of its session: "continue" then asks where the work stands. */
  readonly opens?: boolean
  /** Default: the folder's current branch. */
  readonly branch?: string
  readonly explain?: boolean
}

export interface MnemonicReader {
  /** Dated, cited memory for a prompt, within a token budget; empty if it needs none. */
  read(request: ReadPromptRequest): Promise<ReadAnswer>
  /** For a session start: state of the project, decisions, open work and changes since the last session. */
  brief(request?: ReadBriefRequest): Promise<BriefAnswer>
  /** The `read.personal` setting inside a project; elsewhere `always`. */
  personalIn(folder: string): Promise<PersonalSetting>
}
