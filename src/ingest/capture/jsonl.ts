/** Plain session files: one JSON message per line with role, content and timestamp. */
import { basename } from 'node:path'
import { MnemonicError } from '../../core/error.ts'
import { given } from '../../core/given.ts'
import { shortHash } from '../../core/hash.ts'
import { parseTimestamp } from '../../core/time.ts'
import type { Trust } from '../../core/trust.ts'
import type { MessageKind, MessageRecord } from '../../ledgers/agent-record.ts'
import type { Adapter, Checkpoint, ReadItem, SourceUnit, UnitReader } from '../adapter.ts'
import { readLineLists, readLines } from '../lines.ts'
import { isJsonl, sourceFiles } from '../walk.ts'
import { isClaudeRecord } from './claude-code/record-types.ts'
import { describeSource, type SourceOptions } from './descriptions.ts'
import { HEAD_BYTES, headLines, requireNoUtf16 } from './head.ts'
import { looksLikeSessionLine, type SessionLine, sessionLine } from './jsonl/session-line.ts'
import { lineValues, parseLine } from './parse-line.ts'
import { type Log, readLog } from './read-log.ts'

const SESSIONS = 1000

const KINDS: Readonly<Record<MessageRecord['role'], MessageKind>> = {
  user: 'prompt',
  assistant: 'reply',
  system: 'meta',
  tool: 'tool_result',
}
const TRUST: Readonly<Record<MessageRecord['role'], Trust>> = { user: 'owner', assistant: 'agent', system: 'agent', tool: 'untrusted' }

export function jsonl(options: SourceOptions = {}): Adapter {
  const description = describeSource('jsonl', options)
  return {
    ...description,
    discover: (asked) => sourceFiles(description.defaultPaths(), asked, isJsonl),
    recognises,
    age,
    read: (unit, since, reader) => readLog(() => openFile(unit, since, reader)),
  }
}

function recognises(head: Buffer): boolean {
  const lines = headLines(head)
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
  readonly nameless: Map<string, number>
}

async function openFile(unit: SourceUnit, since: Checkpoint | undefined, reader: UnitReader): Promise<Log> {
  const { path } = unit
  if (since === undefined) await judgeFile(reader.chunks(path, 0), path)
  const state = stateOf(since?.carry)
  const stem = basename(path).replace(/\.jsonl$/i, '')
  const offset = since?.offset ?? 0
  const items: ReadItem[] = []
  return {
    path,
    lines: readLineLists(reader.chunks(path, offset), { offset, line: state.lines }),
    offset,
    state,
    items,
    convert(value) {
      const said = sessionLine(value)
      if ('problems' in said) return said.problems.join('; ')
      items.push(...recordsOf(said.line, state, stem))
      return undefined
    },
    checkpoint: (done) => ({ offset: done, carry: { ...state, nameless: [...state.nameless] } }),
    end() {
      if (!state.hasMessages) items.push({ type: 'warning', message: `no conversation in ${path}` })
    },
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
        ...given({ weakName: named === undefined || undefined }),
        // If counters were evicted, this session may not be new.
        ...given({ whole: state.nameless.size < SESSIONS || undefined }),
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
    // Includes the session: ids are often plain numbers, and texts such as "continue" repeat.
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

/** Judges the whole file before storing anything, one line at a time. Throws NOT_THIS_FORMAT or VALIDATION_ERROR. */
async function judgeFile(chunks: AsyncIterable<Buffer>, path: string): Promise<void> {
  let lines = 0
  let good = 0
  let alike = 0
  for await (const line of readLines(chunks)) {
    if (line.start === 0) requireNoUtf16(line, path)
    const { values, error, mended = [] } = lineValues(line)
    // Blank, or a last line that is still being written.
    if (error === undefined ? values.length === 0 : !line.complete && (line.valid || line.text.trimStart().startsWith('{'))) continue
    lines += 1
    if (error === undefined && values.every((value) => 'line' in sessionLine(value))) good += 1
    if ([...values, ...mended].some(looksLikeSessionLine)) alike += 1
  }
  if (lines === 0 || good * 2 >= lines) return
  const reasons = [good === 0 ? 'no line is valid' : `${lines - good} of ${lines} lines are bad`]
  if (alike === 0) {
    throw new MnemonicError('NOT_THIS_FORMAT', `not a session file: ${path}`, {
      details: { path, lines, reasons },
      hint: 'A session file has one JSON object a line, with role, content and timestamp.',
    })
  }
  throw new MnemonicError('VALIDATION_ERROR', `not a valid session file: ${path}`, {
    details: { path, lines, bad: lines - good, reasons },
    hint: 'mnemonic chunk --validate-only says what is wrong, line by line.',
  })
}
