import type { Trust } from '../core/trust.ts'

export interface GraphMessage {
  readonly message: string
  readonly timestamp: number
  readonly trust: Trust
  readonly handle: string | null
  readonly speaker: string | null
}

export interface GraphPerson {
  readonly handle: string
  readonly name: string | null
  readonly message: string
}

export interface GraphEpisode {
  readonly id: string
  readonly channel: string | null
  readonly thread: string | null
  readonly messages: readonly GraphMessage[]
  readonly people: readonly GraphPerson[]
}
