/** The records are the same whether the file is plain or packed, and read whole or in pieces. */

import { MnemonicError } from '../../../core/error.ts'
import { cutMarkedDeep } from '../../../core/marked-text.ts'
import { parseJson, TOO_DEEP } from '../../../core/nesting.ts'
import { parseTimestamp } from '../../../core/time.ts'
import type { Checkpoint, ReadItem, SourceUnit, UnitReader } from '../../adapter.ts'
import { readLineLists } from '../../lines.ts'
import { type Fields, fieldsOf } from '../fields.ts'
import { notThisFormat } from '../head.ts'
import { type Log, readLog } from '../read-log.ts'
import { unpacked } from '../unpack.ts'
import { convertLine } from './convert-line.ts'
import { fromCarry, type Reading, toCarry, trimState } from './read-state.ts'
import { ROLLOUT } from './rollout-line.ts'
import { otherName, type RolloutNames, rolloutNames } from './rollout-names.ts'
import { pushUsage, sessionMeta, unheaded } from './session-meta.ts'
import { flushAll } from './turn-end.ts'

export function readRollout(
  unit: SourceUnit,
  since: Checkpoint | undefined,
  reader: UnitReader,
): AsyncGenerator<ReadItem, void, undefined> {
  const names = rolloutNames(unit.path)
  return names.document ? readDocument(unit, names, reader) : readLog(() => openLog(unit, names, { since, reader }))
}

async function openLog(
  unit: SourceUnit,
  names: RolloutNames,
  { since, reader }: { since: Checkpoint | undefined; reader: UnitReader },
): Promise<Log> {
  const carried = names.packed || since === undefined ? undefined : fromCarry(since.carry)
  const state = carried ?? unheaded(names)
  const items: ReadItem[] = []
  const reading: Reading = { state, items, at: undefined }
  const offset = carried === undefined ? 0 : (since?.offset ?? 0)
  const source = await openRollout(unit, offset, reader)
  return {
    path: source.path,
    lines: readLineLists(source.chunks, { offset, line: state.lines }),
    offset,
    format: ROLLOUT,
    adapterGiven: unit.adapterGiven,
    state,
    items,
    convert: (value) => convertLine(value, reading),
    checkpoint(done) {
      const at = source.offsetAt(done)
      pushUsage(reading)
      trimState(state)
      return at === undefined ? undefined : { offset: at, carry: source.resumes ? toCarry(state) : null }
    },
    end() {
      // Emits pending records as they look now; the carry keeps them pending, and repeats have the same names.
      flushAll(reading)
      if (!state.hasMessages) items.push({ type: 'warning', message: `no conversation in ${unit.path}` })
    },
  }
}

interface Source {
  readonly path: string
  readonly chunks: AsyncIterable<Buffer>
  readonly resumes: boolean
  /** Unit offset for a rollout offset; undefined if the unit is gone. */
  offsetAt(done: number): number | undefined
}

/** Codex may pack or unpack the file after discovery: then read the other name. */
async function openRollout(unit: SourceUnit, offset: number, reader: UnitReader): Promise<Source> {
  const other = otherName(unit.path)
  if (other !== undefined && (await isGone(unit.path, reader)) && !(await isGone(other, reader))) {
    return { ...plainOrPacked({ ...unit, path: other }, 0, reader), resumes: false, offsetAt: () => undefined }
  }
  return plainOrPacked(unit, offset, reader)
}

function plainOrPacked({ path, size }: SourceUnit, offset: number, reader: UnitReader): Source {
  if (!rolloutNames(path).packed) return { path, chunks: reader.chunks(path, offset), resumes: true, offsetAt: (done) => done }
  let taken = 0
  async function* counted() {
    for await (const chunk of reader.chunks(path, 0)) {
      taken += chunk.length
      yield chunk
    }
  }
  // Offsets in a packed file only measure progress.
  return { path, chunks: unpacked(counted(), path), resumes: false, offsetAt: () => Math.min(taken, size) }
}

async function isGone(path: string, reader: UnitReader): Promise<boolean> {
  try {
    await reader.slice(path, 0, 1)
    return false
  } catch (error) {
    const { code, details } = error as { code?: unknown; details?: { code?: unknown } }
    return (details?.code ?? code) === 'ENOENT'
  }
}

/** Those versions kept conversations in memory, so files are small. */
const LARGEST = 64 << 20

async function* readDocument(unit: SourceUnit, names: RolloutNames, reader: UnitReader): AsyncGenerator<ReadItem, void, undefined> {
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
