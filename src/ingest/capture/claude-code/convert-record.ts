/** One value of a transcript into the items it gives. Never throws over what a source may hold. */
import { shortHash } from '../../../core/hash.ts'
import { type Fields, fieldsOf, isFields, textOf } from '../fields.ts'
import { assistantRecord } from './assistant-record.ts'
import { readContent } from './content.ts'
import { pushLink } from './emit.ts'
import { type Placed, placeOf } from './place-of.ts'
import { queueOperation } from './queue.ts'
import type { Reading } from './reading.ts'
import { DROPPED } from './record-types.ts'
import { sideRecord, summaryTitle } from './side-record.ts'
import { attachmentRecord, systemRecord } from './system-record.ts'
import { summaryRecord, userRecord } from './user-record.ts'

/** Adds the items to `reading.items`. Returns what is wrong with the value, if anything. */
export function convertRecord(value: unknown, reading: Reading): string | undefined {
  if (!isFields(value)) return 'not a JSON object'
  const type = textOf(value.type)
  if (type === undefined) return 'a record without a type'
  const given = reading.items.length
  try {
    return convert(type, value, reading)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    // Nested deeper than the stack: no record of ours is.
    reading.items.splice(given)
    return 'nested too deep'
  }
}

function convert(type: string, record: Fields, reading: Reading): string | undefined {
  switch (type) {
    case 'user':
    case 'assistant':
      return speech(type, record, reading)
    case 'system':
      systemRecord(reading, placed(record, reading))
      return undefined
    case 'attachment':
      attachmentRecord(reading, placed(record, reading))
      return undefined
    case 'progress':
      // Hooks and mirrored subagent turns: the subagent's own file has them.
      pushLink(reading, placed(record, reading))
      return undefined
    case 'summary':
      summary(record, reading)
      return undefined
    case 'queue-operation':
      queueOperation(record, reading)
      return undefined
    default:
      if (DROPPED.has(type) || sideRecord(record, reading)) return undefined
      reading.items.push({ type: 'unknown', name: type })
      if (textOf(record.uuid) !== undefined) pushLink(reading, placed(record, reading))
      return undefined
  }
}

function placed(record: Fields, reading: Reading): Placed {
  return { record, place: placeOf(record, reading) }
}

function speech(type: 'user' | 'assistant', record: Fields, reading: Reading): string | undefined {
  const at = placed(record, reading)
  const read = type === 'user' ? userRecord(reading, at) : assistantRecord(reading, at)
  if (read) return undefined
  pushLink(reading, at)
  return `a record of type ${type} without content`
}

/** A title, or, where it holds a message, a compaction's summary. */
function summary(record: Fields, reading: Reading): void {
  const texts = readContent(fieldsOf(record.message)?.content, undefined)?.texts
  if (texts === undefined) {
    summaryTitle(record, reading)
    return
  }
  const text = texts.join('\n\n')
  summaryRecord(reading, placed(record, reading), { text, hash: shortHash(16, 'summary', '\n', text) })
}
