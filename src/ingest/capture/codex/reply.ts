/** Thoughts, a text and its calls form one message; the next text starts another. Events that repeat an item are dropped. */
import { given } from '../../../core/given.ts'
import { shortHash } from '../../../core/hash.ts'
import type { ToolCallPart, ToolResultPart } from '../../../ledgers/agent-record.ts'
import { type Fields, filled, textOf } from '../fields.ts'
import { flushAsked } from './asked.ts'
import { encrypted, itemContent } from './content.ts'
import { pushMessage } from './emit.ts'
import { push, type Reading, type RolloutState } from './read-state.ts'
import { madeName, nameOfId, scopeOf, textHash } from './record-name.ts'

interface ReplyPart {
  readonly is: 'thought' | 'text' | 'calls'
  readonly name: string
  readonly hash: string
  readonly text?: string
  readonly blocks: readonly unknown[]
  readonly aliases?: readonly string[]
  readonly metadata?: Fields | undefined
  readonly at?: number | undefined
  readonly toolCalls?: readonly ToolCallPart[]
  readonly toolResults?: readonly ToolResultPart[] | undefined
}

export function pushReply(reading: Reading, part: ReplyPart): void {
  const { state } = reading
  const { is, name } = part
  const open = state.reply
  const fresh = open === undefined || (is !== 'calls' && (open.text || open.calls))
  const reply = fresh ? { id: name, text: false, calls: false } : open
  state.reply = reply
  if (is === 'text') reply.text = true
  if (is === 'calls') reply.calls = true
  state.counted = reply.id
  pushMessage(reading, {
    id: reply.id,
    part: fresh ? undefined : name,
    role: 'assistant',
    kind: 'reply',
    trust: 'agent',
    text: part.text ?? '',
    hash: part.hash,
    model: state.model,
    provider: textOf(state.session.context?.model_provider),
    blocks: part.blocks,
    aliases: part.aliases,
    metadata: filled({ effort: fresh ? state.effort : undefined, ...part.metadata }),
    at: part.at,
    toolCalls: part.toolCalls,
    toolResults: part.toolResults,
  })
}

export function assistantItem(payload: Fields, reading: Reading): void {
  const { state } = reading
  flushAsked(reading)
  const { texts, blocks } = itemContent(payload.content)
  const text = texts.join('\n\n')
  const hash = textHash('assistant', text)
  const scope = scopeOf(reading, payload)
  const held = takeHeld(state, [text, ...texts])
  const id = textOf(payload.id)
  const known = state.byEvent.findIndex(([seen]) => seen === hash)
  if (held === undefined && known !== -1) {
    const [[, name]] = state.byEvent.splice(known, 1) as [[string, string]]
    if (id !== undefined) push(reading, { type: 'link', session: state.thread, recordId: nameOfId(scope, id), parent: name })
    return
  }
  flushThoughts(reading)
  const made = held?.text === text ? held.name : madeName(reading, scope, { kind: 'assistant', hash })
  const name = id === undefined ? made : nameOfId(scope, id)
  state.texts.push(hash)
  if (held === undefined) state.textsAlone.push(...new Set([text, ...texts].map((one) => textHash('assistant', one))))
  pushReply(reading, {
    is: 'text',
    name,
    hash,
    text,
    blocks: blocks.length === 0 ? [{ type: 'text', length: text.length }] : blocks,
    ...(name === made ? {} : { aliases: [made] }),
    metadata: filled({ phase: payload.phase, ...held?.metadata }),
    at: held?.at,
  })
}

export function assistantEvent(text: string, facts: Fields, reading: Reading): void {
  const { state, at } = reading
  flushAsked(reading)
  const hash = textHash('assistant', text)
  if (takeHash(state.textsAlone, hash)) return
  const name = madeName(reading, scopeOf(reading, facts), { kind: 'assistant', hash })
  const metadata = filled({ phase: facts.phase, memory_citation: facts.memory_citation })
  state.heldReplies.push({ name, text, ...given({ at, metadata }) })
}

export function lastWords(text: string, reading: Reading): void {
  const hash = textHash('assistant', text)
  if (reading.state.texts.includes(hash)) return
  pushText({ name: madeName(reading, scopeOf(reading), { kind: 'assistant', hash }), text }, reading)
}

export function reasoningItem(payload: Fields, reading: Reading): void {
  const { state } = reading
  flushAsked(reading)
  const summary = itemContent(payload.summary).texts
  const content = itemContent(payload.content).texts
  const sealed = encrypted(payload)
  for (const text of [...summary, ...content]) {
    const held = state.heldThoughts.findIndex((thought) => thought.text === text)
    if (held === -1) state.thoughtsAlone.push(textHash('thought', text))
    else state.heldThoughts.splice(held, 1)
  }
  flushThoughts(reading)
  const block = { type: 'reasoning', ...filled({ summary, content, encrypted_content: sealed }) }
  const hash = shortHash(16, 'reasoning', '\n', JSON.stringify(block))
  const scope = scopeOf(reading, payload)
  const id = textOf(payload.id)
  const name = id === undefined ? madeName(reading, scope, { kind: 'reasoning', hash }) : nameOfId(scope, id)
  pushReply(reading, { is: 'thought', name, hash, blocks: [block] })
}

export function reasoningEvent(text: string, payload: Fields, reading: Reading): void {
  const { state, at } = reading
  flushAsked(reading)
  const hash = textHash('thought', text)
  if (takeHash(state.thoughtsAlone, hash)) return
  const name = madeName(reading, scopeOf(reading, payload), { kind: 'thought', hash })
  state.heldThoughts.push({ text, name, ...given({ at }) })
}

/** No item will follow: emit what the events said. */
export function flushReplies(reading: Reading): void {
  const { state } = reading
  flushThoughts(reading)
  for (const held of state.heldReplies.splice(0)) {
    state.byEvent.push([textHash('assistant', held.text), held.name])
    pushText(held, reading)
  }
}

function flushThoughts(reading: Reading): void {
  for (const { text, name, at } of reading.state.heldThoughts.splice(0)) {
    const block = { type: 'reasoning', summary: [text] }
    pushReply(reading, { is: 'thought', name, hash: textHash('thought', text), blocks: [block], at })
  }
}

function pushText(said: { name: string; text: string; at?: number; metadata?: Fields }, reading: Reading): void {
  const hash = textHash('assistant', said.text)
  reading.state.texts.push(hash)
  pushReply(reading, { is: 'text', hash, blocks: [{ type: 'text', length: said.text.length }], aliases: [said.name], ...said })
}

/** Removes the held event that an item repeats; several if it has several texts. */
function takeHeld(state: RolloutState, texts: readonly string[]): RolloutState['heldReplies'][number] | undefined {
  const taken = state.heldReplies.filter((held) => texts.includes(held.text))
  const first = taken[0]
  if (first === undefined) return undefined
  const whole = first.text === texts[0]
  // Two equal events match two equal items.
  state.heldReplies = state.heldReplies.filter((held) => (whole ? held !== first : !taken.includes(held)))
  return first
}

function takeHash(list: string[], hash: string): boolean {
  const index = list.indexOf(hash)
  if (index !== -1) list.splice(index, 1)
  return index !== -1
}
