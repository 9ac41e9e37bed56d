/** Searches of the demo. A test checks the first hit of each. */
import type { SearchAnswer, SearchFilters, StatusReport, SyncReport } from '../library/index.ts'

export interface DemoSearch {
  readonly shows: string
  readonly query: string
  readonly filters: SearchFilters
  readonly limit?: number
  readonly typed: string
}

export const DEMO_SEARCHES: readonly DemoSearch[] = [
  {
    shows: 'A question, answered from a session weeks before',
    query: 'why did we choose sqlite for the job queue',
    filters: {},
    typed: 'search "why did we choose sqlite for the job queue"',
  },
  {
    shows: 'An error code, looked up exactly',
    query: 'ERR_LEASE_EXPIRED',
    filters: {},
    typed: 'search ERR_LEASE_EXPIRED',
  },
  {
    shows: 'What one person said',
    query: 'what did Jason say about posting frequency',
    filters: { speaker: 'Jason' },
    typed: 'search "what did Jason say about posting frequency" --speaker Jason',
  },
  {
    shows: 'One question over messages, mail, meetings and sessions',
    query: 'what did we agree with Sarah about the launch and which session changed the code',
    filters: {},
    limit: 3,
    typed: 'search "what did we agree with Sarah about the launch and which session changed the code"',
  },
]

/** Personal sources need consent: the demo home enables them for its samples. */
export const DEMO_CONFIG = `owner:
  name: Jason Wu
  timezone: Australia/Melbourne
  emails: [jason@lantern.example]
  phones: ['+61 491 570 110']
sources:
  imessage: { enabled: true }
  gmail: { enabled: true }
  calendar: { enabled: true }
  contacts: { enabled: true }
`

export const NEXT_STEPS: readonly { readonly command: string; readonly does: string }[] = [
  { command: 'sources', does: 'what Mnemonic would read on this machine; imports nothing' },
  { command: 'sync', does: 'import your own sessions into ~/.mnemonic' },
  { command: 'search "what did we decide about …"', does: 'ask' },
  { command: 'sessions', does: 'see what is there' },
  { command: '--help', does: 'everything else' },
]

export interface DemoReport {
  readonly home: string
  readonly workspace: string
  readonly kept: boolean
  readonly sync: SyncReport
  readonly counts: StatusReport['agents'] & { readonly chunks: number }
  readonly searches: readonly SearchAnswer[]
  readonly next: readonly string[]
}
