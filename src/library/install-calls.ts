import type { SourceInfo } from '../browse/browse.ts'
import type { TimerState } from '../operations/timer-state.ts'
import type { InstallOptions, InstallReport } from '../roles/install/install.ts'

/** snake_case: this is the JSON of `install` without a name. */
export interface HarnessState {
  readonly name: string
  readonly title: string
  readonly detected: boolean
  readonly installed: boolean
  /** Installed as a plugin by the harness's own command: write nothing. */
  readonly as_plugin: boolean
  readonly files: readonly { readonly path: string; readonly what: string }[]
  readonly warnings: readonly string[]
}

/** Dry run of `init`, as its JSON. */
export interface InitPlan {
  readonly home: string
  readonly workspace: string
  readonly sources: readonly PlannedSource[]
  /** Personal messages and mail found; each needs its own consent. */
  readonly personal: readonly { readonly name: string; readonly path: string; readonly enabled: boolean }[]
  readonly harnesses: readonly HarnessState[]
  readonly auto_publish: boolean
  readonly timer: TimerState
}

export interface PlannedSource extends Pick<SourceInfo, 'name' | 'bytes' | 'waiting' | 'oldest_waiting' | 'retention'> {
  readonly files: number
}

export interface FirstHit {
  readonly kind: 'decision' | 'session'
  readonly question: string
  readonly answer: string
  readonly date: string | null
  readonly project: string | null
  readonly cite: string
  readonly command: string
}

export interface MnemonicInstalling {
  /** All harnesses and the timer. Read-only. */
  harnesses(): Promise<HarnessState[]>
  /** Registers MCP server and hooks in the harness's files; `timer` runs sync every hour. Idempotent. */
  install(name: string, options?: InstallOptions): Promise<InstallReport>
  /** Removes exactly our entries. */
  uninstall(name: string, options?: InstallOptions): Promise<InstallReport>
  /** Writes a folder for Claude Code's plugin command. Default: in the home. */
  plugin(options?: InstallOptions & { readonly folder?: string | undefined }): Promise<InstallReport>
  plan(): Promise<InitPlan>
  timer(): Promise<TimerState>
  /** Whether sync publishes ended sessions. Returns whether the configuration changed. */
  setAutoPublish(enabled: boolean): Promise<boolean>
  /** The newest valid decision, else the newest session; undefined before an import. */
  firstHit(): Promise<FirstHit | undefined>
}
