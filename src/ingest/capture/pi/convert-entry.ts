/** Unknown types are counted and stay in the chain. */
import { FORK_FIELD, isForkNote } from '../../../core/fork-marker.ts'
import { given } from '../../../core/given.ts'
import { TITLE_RANK } from '../../../ledgers/agent-record.ts'
import { withoutBinary } from '../binary.ts'
import { type Fields, filledBut, isFields, textOf } from '../fields.ts'
import { pushFacts, pushLink, pushMessage } from './emit.ts'
import { type Entry, entryOf } from './entry.ts'
import { injected, messageEntry, summary } from './message-entry.ts'
import { push, type Reading } from './read-state.ts'

/** Returns an error text for an invalid line. */
export function convertEntry(value: unknown, reading: Reading): string | undefined {
  if (!isFields(value)) return 'not an object'
  if (textOf(value.type) === undefined) return 'no type'
  if (value.type === 'session') return header(value, reading)
  if (value.type === 'title') return title(value, reading)
  const entry = entryOf(value)
  if (value[FORK_FIELD] !== undefined && isForkNote(value[FORK_FIELD])) {
    pushLink(reading, entry)
    return undefined
  }
  switch (entry.type) {
    case 'message':
      return messageEntry(reading, entry)
    case 'custom_message':
      injected(reading, entry, value)
      return undefined
    case 'compaction':
    case 'branch_summary':
      summary(reading, entry, { said: value, of: entry.type })
      return undefined
    case 'custom':
    case 'ephemeral':
    case 'context_transform':
      return state(reading, entry)
    default:
      return setting(reading, entry)
  }
}

/** The header is already read; a file has only one. */
function header(value: Fields, { state, items }: Reading): undefined {
  if (value.id !== state.headerId) items.push({ type: 'unknown', name: 'session (a second header)' })
}

/** Oh My Pi stores the title in a line before the header. */
function title(value: Fields, reading: Reading): undefined {
  reading.state.hasTitleSlot = true
  const said = titleOf(value)
  if (said === undefined) return
  if (reading.state.opened) push(reading, { type: 'title', session: reading.state.session, title: said, rank: TITLE_RANK.custom })
  else pushFacts(reading, { title: said })
}

export function titleOf(value: Fields): string | undefined {
  return textOf([value.title, value.name, value.text].find((said) => textOf(said)?.trim()))?.trim()
}

const OF_STATE: ReadonlySet<string> = new Set(['type', 'id', 'parentId', 'timestamp', 'customType'])

/** Extension state, which no model reads. */
function state(reading: Reading, entry: Entry): undefined {
  const { fields, type } = entry
  const metadata = { type, custom_type: fields.customType, ...(withoutBinary(filledBut(fields, OF_STATE)) as Fields | undefined) }
  pushMessage(reading, entry, { role: 'system', kind: 'meta', text: '', trust: 'untrusted', metadata })
}

function setting(reading: Reading, entry: Entry): undefined {
  const { fields, type } = entry
  pushLink(reading, entry)
  if (type === 'model_change') {
    const model = textOf(fields.modelId) ?? textOf(fields.model)
    const provider = textOf(fields.provider)
    pushFacts(reading, { ...given({ model }), ...(provider === undefined ? {} : { context: { provider } }) })
  } else if (type === 'thinking_level_change') {
    pushFacts(reading, { context: { thinking_level: textOf(fields.thinkingLevel) ?? null } })
  } else if (type === 'label') {
    pushFacts(reading, { context: { [`label:${String(fields.targetId)}`]: textOf(fields.label) ?? null } })
  } else if (type === 'session_info') {
    const name = titleOf(fields)
    if (name !== undefined) pushFacts(reading, { title: name })
  } else reading.items.push({ type: 'unknown', name: type })
}
