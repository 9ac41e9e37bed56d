/** What forgetting works with. The stages that make again what remains (index, published files, exports) are handed in, so it depends on none. */
import type { Quiet } from '../ledgers/finish-session.ts'
import type { Lease } from '../store/lease.ts'
import type { Store } from '../store/store.ts'

export interface ForgetContext extends Quiet {
  readonly store: Store
  readonly home: string
  readonly workspace: string
  readonly timezone: string
  /** Undefined: every agent's. */
  readonly agentId: string | undefined
  /** Runs `work` under the lease of writing jobs: nobody else syncs, indexes or forgets meanwhile. */
  readonly alone: <T>(work: (lease: Lease) => Promise<T>) => Promise<T>
  /** Makes the documents of a session again. */
  readonly indexSession: (id: string, lease: Lease) => Promise<void>
  /** Groups and indexes again what is left of conversations of which something was removed. */
  readonly regroup: (lease: Lease) => Promise<void>
  readonly published: PublishedFiles
  /** Makes dossiers again without what is gone, or removes them; `holds` is not known where an interrupted forgetting continues. Gives removed paths. */
  readonly dossiers: (holds: ((text: string) => boolean) | undefined) => Promise<string[]>
  /** Removes what was forgotten from all exports, and writes the QMD export again where there is one. */
  readonly exportAgain: () => Promise<void>
  /** Opens a backup that Mnemonic made. */
  readonly openCopy: (path: string) => Promise<Store>
  /** Called before each step: a test stops the process there. */
  readonly onStep?: (step: ForgetStep) => void | Promise<void>
}

export type ForgetStep = 'tombstones' | 'removal' | 'index' | 'artifacts' | 'erase' | 'scan' | 'receipt'

export interface PublishedFiles {
  /** Removes everything that was published of a session; returns the paths, relative to the workspace. */
  remove(session: { readonly sessionId: string; readonly token: string }): Promise<string[]>
  publish(sessionId: string): Promise<void>
  render(agentId: string): Promise<void>
}
