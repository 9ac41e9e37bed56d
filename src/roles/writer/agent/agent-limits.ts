/** What one run may use. */
export interface AgentLimits {
  readonly seconds: number
  /** Of the two scripts. */
  readonly calls: number
  readonly writes: number
  readonly tokens: number
}
