/** Reads the files of other programs, so it finds registrations of any origin. */
import { HARNESSES } from '../roles/install/harnesses.ts'
import { type InstallContext, registeredIn, uninstall } from '../roles/install/install.ts'

export interface Registered {
  readonly path: string
  /** For display: "the hooks of Claude Code". */
  readonly what: string
}

export interface Registration {
  readonly name: string
  find(): Promise<readonly Registered[]>
  /** Names unreadable files. */
  warnings?(): readonly string[]
  /** Leaves the file's other content. */
  remove(found: Registered): Promise<void>
}

export function registrationsOn(context: InstallContext): Registration[] {
  return HARNESSES.map((harness) => ({
    name: harness.name,
    find: async () => registeredIn(harness, context).found,
    warnings: () => registeredIn(harness, context).warnings,
    // Removes the whole harness; later calls do nothing.
    remove: async () => void uninstall(harness, context),
  }))
}
