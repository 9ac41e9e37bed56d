/**
 * Starts with each turn's minimum (prompt and matched words), best turns first, then grows in stages. So tool results shrink before
 * messages, and messages before turns drop out. Counts the printed whole after each stage and undoes the excess.
 */

import type { DraftCall, DraftMessage, DraftTurn } from './draft.ts'
import type { ForkForm, ForkMessage, ForkToolCall, ForkTurn } from './fork-context.ts'
import { shortInput } from './short-input.ts'
import { type Shortener, shorten } from './shorten.ts'

export interface FitOptions {
  readonly query: string
  readonly form: ForkForm
  readonly most: number
  readonly shortener: Shortener
}

export interface Fitted {
  readonly turns: ForkTurn[]
  readonly text: string
  readonly tokens: number
}

interface Shown {
  readonly draft: DraftTurn
  included: boolean
  readonly messages: Map<string, string>
  readonly calls: Map<string, Pick<ForkToolCall, 'input' | 'result'>>
}

type Undo = () => void

/** Estimated tokens of markup around a text and around a turn. */
const AROUND = 14
const HEAD = 70
const LEAST_GAIN = 24
const LEAST_ROOM = 40

/** Minimum tokens of a turn: matched words, and the prompt. */
const CORE = { least: 48, most: 160, prompt: 40 } as const

export function fitTurns(drafts: readonly DraftTurn[], options: FitOptions): Fitted {
  const shown: Shown[] = drafts.map((draft) => ({ draft, included: false, messages: new Map(), calls: new Map() }))
  const budget = budgetOf(shown, options)
  for (const stage of stages(shown, options)) budget.grow(stage)
  return budget.result()
}

interface Budget {
  grow(stage: readonly Growth[]): void
  result(): Fitted
}

type Growth = (room: number) => { readonly cost: number; readonly undo: Undo } | undefined

function budgetOf(shown: readonly Shown[], { query, form, most, shortener: { count } }: FitOptions): Budget {
  const printed = () => {
    const turns = inOrder(shown)
    const text = turns.length === 0 ? '' : form.text(query, turns)
    return { turns, text, tokens: count(text) }
  }
  let now = printed()
  return {
    grow(stage) {
      let room = most - now.tokens
      const done: Undo[] = []
      for (const growth of stage) {
        const grown = room >= LEAST_ROOM ? growth(room) : undefined
        if (grown === undefined) continue
        done.push(grown.undo)
        room -= grown.cost
      }
      if (done.length === 0) return
      now = printed()
      while (now.tokens > most && done.length > 0) {
        done.pop()?.()
        now = printed()
      }
    },
    result: () => now,
  }
}

function stages(shown: readonly Shown[], options: FitOptions): Growth[][] {
  const { shortener, most } = options
  const core = Math.max(CORE.least, Math.min(CORE.most, Math.floor(most / (2.5 * Math.max(1, shown.length)))))
  const each = (grow: (turn: Shown) => Growth[]) => shown.flatMap(grow)
  const of = (turn: Shown, ...parts: readonly DraftMessage['part'][]) => turn.draft.messages.filter(({ part }) => parts.includes(part))
  const texts = (turn: Shown, messages: readonly DraftMessage[], tokens: number) =>
    messages.map((message) => growMessage(turn, message, tokens, shortener))
  return [
    shown.map((turn) => include(turn, core, shortener)),
    each((turn) => texts(turn, bestFirst(turn.draft.messages, shortener), 64)),
    each((turn) => texts(turn, bestFirst(turn.draft.messages, shortener), 320)),
    each((turn) => texts(turn, of(turn, 'prompt', 'answer'), 240)),
    each((turn) => texts(turn, bestFirst(turn.draft.messages, shortener), 1_000)),
    each((turn) => growCalls(turn, { only: 'matters', most: 6, input: 160, result: 60 }, shortener)),
    each((turn) => texts(turn, of(turn, 'prompt', 'answer'), 1_000)),
    each((turn) => texts(turn, of(turn, 'other'), 240)),
    each((turn) => growCalls(turn, { only: 'all', most: 20, input: 200, result: 80 }, shortener)),
    each((turn) => growCalls(turn, { only: 'matters', most: 20, input: 2_000, result: 600 }, shortener)),
    each((turn) => texts(turn, turn.draft.messages, Number.POSITIVE_INFINITY)),
    each((turn) => growCalls(turn, { only: 'all', most: 200, input: 4_000, result: 2_000 }, shortener)),
  ]
}

