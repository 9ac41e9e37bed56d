/** What a tool, a resource or a prompt has at hand: the memory, and what this connection knows. */
import type { McpServer } from '@modelcontextprotocol/server'
import type { Mnemonic } from '../library/index.ts'
import type { Answered } from './answered.ts'
import type { BackgroundSync } from './background-sync.ts'

export interface Served {
  readonly server: McpServer
  readonly mnemonic: Mnemonic
  readonly sync: BackgroundSync
  readonly answered: Answered
  /** For programs: each answer also as structured content, with its schema. A model would then read that in place of the text. */
  readonly structured: boolean
  readonly now: () => number
  /** The folder that the client works in. */
  readonly folder: () => Promise<string>
  /** Which messages, mail and calendars may be read there. */
  readonly personal: () => ReturnType<Mnemonic['personalIn']>
}
