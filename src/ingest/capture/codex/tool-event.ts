/** Most tool events add details to a result. A call without an item, such as a patch inside a script, is known only from its event. */
import { given } from '../../../core/given.ts'
import { shortHash } from '../../../core/hash.ts'
import { parseTimestamp } from '../../../core/time.ts'
import { type Fields, fieldsOf, filled, filledBut, isFields, textOf } from '../fields.ts'
import { flushAsked } from './asked.ts'
import { withoutSecrets } from './content.ts'
import { pushMessage } from './emit.ts'
import type { KnownCall, Reading, ToolTimes } from './read-state.ts'
import { nameOfId, scopeOf } from './record-name.ts'
import { flushReplies } from './reply.ts'
import { picture, pushResult, searchKey } from './tool-call.ts'

interface Shape {
  readonly tool: (event: Fields) => string
  readonly params: (event: Fields) => unknown
  readonly copies: ReadonlySet<string>
}

const ALWAYS = 'type call_id callId event_id id turn_id turnId process_id'
const set = (names: string): ReadonlySet<string> => new Set(`${ALWAYS} ${names}`.split(' '))

const exec: Shape = {
  tool: () => 'exec_command',
  params: ({ command, cwd }) => filled({ command, cwd }) ?? {},
  copies: set('command cwd stdout stderr aggregated_output formatted_output parsed_cmd'),
}
const patch: Shape = { tool: () => 'apply_patch', params: ({ changes }) => ({ changes }), copies: set('stdout stderr') }
const mcp: Shape = {
  tool: (event) => {
    const { server, tool } = fieldsOf(event.invocation) ?? event
    return [server, tool].filter((name) => typeof name === 'string').join('.')
  },
  params: (event) => (fieldsOf(event.invocation) ?? event).arguments ?? {},
  copies: set('invocation result server tool arguments'),
}
const dynamic: Shape = {
  tool: ({ tool }) => textOf(tool) ?? '',
  params: ({ arguments: given }) => given ?? {},
  copies: set('tool arguments content_items'),
}
const collab = (name: string): Shape => ({
  tool: () => name,
  params: ({ prompt, receiver_thread_id }) => filled({ prompt, receiver_thread_id }) ?? {},
  copies: set('prompt'),
})

const SHAPES: Readonly<Record<string, Shape>> = {
  exec_command_end: exec,
  patch_apply_end: patch,
  mcp_tool_call_end: mcp,
  dynamic_tool_call_response: dynamic,
  image_generation_end: {
    tool: () => 'image_generation',
    params: ({ revised_prompt }) => ({ revised_prompt }),
    copies: set('revised_prompt result'),
  },
  view_image_tool_call: { tool: () => 'view_image', params: ({ path }) => ({ path }), copies: set('path') },
  collab_agent_spawn_end: collab('spawn_agent'),
  collab_agent_interaction_end: collab('send_input'),
  collab_waiting_end: collab('wait'),
  collab_close_end: collab('close_agent'),
  collab_resume_end: collab('resume_agent'),
  // The same tools in paginated histories.
  CommandExecution: exec,
  FileChange: patch,
  McpToolCall: mcp,
  DynamicToolCall: dynamic,
  CollabAgentToolCall: collab('collab'),
  ImageGeneration: {
    tool: () => 'image_generation',
    params: ({ revised_prompt }) => ({ revised_prompt }),
    copies: set('revised_prompt result'),
  },
  ImageView: { tool: () => 'view_image', params: ({ path }) => ({ path }), copies: set('path') },
}

/** `item` holds the surrounding item's fields. */
export function toolEvent(type: string, event: Fields, reading: Reading, item: Fields = {}): boolean {
  if (type === 'web_search_end' || type === 'WebSearch' || (type === 'Extension' && event.action !== undefined)) {
    searchEvent(event, reading)
    return true
  }
  const shape = SHAPES[type]
  if (shape === undefined) return false
  const { state } = reading
  const id = textOf(event.call_id) ?? textOf(event.callId) ?? textOf(event.id)
  const call = id === undefined ? undefined : state.calls.findLast((known) => known.call === id || known.part === id)
  const child = textOf(event.new_thread_id)
  const times = toolTimes(event, item, reading.at)
  if (call === undefined) return pushLoneCall(type, { event, shape, id, child, times }, reading)
  const facts = filledBut(withoutSecrets(event) as Fields, shape.copies)
  if (call.output === undefined) hold(call, { [type]: facts }, { state, child, times })
  else if (facts !== undefined && state.copy === undefined) addFacts(type, { ...call, output: call.output, facts }, reading)
  return true
}

export function subagentActivity(event: Fields, { state }: Reading): boolean {
  const call = state.calls.findLast((known) => known.call === textOf(event.event_id))
  const child = textOf(event.agent_thread_id)
  if (call === undefined || call.output !== undefined || event.kind !== 'started') return false
  hold(call, {}, { state, child, times: {} })
  return true
}

interface Holding {
  readonly state: Reading['state']
  readonly child: string | undefined
  readonly times: ToolTimes
}

function hold(call: KnownCall, facts: Fields, { state, child, times }: Holding): void {
  let held = state.heldFacts.find((one) => one.part === call.part)
  if (held === undefined) {
    held = { part: call.part, facts: {} }
    state.heldFacts.push(held)
  }
  Object.assign(held.facts, filled(facts))
  if (child !== undefined) held.child = child
  if (Object.keys(times).length > 0) held.times = { ...held.times, ...times }
  if (state.heldFacts.length > 32) state.heldFacts.shift()
}

