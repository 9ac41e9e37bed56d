/** Validates the schemas of test/helpers/native-schemas.ts against real harness files, for every record type that a fork writes. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { claudeCodeRecord, codexRecord, piRecord } from '../../../test/helpers/native-schemas.ts'

const root = resolve('../shared/fixtures')
const LEAST = 0.99
type Line = Record<string, unknown>

/** `out` excludes hand-written fixtures and ones with replaced times. `rare` types occur only there: one record must pass. */
const SAMPLES = [
  {
    ...{ folder: 'claude-code', schema: claudeCodeRecord, types: ['user', 'assistant', 'ai-title'] },
    // Hand-written: fields may be missing.
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
    // The first has replaced times; the others were shortened by hand.
    out: /^(?:agent-sessions|gbrain|dialoglingo)\//,
    rare: ['response_item message developer'],
    nowhere: [],
  },
  {
    ...{ folder: 'pi-openclaw', schema: piRecord },
    types: ['session', 'message user', 'message assistant', 'message toolResult', 'custom_message', 'session_info'],
    // OpenClaw uses its own form.
    out: /openclaw/,
    rare: ['custom_message'],
    // No fixture has a title; tested with pi itself.
    nowhere: ['session_info'],
  },
] as const

/** pi's first version had no entry ids; the content is the same. */
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
        return [] // truncated or empty line
      }
    })
}

function typeOf({ type, payload, message }: Line): string {
  const inner = payload as { type?: unknown; role?: unknown } | undefined
  const role = type === 'message' ? (message as { role?: unknown } | undefined)?.role : inner?.role
  return [type, inner?.type, role].filter((part) => typeof part === 'string').join(' ')
}

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
