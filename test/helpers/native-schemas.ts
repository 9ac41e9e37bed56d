/** Record schemas of forked sessions, derived from real files of each harness and tested on them. */
import { z } from 'zod'

const iso = z.string().refine((text) => !Number.isNaN(Date.parse(text)), 'no time')
const text = z.object({ type: z.literal('text'), text: z.string() })

const envelope = {
  parentUuid: z.string().nullable(),
  isSidechain: z.boolean(),
  userType: z.string(),
  cwd: z.string(),
  sessionId: z.string(),
  version: z.string(),
  uuid: z.string(),
  timestamp: iso,
}
const block = z.union([
  text,
  z.object({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.record(z.string(), z.unknown()) }),
  z.object({
    type: z.enum(['thinking', 'redacted_thinking', 'image', 'document', 'fallback', 'server_tool_use', 'web_search_tool_result']),
  }),
])
const given = z.union([
  z.object({
    type: z.literal('tool_result'),
    tool_use_id: z.string(),
    content: z.union([z.string(), z.array(z.unknown())]).optional(),
    is_error: z.boolean().nullish(),
  }),
  text,
  z.object({ type: z.enum(['image', 'document']) }),
])

export const claudeCodeRecord = z.discriminatedUnion('type', [
  z.object({
    ...{ ...envelope, type: z.literal('user'), isMeta: z.boolean().optional() },
    message: z.object({ role: z.literal('user'), content: z.union([z.string(), z.array(given)]) }),
  }),
  z.object({
    ...{ ...envelope, type: z.literal('assistant') },
    message: z.object({
      ...{ id: z.string(), type: z.literal('message'), role: z.literal('assistant'), model: z.string() },
      content: z.array(block),
      stop_reason: z.string().nullish(),
      usage: z.object({ input_tokens: z.number(), output_tokens: z.number() }),
    }),
  }),
  z.object({ type: z.literal('ai-title'), sessionId: z.string(), aiTitle: z.string() }),
])

const item = z.discriminatedUnion('type', [
  z.object({
    ...{ type: z.literal('message'), role: z.enum(['user', 'assistant', 'developer', 'system']) },
    content: z.array(z.object({ type: z.enum(['input_text', 'output_text', 'input_image']) })),
  }),
  z.object({ type: z.literal('function_call'), name: z.string(), arguments: z.string(), call_id: z.string() }),
  z.object({ type: z.literal('function_call_output'), call_id: z.string(), output: z.unknown() }),
  z.object({ type: z.literal('custom_tool_call'), name: z.string(), input: z.string(), call_id: z.string() }),
  z.object({ type: z.literal('custom_tool_call_output'), call_id: z.string(), output: z.unknown() }),
])
const event = z.discriminatedUnion('type', [
  z.object({ type: z.literal('user_message'), message: z.string() }),
  z.object({ type: z.literal('agent_message'), message: z.string() }),
])

export const codexRecord = z.discriminatedUnion('type', [
  z.object({
    ...{ timestamp: iso, type: z.literal('session_meta') },
    payload: z.object({ id: z.string(), timestamp: iso, cwd: z.string(), originator: z.string(), cli_version: z.string() }),
  }),
  z.object({ timestamp: iso, type: z.literal('response_item'), payload: item }),
  z.object({ timestamp: iso, type: z.literal('event_msg'), payload: event }),
])

const entry = { id: z.string(), parentId: z.string().nullable(), timestamp: iso }
const piMessage = z.discriminatedUnion('role', [
  z.object({ role: z.literal('user'), content: z.union([z.string(), z.array(z.object({ type: z.string() }))]), timestamp: z.number() }),
  z.object({
    role: z.literal('assistant'),
    content: z.array(
      z.union([
        text,
        z.object({ type: z.literal('toolCall'), id: z.string(), name: z.string(), arguments: z.record(z.string(), z.unknown()) }),
        z.object({ type: z.literal('thinking'), thinking: z.string() }),
      ]),
    ),
    ...{ api: z.string(), provider: z.string(), model: z.string(), stopReason: z.string(), timestamp: z.number() },
    usage: z.object({
      input: z.number(),
      output: z.number(),
      cacheRead: z.number(),
      cacheWrite: z.number(),
      cost: z.object({ total: z.number() }),
    }),
  }),
  z.object({
    ...{ role: z.literal('toolResult'), toolCallId: z.string(), toolName: z.string(), isError: z.boolean(), timestamp: z.number() },
    content: z.array(z.object({ type: z.string() })),
  }),
])

export const piRecord = z.discriminatedUnion('type', [
  z.object({ type: z.literal('session'), version: z.literal(3), id: z.string(), timestamp: iso, cwd: z.string() }),
  z.object({ type: z.literal('message'), ...entry, message: piMessage }),
  z.object({
    ...{ type: z.literal('custom_message'), ...entry, customType: z.string(), display: z.boolean() },
    content: z.union([z.string(), z.array(z.unknown())]),
  }),
  z.object({ type: z.literal('session_info'), ...entry, name: z.string() }),
])