/** No output will follow: the events are all there is. */
export function flushFacts(reading: Reading): void {
  for (const { part, facts, child, times } of reading.state.heldFacts.splice(0)) {
    const result = JSON.stringify({ content: facts })
    const link = { ...given({ childSession: child }), ...times }
    const ended = Object.values(facts).some((event) => hasFailed(fieldsOf(event) ?? {}))
    pushResult(reading, {
      id: `${part}#events`,
      hash: shortHash(16, 'events', '\n', result),
      result: { callId: part, result, isError: ended, ...link },
    })
  }
}

/** The output is already emitted: extend its message. */
function addFacts(type: string, call: KnownCall & { readonly output: string; readonly facts: Fields }, reading: Reading): void {
  pushMessage(reading, {
    id: call.output,
    part: `${call.part}#${type}`,
    role: 'tool',
    kind: 'tool_result',
    trust: 'untrusted',
    text: '',
    hash: shortHash(16, type, '\n', JSON.stringify(call.facts)),
    metadata: { [type]: call.facts },
    aside: true,
  })
}

interface Alone {
  readonly event: Fields
  readonly shape: Shape
  readonly id: string | undefined
  readonly child: string | undefined
  readonly times: ToolTimes
}

function pushLoneCall(type: string, { event, shape, id, child, times }: Alone, reading: Reading): true {
  flushAsked(reading)
  flushReplies(reading)
  const params = JSON.stringify(withoutSecrets(shape.params(event)))
  const made = type === 'image_generation_end' || type === 'ImageGeneration' ? { ...event, result: picture(event)?.content } : event
  const content = filledBut(
    withoutSecrets(made) as Fields,
    new Set([...ALWAYS.split(' '), 'command', 'invocation', 'arguments', 'changes', 'prompt']),
  )
  const hash = shortHash(16, type, '\n', params, '\n', JSON.stringify(content ?? {}))
  const part = id === undefined ? `${scopeOf(reading, event)}/${type}-${hash}` : nameOfId(scopeOf(reading, event), id)
  const output = `${part}#output`
  reading.state.calls.push({ ...given({ call: id }), part, tool: shape.tool(event), output })
  const { startedAt, completedAt } = times
  pushResult(reading, {
    id: output,
    hash,
    call: { name: shape.tool(event), params, ...given({ startedAt }) },
    result: {
      callId: part,
      result: JSON.stringify({ content: content ?? {} }),
      isError: hasFailed(event),
      ...given({ childSession: child, completedAt }),
    },
  })
  return true
}

/** Items state both times; events come at the end with a duration. */
function toolTimes(event: Fields, item: Fields, at: number | undefined): ToolTimes {
  const own = {
    ...given({ startedAt: parseTimestamp(item.started_at_ms), completedAt: parseTimestamp(item.completed_at_ms) }),
  }
  if (Object.keys(own).length > 0) return own
  const { secs, nanos } = fieldsOf(event.duration) ?? {}
  if (typeof secs !== 'number' || at === undefined) return {}
  const ran = Math.round(secs * 1000 + (typeof nanos === 'number' ? nanos / 1e6 : 0))
  return { startedAt: at - ran, completedAt: at }
}

function hasFailed({ exit_code, success, result, status, error }: Fields): boolean {
  if (typeof exit_code === 'number') return exit_code !== 0
  if (success === false || status === 'failed' || isFields(error)) return true
  const ended = fieldsOf(result)
  return ended !== undefined && (ended.Err !== undefined || ended.isError === true || fieldsOf(ended.Ok)?.isError === true)
}

/** Joined by query, because searches share no call id. */
function searchEvent(event: Fields, reading: Reading): void {
  const { state, at } = reading
  const search = searchKey(event.action)
  const call = state.calls.findLast((known) => known.search === search && known.output === undefined)
  if (call) pushSearchResult(call, event, reading)
  else state.heldSearches.push({ search, payload: event, ...given({ at }) })
}

/** `all`: also emits searches without an item. */
export function flushSearches(reading: Reading, all: boolean): void {
  const { state } = reading
  for (const held of [...state.heldSearches]) {
    const call = state.calls.findLast((known) => known.search === held.search && known.output === undefined)
    if (call === undefined && !all) continue
    state.heldSearches.splice(state.heldSearches.indexOf(held), 1)
    if (call) pushSearchResult(call, held.payload, reading)
    else
      pushLoneCall(
        'web_search_end',
        { event: held.payload, shape: SEARCH, id: searchId(held.payload), child: undefined, times: {} },
        reading,
      )
  }
}

const SEARCH: Shape = { tool: () => 'web_search', params: ({ action, query }) => action ?? { query }, copies: set('action query') }

function searchId(event: Fields): string | undefined {
  return textOf(event.call_id) ?? textOf(event.id)
}

function pushSearchResult(call: KnownCall, event: Fields, reading: Reading): void {
  const results = filled({ results: withoutSecrets(event.results) })
  if (results === undefined) return
  call.output = `${call.part}#output`
  const result = JSON.stringify({ content: results.results })
  pushResult(reading, {
    id: call.output,
    hash: shortHash(16, 'search', '\n', result),
    result: { callId: call.part, result, isError: false },
  })
}
