/** Missing columns read as null. */
import { type Has, milliseconds } from './schema.ts'

export interface MessageRow {
  readonly rowid: number
  readonly guid: string | null
  readonly text: string | null
  readonly subject: string | null
  readonly body: Buffer | null
  readonly handle_id: number | null
  readonly is_from_me: number | null
  readonly date: number | null
  readonly service: string | null
  readonly account: string | null
  readonly error: number | null
  readonly is_spam: number | null
  readonly is_audio_message: number | null
  readonly item_type: number | null
  readonly group_action_type: number | null
  readonly group_title: string | null
  readonly other_handle: number | null
  readonly share_status: number | null
  readonly associated_message_guid: string | null
  readonly associated_message_type: number | null
  readonly associated_message_emoji: string | null
  readonly balloon_bundle_id: string | null
  readonly payload: Buffer | null
  readonly summary: Buffer | null
  readonly thread_originator_guid: string | null
  readonly date_edited: number | null
  readonly date_retracted: number | null
  readonly destination_caller_id: string | null
  readonly cache_roomnames: string | null
  readonly part_count: number | null
  readonly schedule_type: number | null
}

const PLAIN = [
  'subject',
  'handle_id',
  'service',
  'account',
  'error',
  'is_spam',
  'is_audio_message',
  'item_type',
  'group_action_type',
  'group_title',
  'other_handle',
  'share_status',
  'associated_message_guid',
  'associated_message_type',
  'associated_message_emoji',
  'balloon_bundle_id',
  'thread_originator_guid',
  'destination_caller_id',
  'cache_roomnames',
  'part_count',
  'schedule_type',
] as const

/** SQLite values are untyped: cast these to numbers, all others to text. */
const NUMBERS: ReadonlySet<string> = new Set(
  'handle_id error is_spam is_audio_message item_type group_action_type other_handle share_status associated_message_type part_count schedule_type'.split(
    ' ',
  ),
)

const as = (type: 'text' | 'integer' | 'blob', column: string) => `cast(${column} as ${type})`

export function selectMessages(has: Has): string {
  const typed = (name: string) => as(NUMBERS.has(name) ? 'integer' : 'text', `m.${name}`)
  const column = (name: string, called = name, sql = typed(name)) => (has('message', name) ? `${sql} as ${called}` : `null as ${called}`)
  const payload =
    has('message', 'payload_data') && has('message', 'balloon_bundle_id')
      ? `case when m.balloon_bundle_id is not null then ${as('blob', 'm.payload_data')} end`
      : 'null'
  const columns = [
    ...['m.ROWID as rowid', `${as('text', 'm.guid')} as guid`, `${as('integer', 'm.is_from_me')} as is_from_me`, column('text')],
    column('attributedBody', 'body', as('blob', 'm.attributedBody')),
    ...['date', 'date_edited', 'date_retracted'].map((name) => column(name, name, milliseconds(`m.${name}`))),
    ...PLAIN.map((name) => column(name)),
    ...[`${payload} as payload`, column('message_summary_info', 'summary', as('blob', 'm.message_summary_info'))],
  ]
  return `select ${columns.join(', ')} from message m`
}

export function sizeOf({ text, body, payload, summary }: MessageRow): number {
  return 200 + (text?.length ?? 0) + (body?.length ?? 0) + (payload?.length ?? 0) + (summary?.length ?? 0)
}
