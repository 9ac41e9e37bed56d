/** The oldest form: one JSON document of session and items, written anew with every message. Read as a whole, up to a limit. */
import { MnemonicError } from '../../../core/error.ts'
import { cutMarkedDeep } from '../../../core/marked-text.ts'
import { parseJson, TOO_DEEP } from '../../../core/nesting.ts'
import { parseTimestamp } from '../../../core/time.ts'
import type { ReadItem, SourceUnit, UnitReader } from '../../adapter.ts'
import { type Fields, fieldsOf } from '../fields.ts'
import { notThisFormat } from '../head.ts'
import { convertLine } from './convert-line.ts'
import { type Reading, trimState } from './read-state.ts'
import { ROLLOUT } from './rollout-line.ts'
import type { RolloutNames } from './rollout-names.ts'
import { sessionMeta, unheaded } from './session-meta.ts'
import { flushAll } from './turn-end.ts'

/** The versions that wrote such files kept whole conversations in memory: none is larger. */
const LARGEST = 64 << 20

export async function* readDocument(unit: SourceUnit, names: RolloutNames, reader: UnitReader): AsyncGenerator<ReadItem, void, undefined> {
  const { session, items } = await parsed(unit, reader)
  const reading: Reading = { state: unheaded(names), items: [], at: parseTimestamp(session.timestamp) }
  sessionMeta(session, reading)
  for (const [i, item] of items.entries()) {
    const wrong = convertLine(item, reading)
    if (wrong !== undefined) reading.items.push({ type: 'bad_line', line: i + 1, reason: wrong })
    trimState(reading.state)
    yield* reading.items.splice(0)
  }
  flushAll(reading)
  yield* reading.items.splice(0)
  yield { type: 'checkpoint', offset: unit.size, carry: null }
  if (!reading.state.hasMessages) yield { type: 'warning', message: `no conversation in ${unit.path}` }
}

async function parsed({ path, size }: SourceUnit, reader: UnitReader): Promise<{ session: Fields; items: unknown[] }> {
  if (size > LARGEST) {
    throw new MnemonicError('VALIDATION_ERROR', `too large for a single document: ${path}`, { details: { path, reasons: ['too large'] } })
  }
  const chunks: Buffer[] = []
  for await (const chunk of reader.chunks(path, 0)) chunks.push(chunk)
  let value: unknown
  try {
    value = parseJson(Buffer.concat(chunks).toString('utf8'))
  } catch (cause) {
    const reason = cause instanceof Error && cause.message === TOO_DEEP ? TOO_DEEP : 'not JSON'
    throw new MnemonicError('VALIDATION_ERROR', `${reason}: ${path}`, { details: { path, reasons: [reason] }, cause })
  }
  const document = fieldsOf(cutMarkedDeep(value))
  const session = fieldsOf(document?.session)
  if (session === undefined || !Array.isArray(document?.items)) throw notThisFormat(path, ROLLOUT)
  return { session, items: document.items }
}
