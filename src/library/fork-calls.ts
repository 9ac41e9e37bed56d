/** The calls that make forks. */
import type { ForkContext, ForkRequest, ForkText } from '../fork/fork-context.ts'
import type { ForkedSession, ForkSessionRequest } from '../fork/native/forked-session.ts'

export interface WriteForkRequest extends ForkRequest {
  readonly format: 'markdown' | 'json'
  readonly out: string
}

export interface WrittenFork extends ForkContext {
  readonly path: string
}

export interface Forking {
  /** The turns of earlier sessions that bear on a question, with what they depend on, within a budget of tokens. */
  buildForkContext(request: ForkRequest): Promise<ForkContext>
  /** The same as a cited text to paste; the budget is that of the text. */
  forkText(request: ForkRequest): Promise<ForkText>
  /** Either of the two into a file of the owner's. */
  writeFork(request: WriteForkRequest): Promise<WrittenFork>
  /** The same as a session that a harness can resume, in a new file. The sessions that it copies from stay as they are. */
  forkSession(request: ForkSessionRequest): Promise<ForkedSession>
}
