/** Finds hooks, MCP servers, plugins and timers in the files of other programs, whoever installed them. */
import { HARNESSES } from '../roles/install/harnesses.ts'
import { type InstallContext, registeredIn, uninstall } from '../roles/install/install.ts'

export interface Registered {
  readonly path: string
  /** For display: "the hooks of Claude Code". */
  readonly what: string
}

export interface Registration {
  readonly name: string
  /** Read-only. */
  find(): Promise<readonly Registered[]>
  /** Unreadable files, for display. */
  warnings?(): readonly string[]
  /** Leaves other content of the file unchanged. */
  remove(found: Registered): Promise<void>
}

export function registrationsOn(context: InstallContext): Registration[] {
  return HARNESSES.map((harness) => ({
    name: harness.name,
    find: async () => registeredIn(harness, context).found,
    warnings: () => registeredIn(harness, context).warnings,
    // Removes all of a harness's files at once; further calls do nothing.
    remove: async () => void uninstall(harness, context),
  }))
}
