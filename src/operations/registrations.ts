/** Where Mnemonic is wired into other programs: hooks, MCP servers, skills. An installer adds its entry here, so that uninstalling finds what it did. */

export interface Registered {
  /** The file or setting that names Mnemonic. */
  readonly path: string
  /** For people: "the session hooks of Claude Code". */
  readonly what: string
}

export interface Registration {
  readonly name: string
  /** What is wired in on this machine now. Changes nothing. */
  find(): Promise<readonly Registered[]>
  /** Undoes it; what others wrote into the same file stays as it is. */
  remove(found: Registered): Promise<void>
}

export const REGISTRATIONS: readonly Registration[] = []
