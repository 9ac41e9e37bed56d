import { given } from '../../../core/given.ts'
import { shortHash } from '../../../core/hash.ts'
import { parseTimestamp } from '../../../core/time.ts'
import type { MessageRecord } from '../../../ledgers/agent-record.ts'
import { withoutBinary } from '../binary.ts'
import { type Fields, fieldsOf, filled, filledBut, textOf } from '../fields.ts'
import { withoutTimes } from '../tool-times.ts'
import { readContent } from './content.ts'

export type Said = Omit<MessageRecord, 'type' | 'session' | 'parent'> & { readonly id: string }

export interface ReadMessage {
  /** The message, then its attached texts, chained. */
  readonly said: readonly Said[]
  readonly unknown: readonly string[]
}

export function readMessage(message: Fields, id: string): ReadMessage {
  const sender = textOf(message.sender) ?? ''
  const content = readContent(message, id)
  const { text, blocks, calls, results } = content
  const attached = attachmentsOf(message, id)
  const names = filled({ attachments: attached.map(({ facts }) => facts), files: withoutBinary(message.files) })
  const time = timeOf(message)
  const metadata = filledBut(message, message.truncated === false ? WHOLE_OWN_PLACE : OWN_PLACE)
  const model = textOf(message.model)
  const said: Said = {
    id,
    replaces: true,
    hash: shortHash(16, sender, '\n', text, '\n', JSON.stringify([blocks, withoutTimes(calls), withoutTimes(results), names])),
    ...roleOf(sender),
    text,
    ...time,
    ...given({ model, blocks: blocks.length === 0 ? undefined : blocks }),
    ...(metadata === undefined ? {} : { metadata: withoutBinary(metadata) as Fields }),
    ...given({
      context: names,
      toolCalls: calls.length === 0 ? undefined : calls,
      toolResults: results.length === 0 ? undefined : results,
    }),
  }
  const unknown = sender === 'human' || sender === 'assistant' ? content.unknown : [...content.unknown, `sender ${sender}`]
  return { said: [said, ...attached.flatMap(({ said }) => (said === undefined ? [] : { ...said, ...time }))], unknown }
}

function roleOf(sender: string): Pick<Said, 'role' | 'kind' | 'trust'> {
  if (sender === 'human') return { role: 'user', kind: 'prompt', trust: 'owner' }
  if (sender === 'assistant') return { role: 'assistant', kind: 'reply', trust: 'agent' }
  return { role: 'system', kind: 'meta', trust: 'untrusted' }
}

function timeOf(message: Fields): { timestamp?: number } {
  const timestamp = parseTimestamp(message.created_at)
  return timestamp === undefined ? {} : { timestamp }
}

/** Stored elsewhere. Messages never change, so one time suffices. */
const OWN_PLACE: ReadonlySet<string> = new Set(
  'uuid sender text content attachments files created_at updated_at parent_message_uuid index model'.split(' '),
)
/** `truncated` is set on nearly every message. */
const WHOLE_OWN_PLACE: ReadonlySet<string> = new Set([...OWN_PLACE, 'truncated'])

interface Attached {
  readonly facts: Fields
  readonly said: Said | undefined
}

const OF_TEXT: ReadonlySet<string> = new Set(['extracted_content'])

/** Pasted text or an extracted document has no known author, so it is not the person's speech. */
function attachmentsOf({ attachments }: Fields, message: string): Attached[] {
  if (!Array.isArray(attachments)) return []
  return attachments.map((value: unknown, n) => {
    const attachment = fieldsOf(value) ?? { value }
    const facts = withoutBinary(filledBut(attachment, OF_TEXT) ?? {}) as Fields
    const text = textOf(attachment.extracted_content)
    if (text === undefined) return { facts, said: undefined }
    const id = `${message}#attachment-${n}`
    const hash = shortHash(16, 'attachment\n', text, '\n', JSON.stringify(facts))
    const said: Said = { id, replaces: true, hash, role: 'system', kind: 'attachment', trust: 'untrusted', text, metadata: facts }
    return { facts: { ...facts, message: id }, said }
  })
}
