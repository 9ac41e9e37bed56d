/** Plain-text transcripts of the first versions (`user:`, `assistant:`), converted to JSON lines. */
import type { Line } from '../../lines.ts'

export function isTextTranscript(head: string): boolean {
  return /^\s*(?:user|assistant):[ \t]*\r?\n/.test(head.replace(/^\ufeff/, ''))
}

const ROLE = /^(user|assistant):\s*$/
const PART = /^\[(Thinking|Tool call|Tool result)\]\s?(.*)$/
const ARGUMENT = /^\s+([\w.-]+):\s?(.*)$/

type Block =
  | { type: 'text' | 'thinking'; said: string[] }
  | { type: 'tool_use'; name: string; input: Record<string, string>; last?: string }

interface State {
  role: 'user' | 'assistant' | 'result' | undefined
  blocks: Block[]
}

/** A role marker counts only after an empty line. Each line carries its end offset. */
export async function* textLines(lines: AsyncIterable<Line>): AsyncGenerator<Line[], void, undefined> {
  const state: State = { role: undefined, blocks: [] }
  let before: Line | undefined
  for await (const line of lines) {
    const role = before === undefined || before.text.trim() === '' ? ROLE.exec(line.text)?.[1] : undefined
    const part = state.role === 'user' || state.role === undefined ? null : PART.exec(line.text)
    if (role !== undefined) {
      if (before !== undefined) yield flushed(state, before)
      state.role = role as 'user' | 'assistant'
    } else if (part?.[1] === 'Tool result' || (part !== null && state.role === 'result')) {
      yield flushed(state, before ?? line)
      state.role = part[1] === 'Tool result' ? 'result' : 'assistant'
      if (state.role === 'assistant') addPart(state, part)
    } else if (part !== null) addPart(state, part)
    else addLine(state, line.text)
    before = line
  }
  if (before !== undefined) yield flushed(state, before)
}

function addPart({ blocks }: State, [, kind, rest = '']: RegExpExecArray): void {
  if (kind === 'Thinking') blocks.push({ type: 'thinking', said: [rest] })
  else blocks.push({ type: 'tool_use', name: rest.trim(), input: {} })
}

function addLine({ role, blocks }: State, text: string): void {
  const last = blocks.at(-1)
  // An empty line ends a thought or a call's arguments.
  const over = role === 'assistant' && text.trim() === '' && last?.type !== 'text'
  if (last === undefined || over) blocks.push({ type: 'text', said: over ? [] : [text] })
  else if (last.type !== 'tool_use') last.said.push(text)
  else {
    const [, name, value = ''] = ARGUMENT.exec(text) ?? []
    const key = name ?? last.last ?? 'text'
    last.input[key] =
      name === undefined && last.input[key] !== undefined ? `${last.input[key]}\n${text}` : name === undefined ? text : value
    last.last = key
  }
}

function flushed(state: State, at: Line): Line[] {
  const { role } = state
  const content = state.blocks.map(contentOf).filter((block) => block !== undefined)
  state.blocks = []
  if (role === undefined || content.length === 0) return []
  const said = role === 'result' ? [{ type: 'tool_result', content }] : content
  return [{ ...at, text: JSON.stringify({ role: role === 'assistant' ? 'assistant' : 'user', message: { content: said } }) }]
}

function contentOf(block: Block): object | undefined {
  if (block.type === 'tool_use') return { type: 'tool_use', name: block.name, input: block.input }
  const text = block.said.join('\n').trim()
  if (text === '') return undefined
  return block.type === 'thinking' ? { type: 'thinking', thinking: text } : { type: 'text', text }
}
