/** Validates all output of a custom adapter. A wrong record stops its unit, not other sources. */
import { z } from 'zod'
import { MnemonicError } from '../core/error.ts'
import { isTrust } from '../core/trust.ts'
import type { Adapter, ReadItem, SourceUnit } from '../ingest/adapter.ts'

const name = z.string().min(1)
const text = z.string()
const whole = z.int().min(0)
const time = z.number().min(-8.64e15).max(8.64e15)
const trust = text.refine(isTrust, 'is no label of trust')
const call = z.looseObject({ id: name, name, params: text })
const result = z.looseObject({ callId: name, result: text, isError: z.boolean() })

const message = {
  ...{ session: name, id: name.optional(), ordinal: whole.optional(), hash: name, text, timestamp: time.optional(), trust },
  role: z.enum(['user', 'assistant', 'system', 'tool']),
  kind: z.enum(['prompt', 'reply', 'tool_result', 'summary', 'meta', 'command', 'notice', 'attachment']),
  ...{ toolCalls: z.array(call).optional(), toolResults: z.array(result).optional() },
}
const agentRecord = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('session'), session: name, firstHash: name, createdAt: time.optional(), lastMessageAt: time.optional() }),
  z.looseObject({ type: z.literal('message'), ...message }),
  z.looseObject({ type: z.literal('link'), session: name, recordId: name }),
  z.looseObject({ type: z.literal('title'), session: name.optional(), title: text, rank: z.int().min(1).max(4) }),
  z.looseObject({ type: z.literal('head'), session: name }),
  z.looseObject({ type: z.literal('turn'), session: name, at: name }),
  z.looseObject({ type: z.literal('call'), session: name, call, result: result.optional() }),
])

const optional = text.nullish()
const metadata = z.record(text, z.unknown()).optional()
const eventRecord = z.discriminatedUnion('type', [
  z.strictObject({
    ...{ type: z.literal('thread'), id: name, sourceId: name, channel: name, name: optional, parentThread: optional },
    ...{ agentId: name, metadata, createdAt: time, updatedAt: time },
  }),
  z.strictObject({
    ...{ type: z.literal('event'), id: name, sourceId: name, timestamp: time, channel: name, contentTypes: z.array(name) },
    direction: z.enum(['sent', 'received', 'observed']),
    ...{ content: text.nullable(), thread: optional, replyTo: optional, speaker: optional, trust, agentId: name, metadata },
  }),
])

const item = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('record'), record: agentRecord, source: name.optional() }),
  z.looseObject({ type: z.literal('event'), record: eventRecord }),
  z.looseObject({ type: z.literal('document'), record: z.looseObject({ path: name, agentId: name, text, timestamp: time }) }),
  z.looseObject({ type: z.literal('checkpoint'), offset: whole }),
  z.looseObject({ type: z.literal('bad_line'), line: whole, reason: text }),
  z.looseObject({ type: z.literal('unknown'), name: text }),
  z.looseObject({ type: z.literal('warning'), message: text }),
])
const unit = z.looseObject({ path: name, size: z.number().min(0), mtimeMs: time, name: name.optional() })

/** Calls methods on the caller's object: it may be a class instance. */
export function checkedAdapter(own: Adapter): Adapter {
  return {
    ...own,
    name: own.name,
    isOwners: true,
    defaultPaths: () => defaultPathsOf(own),
    async *discover(asked) {
      for await (const found of own.discover(asked)) {
        // Not a MnemonicError: those stop the whole sync.
        const wrong = problem(unit, found) ?? misnamed(own, found)
        if (wrong !== undefined) throw new TypeError(`discover gave a unit that cannot be read: ${wrong}`)
        yield found
      }
    },
    recognises: (head, path) => own.recognises(head, path),
    ...(own.isLikely && { isLikely: (path: string) => own.isLikely?.(path) ?? true }),
    ...(own.recognisesDatabase && { recognisesDatabase: (database, path) => own.recognisesDatabase?.(database, path) ?? false }),
    ...(own.age && { age: async (...given) => (await own.age?.(...given)) ?? 0 }),
    read: (...given) => checkedItems(own, ...given),
  }
}

/** Only displayed: an error here must not prevent reading. */
function defaultPathsOf(own: Adapter): string[] {
  try {
    const paths: unknown = own.defaultPaths()
    return Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : []
  } catch {
    return []
  }
}

async function* checkedItems(own: Adapter, ...given: Parameters<Adapter['read']>): AsyncGenerator<ReadItem, void, undefined> {
  const [{ path }] = given
  for await (const one of own.read(...given)) {
    const wrong = problem(item, one)
    if (wrong !== undefined)
      throw new MnemonicError('VALIDATION_ERROR', `${path} gave a record that cannot be stored: ${wrong}`, {
        details: { path, reasons: [wrong] },
      })
    yield one
  }
}

/** The prefix keeps them apart from files of the workspace. */
function misnamed({ name: adapter, mirrors }: Adapter, { name: given }: SourceUnit): string | undefined {
  if (mirrors !== 'document' || given?.startsWith(`@${adapter}/`)) return undefined
  return `the name of a document must begin with @${adapter}/`
}

/** Never contains the value, which may be private. */
function problem(schema: z.ZodType, value: unknown): string | undefined {
  const issue = schema.safeParse(value).error?.issues[0]
  return issue && `${issue.path.join('.') || 'it'}: ${issue.message}`
}
