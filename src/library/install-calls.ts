/** What installs Mnemonic into the harnesses of this machine, and what a first run shows: the shapes of these calls. */
import type { SourceInfo } from '../browse/browse.ts'
import type { TimerState } from '../operations/timer-state.ts'
import type { InstallOptions, InstallReport } from '../roles/install/install.ts'

/** snake_case: this is the JSON of `install` without a name. */
export interface HarnessState {
  readonly name: string
  readonly title: string
  /** Whether there is anything of it on this machine. */
  readonly detected: boolean
  /** Whether Mnemonic stands in any of its files. */
  readonly installed: boolean
  /** Whether it is there as a plugin, by the harness's own command: then nothing is to be written. */
  readonly as_plugin: boolean
  readonly files: readonly { readonly path: string; readonly what: string }[]
  /** What could not be looked at: a file that is not valid. */
  readonly warnings: readonly string[]
}

/** What a first run would import and install: the JSON of `init` where nothing is done. */
export interface InitPlan {
  readonly home: string
  readonly workspace: string
  /** The harnesses whose logs are read, with how much there is. */
  readonly sources: readonly PlannedSource[]
  /** The owner's own messages and mail that are on this machine: read only with consent, each. */
  readonly personal: readonly { readonly name: string; readonly path: string; readonly enabled: boolean }[]
  readonly harnesses: readonly HarnessState[]
  readonly auto_publish: boolean
  /** Whether a sync runs by itself. */
  readonly timer: TimerState
}

export interface PlannedSource extends Pick<SourceInfo, 'name' | 'bytes' | 'waiting' | 'oldest_waiting' | 'retention'> {
  readonly files: number
}

/** The first thing that memory says of the person's own history. */
export interface FirstHit {
  readonly kind: 'decision' | 'session'
  /** What a person would ask. */
  readonly question: string
  readonly answer: string
  readonly date: string | null
  readonly project: string | null
  /** What `show` takes. */
  readonly cite: string
  /** The command that answers the question. */
  readonly command: string
}

export interface MnemonicInstalling {
  /** Every harness that is known, and the timer, with what of Mnemonic stands in their files. Changes nothing. */
  harnesses(): Promise<HarnessState[]>
  /** Registers MCP server and hooks in the files of a harness; with `timer`, a sync every hour. A second time changes nothing. */
  install(name: string, options?: InstallOptions): Promise<InstallReport>
  /** Removes exactly our entries. */
  uninstall(name: string, options?: InstallOptions): Promise<InstallReport>
  /** Writes a folder that Claude Code's own plugin command takes; by default into the home. */
  plugin(options?: InstallOptions & { readonly folder?: string | undefined }): Promise<InstallReport>
  /** What a first run would import and install. Changes nothing. */
  plan(): Promise<InitPlan>
  /** Whether a sync runs by itself. */
  timer(): Promise<TimerState>
  /** Whether a sync publishes sessions that ended; true where that changed the configuration. */
  setAutoPublish(enabled: boolean): Promise<boolean>
  /** The newest decision that holds, else the newest session; undefined where nothing is imported. */
  firstHit(): Promise<FirstHit | undefined>
}
