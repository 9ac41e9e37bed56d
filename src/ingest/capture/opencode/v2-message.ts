/** Converts OpenCode's second storage format (`session_message`) to the first. Pure. */
import { type Fields, fieldsOf, filledBut, isFields, textOf } from '../fields.ts'
import type { NativeMessage } from './convert-message.ts'

export interface V2Row {
  readonly id: string
  readonly type: string
  readonly data: Fields
}

/** Conversation types; the others record switches. */
export const V2_CONVERSATION = ['user', 'assistant', 'compaction', 'shell', 'synthetic', 'system'] as const

const TYPES: Readonly<Record<string, (data: Fields, id: string) => Omit<NativeMessage, 'id'>>> = {
  user: (data) => ({
    data: { ...filledBut(data, OF_USER), role: 'user' },
    parts: [{ type: 'text', text: data.text }, ...listed(data.files, 'file'), ...listed(data.agents, 'agent')],
  }),
  assistant: (data) => ({
    data: { ...filledBut(data, OF_ASSISTANT), role: 'assistant', modelID: fieldsOf(data.model)?.id },
    parts: (Array.isArray(data.content) ? data.content : []).filter(isFields).map(contentPart),
  }),
  compaction: (data) => ({
    data: { ...filledBut(data, OF_COMPACTION), role: 'assistant', mode: 'compaction' },
    parts: [{ type: 'text', text: data.summary }],
  }),
  synthetic: injected,
  system: injected,
  shell: (data, id) => ({
    data: { ...filledBut(data, OF_SHELL), role: 'shell', text: `! ${textOf(data.command) ?? ''}` },
    parts: [{ type: 'tool', tool: 'shell', callID: data.callID ?? id, state: shellState(data) }],
  }),
  'agent-switched': (data) => ({ data: { ...data, role: 'notice', text: `agent: ${textOf(data.agent) ?? '?'}` }, parts: [] }),
  'model-switched': (data) => ({ data: { ...data, role: 'notice', text: `model: ${textOf(fieldsOf(data.model)?.id) ?? '?'}` }, parts: [] }),
}

const OF_USER: ReadonlySet<string> = new Set(['text', 'files', 'agents'])
const OF_ASSISTANT: ReadonlySet<string> = new Set(['content', 'snapshot'])
const OF_COMPACTION: ReadonlySet<string> = new Set(['summary'])
const OF_SHELL: ReadonlySet<string> = new Set(['command', 'output', 'callID'])

export function v2Message({ id, type, data }: V2Row): NativeMessage | undefined {
  const convert = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined
  return convert === undefined ? undefined : { id, ...convert(data, id) }
}

function injected(data: Fields): Omit<NativeMessage, 'id'> {
  const { text, ...rest } = data
  return { data: { ...rest, role: 'user' }, parts: [{ type: 'text', text, synthetic: true }] }
}

function listed(list: unknown, type: string): Fields[] {
  return (Array.isArray(list) ? list : []).filter(isFields).map((item) => ({ ...item, type }))
}

function shellState(data: Fields): Fields {
  const status = fieldsOf(data.time)?.completed === undefined ? 'running' : 'completed'
  return { status, input: { command: data.command }, output: data.output }
}

function contentPart(part: Fields): Fields {
  if (part.type !== 'tool') return part
  const { id, name, state, ...rest } = part
  const { content, error, ...more } = fieldsOf(state) ?? {}
  return { ...rest, callID: id, tool: name, state: { ...more, output: outputOf(content), error: fieldsOf(error)?.message ?? error } }
}

/** Joins text-only content, as in the first format. */
function outputOf(content: unknown): unknown {
  if (!Array.isArray(content)) return content
  const texts = content.map((item) => (fieldsOf(item)?.type === 'text' ? fieldsOf(item)?.text : undefined))
  return texts.every((text) => typeof text === 'string') ? texts.join('\n') : content
}
