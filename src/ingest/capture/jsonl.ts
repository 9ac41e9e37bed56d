/** Plain session files: one JSON object a line with role, content and timestamp. Linear, one message a line; reads, never writes. */
import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { shortHash } from '../../core/hash.ts'
import { parseTimestamp } from '../../core/time.ts'
import type { Trust } from '../../core/trust.ts'
import type { MessageKind, MessageRecord } from '../../ledgers/agent-record.ts'
import type { Adapter, Checkpoint, DiscoverOptions, ReadItem, SourceUnit, UnitReader } from '../adapter.ts'
import { type Line, readLines } from '../lines.ts'
import { walk } from '../walk.ts'
import { isClaudeRecord } from './claude-code/record-types.ts'
import { judgeFile } from './jsonl/judge-file.ts'
import { looksLikeSessionLine, type SessionLine, sessionLine } from './jsonl/session-line.ts'
import { lineValues, parseLine } from './parse-line.ts'

const HEAD_BYTES = 64 * 1024
const CHECKPOINT_BYTES = 64 * 1024
/** Sessions of one file whose counting is remembered. */
const SESSIONS = 1000

const KINDS: Readonly<Record<MessageRecord['role'], MessageKind>> = {
  user: 'prompt',
  assistant: 'reply',
  system: 'meta',
  tool: 'tool_result',
}
const TRUST: Readonly<Record<MessageRecord['role'], Trust>> = { user: 'owner', assistant: 'agent', system: 'agent', tool: 'untrusted' }

export function jsonl(options: { readonly places: readonly string[] }): Adapter {
  return {
    name: 'jsonl',
    places: () => options.places,
    discover: (asked) => discover(options.places, asked),
    recognises,
    age,
    read,
  }
}

async function* discover(places: readonly string[], { path, warn }: DiscoverOptions): AsyncGenerator<SourceUnit, void, undefined> {
  const accept = (file: string) => file.toLowerCase().endsWith('.jsonl')
  const roots = path === undefined ? places.filter((place) => existsSync(place)) : [path]
  for (const root of roots) yield* walk(root, { accept, warn })
}

function recognises(head: Buffer): boolean {
  const lines = head
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .split('\n')
  if (lines.length > 1) lines.pop()
  const values = lines.slice(0, 20).flatMap((line) => parseLine(line).values)
  return values.some(looksLikeSessionLine) && !values.some(isClaudeRecord)
}

async function age(unit: SourceUnit, reader: UnitReader): Promise<number> {
  const head = (await reader.slice(unit.path, 0, HEAD_BYTES)).toString('utf8')
  const times = [...head.matchAll(/"timestamp":\s*("[^"]{8,40}"|\d{9,16})/g)]
  const first = times.map((match) => parseTimestamp(JSON.parse(match[1] as string))).find((time) => time !== undefined)
  return first ?? unit.mtimeMs
}

interface State {
  lines: number
  hasMessages: boolean
  /** Per session: how many messages without an id it has given so far. */
  readonly nameless: Map<string, number>
}

async function* read(unit: SourceUnit, since: Checkpoint | undefined, reader: UnitReader): AsyncGenerator<ReadItem, void, undefined> {
  if (since === undefined) await judgeFile(reader.chunks(unit.path, 0), unit.path)
  const state = stateOf(since?.carry)
  const stem = basename(unit.path).replace(/\.jsonl$/i, '')
  let done = since?.offset ?? 0
  let checked = done
  for await (const line of readLines(reader.chunks(unit.path, done), { offset: done, line: state.lines })) {
    // What a line without its end gives is not done with: the carry must not know of it.
    if (!line.complete && done > checked) yield checkpoint(state, done)
    if (!line.complete) checked = done
    yield* itemsOf(line, state, stem)
    if (!line.complete) continue
    state.lines = line.number
    done = line.end
    if (done - checked >= CHECKPOINT_BYTES) {
      yield checkpoint(state, done)
      checked = done
    }
  }
  if (done > checked) yield checkpoint(state, done)
  if (!state.hasMessages) yield { type: 'warning', message: `no conversation in ${unit.path}` }
}

function* itemsOf(line: Line, state: State, stem: string): Generator<ReadItem, void, undefined> {
  const { values, error } = lineValues(line)
  if (error !== undefined && line.complete) yield { type: 'bad_line', line: line.number, reason: error }
  for (const value of values) {
    const read = sessionLine(value)
    if ('line' in read) yield* recordsOf(read.line, state, stem)
    else yield { type: 'bad_line', line: line.number, reason: read.problems.join('; ') }
  }
}

function* recordsOf(line: SessionLine, state: State, stem: string): Generator<ReadItem, void, undefined> {
  const { role, text, timestamp, id, session: named, ...rest } = line
  const session = named ?? stem
  const nameless = state.nameless.get(session)
  if (nameless === undefined) {
    const firstHash = shortHash(16, role, '\n', String(timestamp), '\n', text)
    yield {
      type: 'record',
      record: {
        type: 'session',
        session,
        firstHash,
        ...(named === undefined ? { weakName: true } : {}),
        // Where some are not remembered any more, this may be one of them.
        ...(state.nameless.size < SESSIONS ? { whole: true } : {}),
      },
    }
  }
  state.nameless.set(session, (nameless ?? 0) + (id === undefined ? 1 : 0))
  if (state.nameless.size > SESSIONS) state.nameless.delete(state.nameless.keys().next().value as string)
  state.hasMessages = true
  const record: MessageRecord = {
    type: 'message',
    session,
    ...(id === undefined ? { ordinal: nameless ?? 0 } : { id }),
    // With its session: ids of plain files are often only numbers, and "2: continue" is said in many of them.
    hash: shortHash(16, session, '\n', role, '\n', text),
    role,
    kind: KINDS[role],
    text,
    timestamp,
    trust: TRUST[role],
    ...rest,
  }
  yield { type: 'record', record }
}

function checkpoint(state: State, offset: number): ReadItem {
  return { type: 'checkpoint', offset, carry: { lines: state.lines, hasMessages: state.hasMessages, nameless: [...state.nameless] } }
}

function stateOf(carry: unknown): State {
  const {
    lines = 0,
    hasMessages = false,
    nameless = [],
  } = (carry ?? {}) as Partial<Omit<State, 'nameless'>> & {
    nameless?: [string, number][]
  }
  return { lines, hasMessages, nameless: new Map(nameless) }
}
