/** What a caller asks of the memory-reader. */
import type { BriefAnswer, BriefRequest, ReadAnswer, ReadRequest } from '../roles/reader/reader.ts'

export type ReadPromptRequest = Omit<ReadRequest, 'agent'> & { readonly agent?: string }
export type ReadBriefRequest = Omit<BriefRequest, 'agent'> & { readonly agent?: string }

export interface MnemonicReader {
  /** The memory that a prompt is given before its agent sees it: dated, cited pieces within a budget of tokens; nothing where it needs none. */
  read(request: ReadPromptRequest): Promise<ReadAnswer>
  /** What a session is told at its start: where its project stands, what holds, what is open, and what changed since it was last here. */
  brief(request?: ReadBriefRequest): Promise<BriefAnswer>
}
