/** Why findings are refused: repeats the checks of the product in their order (`graph-of-reading.ts`, `lines-of-reading.ts`). */
import type { Reading } from '../src/analyze/llm/prompts/conversation.ts'
import type { Asked } from './model-folder.ts'

interface Message {
  readonly from: string
  readonly trust: string
  readonly text: string
}

interface Prompted {
  readonly messages: ReadonlyMap<string, Message>
  readonly ids: ReadonlySet<string>
  readonly types: readonly string[]
}

/** `kept`, or the reason. */
export type Verdicts = { readonly [kind in 'entities' | 'observations' | 'statements' | 'aliases']: readonly string[] }

const LEAST_CONFIDENCE = 0.5
const LONGEST_QUOTE = 1_000
const RELATION = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+){0,5}$/
const DAY_OR_TIME = /^(?:\d{4}-\d{2}-\d{2}|-?-?\d{2}-\d{2}|(?:[01]\d|2[0-3]):[0-5]\d)$/
const OF_AGENTS: readonly string[] = ['decision', 'correction']

export function verdictsOf({ text, instructions, answer }: Asked): Verdicts | undefined {
  if (answer === undefined) return undefined
  const reading = JSON.parse(answer) as Reading
  const prompted = promptedIn(text, instructions)
  const named = new Map(reading.entities.map((entity) => [entity.id, entityVerdict(entity, prompted)]))
  const isUsable = (id: string) => prompted.ids.has(id) || named.get(id) === 'kept'
  const refers = (id: string) => (isUsable(id) ? 'kept' : named.has(id) ? 'of an entity that was refused' : 'of an id that is not there')
  return {
    entities: reading.entities.map((entity) => entityVerdict(entity, prompted)),
    observations: reading.observations.map((one) => {
      const object = one.object === null ? 'kept' : one.object === one.subject ? 'of itself' : refers(one.object)
      return first(
        quoted(one, prompted),
        refers(one.subject),
        (one.object === null) === ((one.literal?.trim() ?? '') === '') ? 'both or neither of object and literal' : 'kept',
        object,
        one.object === null && !isSaid(one.literal ?? '', one.quote) ? 'the value is not in the quote' : 'kept',
        RELATION.test(one.type) ? 'kept' : 'the relation has no form',
        spoken(one, prompted),
      )
    }),
    statements: reading.statements.map((one) => {
      const { from, trust } = prompted.messages.get(one.message) ?? { from: '', trust: '' }
      return first(
        quoted(one, prompted),
        one.confidence >= LEAST_CONFIDENCE ? 'kept' : 'not sure',
        trust === 'untrusted' ? "a stranger's words" : 'kept',
        from === 'agent' && !OF_AGENTS.includes(one.type) ? "an agent's words" : 'kept',
      )
    }),
    aliases: [...reading.aliases, ...reading.same].map((one) =>
      first(quoted(one, prompted), refers(one.entity), spoken({ ...one, subject: one.entity }, prompted)),
    ),
  }
}

function promptedIn(text: string, instructions: string): Prompted {
  const nonce = /^<participants-([0-9a-f]+)>/m.exec(text)?.[1] ?? ''
  const said = new RegExp(`<(m\\d+)-${nonce}[^>]* from="([^"]*)"[^>]* trust="([^"]*)">\\n([\\s\\S]*?)\\n</\\1-${nonce}>`, 'g')
  const messages = [...text.matchAll(said)].map(
    ([, id = '', from = '', trust = '', body = '']) => [id, { from, trust, text: body }] as const,
  )
  const ids = [...text.matchAll(/^\{"id":"(p\d+|k\d+|project)"/gm)].map(([, id = '']) => id)
  const types = /"type" is one of ([a-z_, ]+)\./.exec(instructions)?.[1]?.split(', ') ?? []
  return { messages: new Map(messages), ids: new Set(ids), types }
}

function quoted({ message, quote }: { readonly message: string; readonly quote: string }, { messages }: Prompted): string {
  const text = messages.get(message.trim())?.text
  const wanted = quote.trim()
  if (text === undefined) return 'of a message that is not there'
  const at = text.indexOf(wanted)
  if (wanted === '' || wanted.length > LONGEST_QUOTE || at === -1) return 'the quote is not in the message'
  return text.indexOf(wanted, at + 1) === -1 ? 'kept' : 'the quote is there more than once'
}

function entityVerdict({ id, name, type, message, quote }: Reading['entities'][number], prompted: Prompted): string {
  const text = prompted.messages.get(message.trim())?.text ?? ''
  return first(
    prompted.ids.has(id) ? 'an id that is taken' : 'kept',
    prompted.types.includes(type) ? 'kept' : 'a type that there is not',
    quote.trim() === name.trim() ? 'kept' : quoted({ message, quote }, prompted),
    quote.includes(name.trim()) && text.includes(name.trim()) ? 'kept' : 'the name is not in the quote',
  )
}

function spoken({ message, subject }: { readonly message: string; readonly subject: string }, { messages }: Prompted): string {
  const { from, trust } = messages.get(message.trim()) ?? { from: '', trust: '' }
  if (from === 'agent' || trust === 'agent') return "an agent's words"
  return trust === 'untrusted' && from !== subject ? "a stranger's words" : 'kept'
}

function isSaid(literal: string, quote: string): boolean {
  return quote.toLowerCase().includes(literal.trim().toLowerCase()) || DAY_OR_TIME.test(literal.trim())
}

function first(...verdicts: readonly string[]): string {
  return verdicts.find((verdict) => verdict !== 'kept') ?? 'kept'
}
