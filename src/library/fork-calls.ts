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
  buildForkContext(request: ForkRequest): Promise<ForkContext>
  /** As cited text to paste. The budget applies to the text. */
  forkText(request: ForkRequest): Promise<ForkText>
  writeFork(request: WriteForkRequest): Promise<WrittenFork>
  /** Writes a new session file that a harness can resume. Source sessions do not change. */
  forkSession(request: ForkSessionRequest): Promise<ForkedSession>
}
