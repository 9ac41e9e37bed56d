/** Events repeat the conversation for the screen. Only they have turns, tokens, rollbacks and errors. */
import { given } from '../../../core/given.ts'
import { shortHash } from '../../../core/hash.ts'
import { TITLE_RANK } from '../../../ledgers/agent-record.ts'
import { type Fields, fieldsOf, filled, filledBut, textOf } from '../fields.ts'
import { userEvent } from './asked.ts'
import { itemContent, withoutSecrets } from './content.ts'
import { closeReply, pushMessage } from './emit.ts'
import { push, pushUnknown, type Reading } from './read-state.ts'
import { madeName, scopeOf } from './record-name.ts'
import { assistantEvent, flushReplies, lastWords, reasoningEvent } from './reply.ts'
import { pushContext, pushUsage } from './session-meta.ts'
import { tokenCount } from './token-count.ts'
import { subagentActivity, toolEvent } from './tool-event.ts'
import { endTurn, flushAll } from './turn-end.ts'

type Handler = (payload: Fields, reading: Reading) => void

const HANDLERS: Readonly<Record<string, Handler>> = {
  user_message: (payload, reading) => {
    // Old versions mark injected text.
    const kind = textOf(payload.kind)
    if (kind === 'environment_context' || kind === 'user_instructions') return
    asked(String(payload.message ?? ''), payload, reading)
  },
  agent_message: (payload, reading) => spoken(payload.message, (text) => assistantEvent(text, payload, reading)),
  agent_reasoning: (payload, reading) => spoken(payload.text, (text) => reasoningEvent(text, payload, reading)),
  agent_reasoning_raw_content: (payload, reading) => spoken(payload.text, (text) => reasoningEvent(text, payload, reading)),
  token_count: tokenCount,
  task_started: turnStarted,
  turn_started: turnStarted,
  task_complete: turnEnded,
  turn_complete: turnEnded,
  turn_aborted: (payload, reading) => {
    endTurn(reading)
    notice('turn_aborted', { text: textOf(payload.reason) ?? '', payload }, reading)
    reading.state.aborted = true
    pushUsage(reading)
  },
  thread_rolled_back: rolledBack,
  thread_name_updated: ({ thread_name }, reading) => {
    const title = textOf(thread_name)
    // In a copy, names and goals belong to the original thread.
    if (title === undefined || reading.state.copy !== undefined) return
    if (!reading.state.told) reading.state.title = title
    else push(reading, { type: 'title', session: reading.state.thread, title, rank: TITLE_RANK.custom })
  },
  thread_goal_updated: ({ goal }, reading) => {
    const { objective, status } = fieldsOf(goal) ?? {}
    if (reading.state.copy === undefined) pushContext(reading, { goal: filled({ objective, status }) })
  },
  item_completed: (payload, reading) => turnItem(fieldsOf(payload.item) ?? {}, payload, reading),
}

const NOTICES: Readonly<Record<string, string>> = {
  error: 'message',
  warning: 'message',
  stream_error: 'message',
  guardian_warning: 'message',
  guardian_assessment: 'rationale',
  undo_completed: 'message',
  entered_review_mode: 'user_facing_hint',
  exited_review_mode: 'review_output',
  sub_agent_activity: 'agent_path',
  model_reroute: 'reason',
  deprecation_notice: 'summary',
}

/** Known, but redundant or transient. */
const DROPPED: ReadonlySet<string> = new Set(
  (
    'context_compacted thread_settings_applied session_configured exec_command_begin exec_command_output_delta mcp_tool_call_begin ' +
    'web_search_begin image_generation_begin patch_apply_begin patch_apply_updated turn_diff plan_update plan_delta background_event ' +
    'agent_message_delta agent_message_content_delta agent_reasoning_delta agent_reasoning_section_break reasoning_content_delta ' +
    'reasoning_raw_content_delta raw_response_item dynamic_tool_call_request item_started hook_started hook_completed ' +
    'mcp_startup_update mcp_startup_complete exec_approval_request apply_patch_approval_request request_user_input request_permissions ' +
    'elicitation_request terminal_interaction shutdown_complete safety_buffering model_verification turn_moderation_metadata ' +
    'collab_agent_spawn_begin collab_agent_interaction_begin collab_waiting_begin collab_close_begin collab_resume_begin'
  ).split(' '),
)

export function eventMsg(payload: Fields, reading: Reading): void {
  const type = textOf(payload.type) ?? 'without type'
  const handler = HANDLERS[type]
  if (handler) handler(payload, reading)
  else if (type === 'sub_agent_activity' && subagentActivity(payload, reading)) return
  else if (NOTICES[type] !== undefined) notice(type, { text: noticeText(payload[NOTICES[type]] ?? payload.error), payload }, reading)
  else if (!toolEvent(type, payload, reading) && !DROPPED.has(type)) pushUnknown(reading, `event_msg/${type}`)
}

