import { MnemonicError } from '../../../core/error.ts'
import { LARGEST_RECORD } from '../../../core/largest-record.ts'
import { isTooDeep } from '../../../core/nesting.ts'
import type { SourceUnit, UnitReader } from '../../adapter.ts'
import { jsonElements } from '../../capture/export-archive/json-elements.ts'
import { googleEntry, googlePage, uidsById } from './google.ts'
import type { CalendarItem } from './read-ics.ts'

export function isGoogle(head: Buffer): boolean {
  const begin = head.subarray(0, 16 << 10).toString('utf8')
  return /^\ufeff?\s*[[{]/.test(begin) && /"kind"\s*:\s*"calendar#events?"/.test(begin)
}

export async function* readGoogle(unit: SourceUnit, reader: UnitReader, name: string): AsyncGenerator<CalendarItem, void, undefined> {
  const uids = new Map<string, string>()
  let position = 0
  for await (const { bytes } of jsonElements(reader.chunks(unit.path, 0), { name: unit.path, limit: LARGEST_RECORD })) {
    position += 1
    const page = bytes === undefined ? undefined : googlePage(parsedJson(bytes.toString('utf8'), unit), name)
    if (page === undefined) {
      const reason = bytes === undefined ? 'longer than what is read as one' : 'neither a page of events nor an event'
      yield { type: 'bad', line: 0, reason: `${reason} (element ${position})` }
      continue
    }
    uidsById(page.items, uids)
    for (const item of page.items) {
      const entry = googleEntry(item, page.calendar, uids)
      yield typeof entry === 'string' ? { type: 'bad', line: 0, reason: entry } : { type: 'entry', entry, line: 0 }
    }
  }
}

function parsedJson(json: string, { path }: SourceUnit): unknown {
  const refuse = (reason: string) => new MnemonicError('VALIDATION_ERROR', `${path}: ${reason}`, { details: { path, reasons: [reason] } })
  if (isTooDeep(json)) throw refuse('nested more than 500 deep')
  try {
    return JSON.parse(json.replace(/^\ufeff/, ''))
  } catch (error) {
    throw refuse(`no JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}
