/** Never throws on bad input. */
import { readForkMarker } from '../../../core/fork-marker.ts'
import { given } from '../../../core/given.ts'
import { shortHash } from '../../../core/hash.ts'
import { parseTimestamp } from '../../../core/time.ts'
import { type Fields, filled, textOf } from '../fields.ts'
import { closeReply, pushMessage } from './emit.ts'
import { eventMsg } from './event-msg.ts'
import { pushUnknown, type Reading } from './read-state.ts'
import { madeName, scopeOf } from './record-name.ts'
import { agentMessage, responseItem } from './response-item.ts'
import { type RolloutLine, rolloutLine } from './rollout-line.ts'
import { followCopy, sessionMeta, turnContext } from './session-meta.ts'
import { endTurn } from './turn-end.ts'

/** Appends to `reading.items`. Returns an error text for a bad value. */
export function convertLine(value: unknown, reading: Reading): string | undefined {
  const line = rolloutLine(value)
  if (line === undefined) return 'no line of a rollout'
  const given = reading.items.length
  reading.copy = line.mark === undefined ? undefined : readForkMarker(line.mark)
  if (reading.copy !== undefined && reading.copy.copyOf === undefined) return undefined
  // The oldest files have a time only in their header.
  reading.at = parseTimestamp(line.timestamp) ?? (line.timestamp === undefined ? reading.state.started : undefined)
  try {
    followCopy(reading, line.ordinal)
    convert(line, reading)
    return undefined
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    // Nested deeper than the stack; no valid record is.
    reading.items.splice(given)
    return 'nested too deep'
  }
}

function convert({ type, name, payload }: RolloutLine, reading: Reading): void {
  if (type === 'response_item') responseItem(payload, reading)
  else if (type === 'event_msg') eventMsg(payload, reading)
  else if (type === 'session_meta') sessionMeta(payload, reading)
  else if (type === 'turn_context') turnContext(payload, reading)
  else if (type === 'compacted') compacted(payload, reading)
  else if (type === 'inter_agent_communication') agentMessage(asItem(payload), reading)
  else if (type === undefined) pushUnknown(reading, name)
}

function asItem(payload: Fields): Fields {
  const sealed = textOf(payload.encrypted_content)
  const text = { type: 'input_text', text: textOf(payload.content) ?? '' }
  return { ...payload, content: sealed === undefined ? [text] : [text, { type: 'encrypted_content', encrypted_content: sealed }] }
}

/** A compaction. Its replacement history holds copies, never new messages. */
function compacted(payload: Fields, reading: Reading): void {
  const { state } = reading
  endTurn(reading)
  const { message, replacement_history, ...rest } = payload
  const text = typeof message === 'string' ? message : ''
  const hash = shortHash(16, 'compacted', '\n', JSON.stringify(payload))
  const kept = Array.isArray(replacement_history) ? replacement_history.length : undefined
  const metadata = filled({ ...rest, replacement_items: kept })
  closeReply(state)
  pushMessage(reading, {
    id: madeName(reading, scopeOf(reading), { kind: 'compacted', hash }),
    role: 'system',
    kind: 'summary',
    trust: 'agent',
    text,
    hash,
    compaction: {
      ...given({ tokensBefore: state.usage?.used }),
      ...given({ metadata }),
    },
  })
}