function asked(text: string, payload: Fields, reading: Reading): void {
  flushReplies(reading)
  userEvent(text, payload, reading)
}

function spoken(text: unknown, emit: (text: string) => void): void {
  if (typeof text === 'string' && text !== '') emit(text)
}

function noticeText(value: unknown): string {
  const fields = fieldsOf(value)
  return textOf(value) ?? textOf(fields?.overall_explanation) ?? textOf(fields?.message) ?? ''
}

const ELSEWHERE: ReadonlySet<string> = new Set(['type', 'turn_id', 'started_at', 'completed_at'])

function notice(type: string, { text, payload }: { text: string; payload: Fields }, reading: Reading): void {
  flushAll(reading)
  closeReply(reading.state)
  const facts = filledBut(withoutSecrets(payload) as Fields, ELSEWHERE)
  const hash = shortHash(16, type, '\n', JSON.stringify(facts ?? {}))
  const rest = Object.entries(facts ?? {}).filter(([, value]) => value !== text)
  const id = madeName(reading, scopeOf(reading, payload), { kind: type, hash })
  pushMessage(reading, {
    id,
    role: 'system',
    kind: 'notice',
    trust: 'agent',
    text,
    hash,
    metadata: { event: type, ...Object.fromEntries(rest) },
  })
}

function turnStarted(payload: Fields, reading: Reading): void {
  const { state } = reading
  closeReply(state)
  delete state.counted
  const turn = textOf(payload.turn_id)
  if (turn === undefined) delete state.turn
  else state.turn = turn
  const limit = payload.model_context_window
  if (typeof limit === 'number' && limit > 0 && state.usage?.limit !== limit) state.usage = { ...state.usage, limit, told: false }
}

function turnEnded(payload: Fields, reading: Reading): void {
  flushAll(reading)
  spoken(payload.last_agent_message, (text) => lastWords(text, reading))
  const error = fieldsOf(payload.error)
  if (error) notice('turn_error', { text: textOf(error.message) ?? '', payload: { type: 'turn_error', ...error } }, reading)
  endTurn(reading)
  pushUsage(reading)
}

/** Rolled-back turns leave the conversation but stay in the file. */
function rolledBack(payload: Fields, reading: Reading): void {
  const { state } = reading
  endTurn(reading)
  const count = typeof payload.num_turns === 'number' ? Math.max(0, payload.num_turns) : 0
  if (count === 0 || !state.told) return
  const back = state.before.splice(Math.max(0, state.before.length - count))
  if (back.length === 0) return
  const to = back[0] ?? undefined
  push(reading, { type: 'head', session: state.thread, ...given({ recordId: to }) })
  if (to === undefined) {
    delete state.last
    state.emptied = true
  } else state.last = to
}

const ITEMS_DROPPED: ReadonlySet<string> = new Set(['ContextCompaction', 'Sleep', 'EnteredReviewMode', 'HookPrompt', 'SubAgentActivity'])

/** Paginated histories store whole items instead of events. */
function turnItem(item: Fields, payload: Fields, reading: Reading): void {
  const type = textOf(item.type) ?? 'without type'
  const { texts, blocks } = itemContent(item.content)
  const facts = { ...item, turn_id: payload.turn_id }
  if (type === 'UserMessage') asked(texts.join('\n\n'), { ...facts, images: picturesIn(blocks) }, reading)
  else if (type === 'AgentMessage') spoken(texts.join(''), (text) => assistantEvent(text, facts, reading))
  else if (type === 'Plan') notice('plan', { text: textOf(item.text) ?? '', payload: facts }, reading)
  else if (type === 'ExitedReviewMode') notice('exited_review_mode', { text: noticeText(item.review_output), payload: facts }, reading)
  else if (type === 'Reasoning') for (const text of thoughtsOf(item)) reasoningEvent(text, facts, reading)
  else if (!toolEvent(type, facts, reading, payload) && !ITEMS_DROPPED.has(type)) pushUnknown(reading, `item_completed/${type}`)
}

function picturesIn(blocks: readonly unknown[]): unknown[] | undefined {
  const others = blocks.filter((block) => fieldsOf(block)?.type !== 'text')
  return others.length === 0 ? undefined : others
}

function thoughtsOf({ summary_text, raw_content }: Fields): string[] {
  return [summary_text, raw_content].flatMap((list) => (Array.isArray(list) ? list.filter((text) => typeof text === 'string') : []))
}
