/**
 * The schemas of test/helpers/native-schemas.ts hold for the harnesses' own files: else they would say nothing of ours. Of every type of record that
 * a fork writes, nearly all records of the fixtures pass.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { claudeCodeRecord, codexRecord, piRecord } from '../../../test/helpers/native-schemas.ts'

const root = resolve('../shared/fixtures')
const LEAST = 0.99
type Line = Record<string, unknown>

/**
 * Left out are folders that were written by hand for tests of readers, or had their times replaced. `rare` types stand only there: one of them must
 * pass.
 */
const SAMPLES = [
  {
    ...{ folder: 'claude-code', schema: claudeCodeRecord, types: ['user', 'assistant', 'ai-title'] },
    // By hand: fields are missing, on purpose or not.
    out: /^(?:agent-sessions|ccl-tests|polylogue|simonw)\//,
    rare: ['ai-title'],
    nowhere: [],
  },
  {
    ...{ folder: 'codex', schema: codexRecord },
    types: [
      ...['session_meta', 'response_item message user', 'response_item message assistant', 'response_item message developer'],
      ...['response_item function_call', 'response_item function_call_output', 'event_msg user_message', 'event_msg agent_message'],
      ...['response_item custom_tool_call', 'response_item custom_tool_call_output'],
    ],
    // The first has its times replaced; the others are shortened by hand.
    out: /^(?:agent-sessions|gbrain|dialoglingo)\//,
    rare: ['response_item message developer'],
    nowhere: [],
  },
  {
    ...{ folder: 'pi-openclaw', schema: piRecord },
    types: ['session', 'message user', 'message assistant', 'message toolResult', 'custom_message', 'session_info'],
    // OpenClaw's, whose form is its own.
    out: /openclaw/,
    rare: ['custom_message'],
    // No fixture has a title: that pi lists such a file was tried with pi itself.
    nowhere: ['session_info'],
  },
] as const

/** The first version of pi's files had no names of entries; what they say has the same form. */
function current(record: Line, version: unknown): Line {
  if (version === 3) return record
  return record.type === 'session' ? { ...record, version: 3 } : { id: 'x', parentId: null, ...record }
}

function recordsIn(path: string): Line[] {
  let version: unknown = 3
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        const record = JSON.parse(line) as Line
        if (record.type === 'session') version = record.version
        return [current(record, version)]
      } catch {
        return [] // a line that is cut off, or empty: no record
      }
    })
}

function typeOf({ type, payload, message }: Line): string {
  const inner = payload as { type?: unknown; role?: unknown } | undefined
  const role = type === 'message' ? (message as { role?: unknown } | undefined)?.role : inner?.role
  return [type, inner?.type, role].filter((part) => typeof part === 'string').join(' ')
}

/** How many records of each type there are, and how many of them pass. */
function counted(paths: readonly string[], { schema }: Pick<(typeof SAMPLES)[number], 'schema'>) {
  const seen = new Map<string, { passed: number; all: number }>()
  for (const record of paths.flatMap(recordsIn)) {
    const counts = seen.get(typeOf(record)) ?? { passed: 0, all: 0 }
    seen.set(typeOf(record), { passed: counts.passed + Number(schema.safeParse(record).success), all: counts.all + 1 })
  }
  return (type: string) => seen.get(type) ?? { passed: 0, all: 0 }
}

describe('records of real sessions', () => {
  it.skipIf(!existsSync(root)).each(SAMPLES)('of $folder pass', ({ folder, schema, types, out, rare, nowhere }) => {
    const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'))
    const paths = (some: readonly string[]) => some.map((name) => join(root, folder, name))
    const real = counted(paths(names.filter((name) => !out.test(name))), { schema })
    const anywhere = counted(paths(names), { schema })
    expect(types.filter((type) => real(type).all === 0)).toEqual([...rare, ...nowhere])
    expect(types.filter((type) => anywhere(type).passed === 0)).toEqual(nowhere)
    expect(types.filter((type) => real(type).passed < LEAST * real(type).all)).toEqual([])
  })
})