function include(turn: Shown, core: number, shortener: Shortener): Growth {
  return (room) => {
    const { messages, calls } = turn.draft
    const prompt = messages.find(({ part }) => part === 'prompt')
    const said = foundFirst(messages, shortener) ?? messages.findLast(({ part }) => part === 'answer') ?? messages.at(-1)
    const inside = room - HEAD - AROUND
    if (said === undefined && calls.length === 0) return undefined
    const least = said === undefined ? '' : shorten(said.text, Math.min(core, inside), shortener)
    const call = said === undefined ? calls[0] : undefined
    if (least === '' && (call === undefined || inside < CORE.least)) return undefined
    const cost = HEAD + AROUND + shortener.count(least)
    const asked =
      prompt === undefined || prompt === said ? '' : shorten(prompt.text, Math.min(CORE.prompt, room - cost - AROUND), shortener)
    if (said !== undefined) turn.messages.set(said.id, least)
    if (prompt !== undefined && asked !== '') turn.messages.set(prompt.id, asked)
    if (call !== undefined) turn.calls.set(call.id, { input: shortInput(call.params(), CORE.most), result: null })
    turn.included = true
    const undo = () => {
      turn.included = false
      turn.messages.clear()
      turn.calls.clear()
    }
    return { cost: cost + (asked === '' ? 0 : AROUND + shortener.count(asked)) + (call === undefined ? 0 : CORE.most), undo }
  }
}

/** Prefers an answer over the prompt, which is shown anyway. */
function foundFirst(messages: readonly DraftMessage[], shortener: Shortener): DraftMessage | undefined {
  const found = bestFirst(messages, shortener)
  if (found[0]?.part === 'decides') return found[0]
  return found.find(({ role }) => role === 'assistant') ?? found[0]
}

/** Messages with most query words first: many matched messages say little. */
function bestFirst(messages: readonly DraftMessage[], { holds }: Shortener): DraftMessage[] {
  const worth = ({ part, text }: DraftMessage) => (part === 'decides' ? Number.POSITIVE_INFINITY : holds(text))
  return messages
    .filter(({ part }) => part === 'found' || part === 'decides')
    .toSorted((a, b) => (worth(a) === worth(b) ? b.text.length - a.text.length : worth(b) - worth(a)))
}

function growMessage(turn: Shown, message: DraftMessage, tokens: number, shortener: Shortener): Growth {
  return (room) => {
    if (!turn.included) return undefined
    const before = turn.messages.get(message.id)
    if (before === message.text) return undefined
    const had = before === undefined ? 0 : shortener.count(before)
    const most = Math.min(tokens, room + had - (before === undefined ? AROUND : 0))
    const text = shorten(message.text, most, shortener)
    if (text === '') return undefined
    const has = shortener.count(text)
    if (has <= had || (text !== message.text && has - had < LEAST_GAIN)) return undefined
    turn.messages.set(message.id, text)
    const undo = () => (before === undefined ? void turn.messages.delete(message.id) : void turn.messages.set(message.id, before))
    return { cost: has - had + (before === undefined ? AROUND : 0) + Math.ceil(text.split('\n').length / 2), undo }
  }
}

interface CallSizes {
  readonly only: 'matters' | 'all'
  readonly most: number
  /** Characters per value. */
  readonly input: number
  /** Tokens. */
  readonly result: number
}

function growCalls(turn: Shown, sizes: CallSizes, shortener: Shortener): Growth[] {
  const calls = turn.draft.calls.filter(({ matters }) => sizes.only === 'all' || matters)
  // The last calls show the outcome.
  return calls.slice(-sizes.most).map((call) => growCall(turn, call, sizes, shortener))
}

function growCall(turn: Shown, call: DraftCall, sizes: CallSizes, shortener: Shortener): Growth {
  return (room) => {
    if (!turn.included) return undefined
    const before = turn.calls.get(call.id)
    const had = before === undefined ? 0 : shortener.count(before.input) + shortener.count(before.result ?? '')
    const input = shortInput(call.params(), sizes.input)
    const left = room + had - shortener.count(input) - 2 * AROUND
    const result = left <= 0 ? '' : shorten(call.result(), Math.min(sizes.result, left), shortener)
    const has = shortener.count(input) + shortener.count(result)
    if (has <= had || has - had + 2 * AROUND > room) return undefined
    turn.calls.set(call.id, { input, result: result === '' ? null : result })
    const undo = () => (before === undefined ? void turn.calls.delete(call.id) : void turn.calls.set(call.id, before))
    return { cost: has - had + 2 * AROUND + Math.ceil(result.split('\n').length / 2), undo }
  }
}

function inOrder(shown: readonly Shown[]): ForkTurn[] {
  const included = shown.filter((turn) => turn.included)
  const at = ({ draft }: Shown) => (draft.head.turn.time === null ? 0 : Date.parse(draft.head.turn.time))
  const ordered = included.toSorted(
    (a, b) => at(a) - at(b) || compare(a.draft.head.session.id, b.draft.head.session.id) || a.draft.sequence - b.draft.sequence,
  )
  return ordered.map(shownTurn)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function shownTurn({ draft, messages, calls }: Shown): ForkTurn {
  const { turn, session, why, citation } = draft.head
  const texts = draft.messages.flatMap(({ id, role, time, trust }): ForkMessage[] => {
    const text = messages.get(id)
    return text === undefined ? [] : [{ id, role, text, time, trust }]
  })
  const done = draft.calls.flatMap(({ id, message, tool, failed }): ForkToolCall[] => {
    const call = calls.get(id)
    return call === undefined ? [] : [{ id, message, tool, ...call, failed }]
  })
  return { turn, session, messages: texts, tool_calls: done, why, citation }
}
