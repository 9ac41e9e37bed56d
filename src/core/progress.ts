/** Progress events of long jobs: the library emits them, the command line draws them. */
export type ProgressEvent =
  | WaitEvent
  | { readonly stage: 'discover'; readonly adapter: string; readonly found: number }
  | {
      readonly stage: 'ingest'
      readonly adapter: string
      readonly done: number
      readonly total: number
      readonly path: string
      readonly within?: UnitProgress
    }
  | { readonly stage: 'index'; readonly done: number; readonly total: number }
  /** Unit: threads and sessions. */
  | { readonly stage: 'episodes'; readonly done: number; readonly total: number }
  /** Unit: runs. `type`: the last analysis. */
  | { readonly stage: 'analyze'; readonly done: number; readonly total: number; readonly type: string }
  /** Unit: chunks. `stopsInMs`: time left for this run. */
  | { readonly stage: 'embed'; readonly done: number; readonly total: number; readonly stopsInMs?: number }
  /** Unit: bytes. */
  | { readonly stage: 'copy'; readonly done: number; readonly total: number }
  /** Unit: migrations. `waiting`: another process migrates. */
  | { readonly stage: 'migrate'; readonly done: number; readonly total: number; readonly waiting?: boolean }
  /** Unit: records; the total is unknown. */
  | { readonly stage: 'secrets'; readonly done: number; readonly total: number }
  /** Unit: messages. */
  | { readonly stage: 'export'; readonly done: number; readonly total: number }

export interface UnitProgress {
  readonly records: number
  /** Null if not read in order. */
  readonly bytes: number | null
  /** 0 for a pipe. */
  readonly size: number
}

/** Emitted once if another process must finish first. */
export interface WaitEvent {
  readonly stage: 'wait'
  readonly job: string
  readonly pid: number
  readonly host: string
  readonly since: number
}

export type OnProgress = (event: ProgressEvent) => void
