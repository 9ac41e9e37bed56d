import type { EventPerson } from '../../ledgers/event-record.ts'
import type { SaidText } from '../statements/extractor.ts'

export interface Said extends SaidText {
  readonly timestamp: number
  readonly channel: string
  readonly thread: string | null
  readonly speaker: string | null
  readonly trust: string
  readonly agentId: string
  readonly people: readonly EventPerson[]
  readonly where: Readonly<Record<string, unknown>>
}
