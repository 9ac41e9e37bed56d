/** What forgetting works with: the stores, the places, and the stages that make again what is left. */
import type { Quiet } from '../ledgers/finish-session.ts'
import type { Lease } from '../store/lease.ts'
import type { Store } from '../store/store.ts'

export interface ForgetContext extends Quiet {
  readonly store: Store
  readonly home: string
  readonly workspace: string
  readonly timezone: string
  /** Undefined: everyone's. */
  readonly agentId: string | undefined
  /** Runs `work` while nobody else syncs, indexes or forgets. */
  readonly alone: <T>(work: (lease: Lease) => Promise<T>) => Promise<T>
  /** Makes the documents of a session again. */
  readonly indexSession: (id: string, lease: Lease) => Promise<void>
  readonly published: PublishedFiles
  /** Writes the export again, where there is one. */
  readonly exportAgain: () => Promise<void>
  /** Opens a backup of ours. */
  readonly openCopy: (path: string) => Promise<Store>
  /** Called before each step: the place where a test stops the process. */
  readonly onStep?: (step: ForgetStep) => void | Promise<void>
}

export type ForgetStep = 'tombstones' | 'removal' | 'index' | 'artifacts' | 'erase' | 'scan' | 'receipt'

export interface PublishedFiles {
  /** Removes all that was published of a session; gives the paths, relative to the workspace. */
  remove(session: { readonly sessionId: string; readonly token: string }): Promise<string[]>
  publish(sessionId: string): Promise<void>
  render(agentId: string): Promise<void>
}
