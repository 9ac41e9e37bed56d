export interface AgentLimits {
  readonly seconds: number
  readonly calls: number
  readonly writes: number
  readonly tokens: number
}
