/** Stages that rebuild data are injected, so that forgetting depends on none. */
import type { Quiet } from '../ledgers/finish-session.ts'
import type { Lease } from '../store/lease.ts'
import type { Store } from '../store/store.ts'

export interface ForgetContext extends Quiet {
  readonly store: Store
  readonly home: string
  readonly workspace: string
  readonly timezone: string
  /** Undefined: all agents. */
  readonly agentId: string | undefined
  /** Holds the writers' lease. */
  readonly alone: <T>(work: (lease: Lease) => Promise<T>) => Promise<T>
  readonly indexSession: (id: string, lease: Lease) => Promise<void>
  readonly regroup: (lease: Lease) => Promise<void>
  readonly published: PublishedFiles
  /** Rebuilds or removes dossiers; returns removed paths. `holds` is undefined for a resumed forget. */
  readonly dossiers: (holds: ((text: string) => boolean) | undefined) => Promise<string[]>
  readonly exportAgain: () => Promise<void>
  readonly openCopy: (path: string) => Promise<Store>
  /** For tests that stop the process. */
  readonly onStep?: (step: ForgetStep) => void | Promise<void>
}

export type ForgetStep = 'tombstones' | 'removal' | 'index' | 'artifacts' | 'erase' | 'scan' | 'receipt'

export interface PublishedFiles {
  /** Returns paths relative to the workspace. */
  remove(session: { readonly sessionId: string; readonly token: string }): Promise<string[]>
  publish(sessionId: string): Promise<void>
  render(agentId: string): Promise<void>
}
