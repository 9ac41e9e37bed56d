export interface AgentLimits {
  readonly seconds: number
  /** Of both scripts. */
  readonly calls: number
  readonly writes: number
  readonly tokens: number
}
