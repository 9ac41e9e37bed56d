/** Where Mnemonic is wired into other programs: hooks, MCP servers, plugins, a timer. What is there is looked up in their files, whoever wrote it and for whichever home. */
import { HARNESSES } from '../roles/install/harnesses.ts'
import { type InstallContext, registeredIn, uninstall } from '../roles/install/install.ts'

export interface Registered {
  /** The file or setting that names Mnemonic. */
  readonly path: string
  /** For people: "the hooks of Claude Code". */
  readonly what: string
}

export interface Registration {
  readonly name: string
  /** What is wired in on this machine now. Changes nothing. */
  find(): Promise<readonly Registered[]>
  /** What could not be looked at, for people. */
  warnings?(): readonly string[]
  /** Undoes it; what others wrote into the same file stays as it is. */
  remove(found: Registered): Promise<void>
}

export function registrationsOn(context: InstallContext): Registration[] {
  return HARNESSES.map((harness) => ({
    name: harness.name,
    find: async () => registeredIn(harness, context).found,
    warnings: () => registeredIn(harness, context).warnings,
    // All of a harness at once: the second of its files finds nothing left to do.
    remove: async () => void uninstall(harness, context),
  }))
}
