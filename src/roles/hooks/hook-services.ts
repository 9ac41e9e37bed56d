import type { AgentMemory } from '../../config/agent-memory.ts'
import type { HookFailures } from '../../core/hook-failures.ts'
import type { MomentRequest } from '../moment/moment.ts'
import type { BriefAnswer, BriefRequest, ReadAnswer, ReadRequest } from '../reader/reader.ts'
import type { WriterTask } from '../writer/writer-task.ts'

export interface HookServices {
  readonly agent: string
  settings(agent: string): AgentMemory
  read(request: ReadRequest): Promise<ReadAnswer>
  brief(request: BriefRequest): Promise<BriefAnswer>
  moment(request: MomentRequest): Promise<string>
  enqueue(task: WriterTask): Promise<void>
  /** Returns whether a capture is queued now. */
  countTurn(task: Omit<WriterTask, 'kind'>): Promise<boolean>
  startWorker(): Promise<void>
  lastFailures(): HookFailures | undefined
  clearFailures(): void
}
