import type { McpServer } from '@modelcontextprotocol/server'
import type { Mnemonic } from '../library/index.ts'
import type { Answered } from './answered.ts'
import type { BackgroundSync } from './background-sync.ts'

export interface Served {
  readonly server: McpServer
  readonly mnemonic: Mnemonic
  readonly sync: BackgroundSync
  readonly answered: Answered
  /** Adds structured content with a schema, for programs. A model would read it instead of the text. */
  readonly structured: boolean
  readonly now: () => number
  readonly folder: () => Promise<string>
  /** Limits messages, mail and calendars that may be read in the folder. */
  readonly personal: () => ReturnType<Mnemonic['personalIn']>
}
