/** What a long job reports while it works. The library emits these events; only the command line draws them. */
export type ProgressEvent =
  | WaitEvent
  | { readonly stage: 'discover'; readonly adapter: string; readonly found: number }
  | {
      readonly stage: 'ingest'
      readonly adapter: string
      readonly done: number
      readonly total: number
      readonly path: string
      /** How far a long one is; absent at its beginning. */
      readonly within?: UnitProgress
    }
  | { readonly stage: 'index'; readonly done: number; readonly total: number }
  /** In threads and sessions. */
  | { readonly stage: 'episodes'; readonly done: number; readonly total: number }
  /** In runs; `type`: the analysis of the last ones. */
  | { readonly stage: 'analyze'; readonly done: number; readonly total: number; readonly type: string }
  /** In chunks. `stopsInMs`: how long this run may still take. */
  | { readonly stage: 'embed'; readonly done: number; readonly total: number; readonly stopsInMs?: number }
  /** In bytes. */
  | { readonly stage: 'copy'; readonly done: number; readonly total: number }
  /** In migrations of the database; `waiting`: another process is migrating. */
  | { readonly stage: 'migrate'; readonly done: number; readonly total: number; readonly waiting?: boolean }
  /** In records of the ledger; how many there are nobody counts first. */
  | { readonly stage: 'secrets'; readonly done: number; readonly total: number }
  /** In messages. */
  | { readonly stage: 'export'; readonly done: number; readonly total: number }

/** Within one file, database or pipe. */
export interface UnitProgress {
  /** Records that were read of it. */
  readonly records: number
  /** Of its bytes; null where they are not read in order. */
  readonly bytes: number | null
  /** 0 for a pipe. */
  readonly size: number
}

/** Emitted once, when another process has to finish first. */
export interface WaitEvent {
  readonly stage: 'wait'
  /** What the other process does, as a command: `sync`, `embed` … */
  readonly job: string
  readonly pid: number
  readonly host: string
  /** Milliseconds UTC. */
  readonly since: number
}

export type OnProgress = (event: ProgressEvent) => void
