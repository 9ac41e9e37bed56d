/** What a hook asks the rest of the program for. Handed in, so that a hook can be tested without a home. */
import type { AgentMemory } from '../../config/agent-memory.ts'
import type { HookFailures } from '../../core/hook-failures.ts'
import type { MomentRequest } from '../moment/moment.ts'
import type { BriefAnswer, BriefRequest, ReadAnswer, ReadRequest } from '../reader/reader.ts'
import type { WriterTask } from '../writer/writer-task.ts'

export interface HookServices {
  /** The agent whose memory it is, where the harness does not say. */
  readonly agent: string
  settings(agent: string): AgentMemory
  read(request: ReadRequest): Promise<ReadAnswer>
  brief(request: BriefRequest): Promise<BriefAnswer>
  /** What a tool call is given. */
  moment(request: MomentRequest): Promise<string>
  /** Leaves a task for the writer. */
  enqueue(task: WriterTask): Promise<void>
  /** Counts a turn that ended; true where its capture waits by now. */
  countTurn(task: Omit<WriterTask, 'kind'>): Promise<boolean>
  /** Starts the worker where none works. Nothing waits for it. */
  startWorker(): Promise<void>
  /** What hooks could not do since a start last told of it. */
  lastFailures(): HookFailures | undefined
  /** They have been told. */
  clearFailures(): void
}
