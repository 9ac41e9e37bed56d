/** Parses one write call into an entry of a model's answer. Does not check the rules of the graph. */
import type { ReadWindow } from '../../../analyze/llm/language-model.ts'
import { type Reading, readingSchema } from '../../../analyze/llm/prompts/conversation.ts'
import { STATEMENT_TYPES } from '../../../core/statement-type.ts'
import { foldedName } from '../../../graph/folded-name.ts'
import type { CallArguments } from './call-arguments.ts'

export type Lists = Omit<Reading, 'so_far' | 'turns' | 'topics'>
export type Entry = { readonly [K in keyof Lists]: { readonly list: K; readonly value: Lists[K][number] } }[keyof Lists]
type Cited = { readonly message: string; readonly quote: string }

export class Refused extends Error {}

export interface EntryOptions {
  readonly window: ReadWindow
  readonly entityTypes: readonly string[]
  readonly written: readonly Entry[]
  readonly nextEntity: string
}

const DAY = /^\d{4}-\d{2}-\d{2}$/
const SURE = 0.9
const ALIASES = readingSchema.shape.aliases.element.shape.kind.options
const WORDS: Readonly<Record<string, number>> = { entity: 2, relation: 3, alias: 3, same: 2, event: 1 }
const USAGE =
  'write entity NAME TYPE, relation SUBJECT TYPE OBJECT, alias NAME TYPE VALUE, same NAME KNOWN, event TYPE, each with --quote "WORDS"; or undo ID'

export function writeEntry(verb: string, call: CallArguments, options: EntryOptions): Entry {
  const [first = '', second = '', third = ''] = call.words
  if (WORDS[verb] === undefined || call.words.length !== WORDS[verb]) throw new Refused(USAGE)
  const at = cited(call, options.window)
  const confidence = numberOf(call.options.get('--confidence'))
  switch (verb) {
    case 'entity':
      if (!options.entityTypes.includes(second)) throw new Refused(`a type is one of ${options.entityTypes.join(', ')}`)
      return { list: 'entities', value: { id: options.nextEntity, type: second, name: first.trim(), aliases: [], ...at } }
    case 'event':
      return { list: 'statements', value: { type: oneOf('an event', first, STATEMENT_TYPES), confidence, ...at } }
    case 'same':
      return { list: 'same', value: { entity: sure(first, options), as: sure(second, options), confidence, ...at } }
    case 'alias':
      return { list: 'aliases', value: { entity: sure(first, options), kind: oneOf('an alias', second, ALIASES), value: third, ...at } }
    default: {
      const object = called(third, options)
      const source = oneOf('a source type', call.options.get('--source-type') ?? 'stated', ['stated', 'inferred'] as const)
      const days = { valid_from: dayOf(call.options.get('--from')), valid_until: dayOf(call.options.get('--until')) }
      const to = { object: object ?? null, literal: object === undefined ? third : null }
      return {
        list: 'observations',
        value: { subject: sure(first, options), type: second, ...to, ...days, source_type: source, confidence, ...at },
      }
    }
  }
}

/** The named message, else the only one that contains the quote. */
function cited({ options }: CallArguments, { recorded }: ReadWindow): Cited {
  const quote = options.get('--quote')?.trim() ?? ''
  if (quote === '') throw new Refused('say the words that say it, copied from a message: --quote "…"')
  const named = options.get('--message')
  const holding = recorded.messages.flatMap((one, at) => (one.locate(quote) === undefined ? [] : [`m${at + 1}`]))
  if (named !== undefined && !holding.includes(named)) throw new Refused(`${named} does not have these words, or has them more than once`)
  const [first, another] = named === undefined ? holding : [named]
  if (first === undefined) throw new Refused('no message has these words once: copy a whole sentence, character by character')
  if (another !== undefined) throw new Refused(`${holding.join(', ')} have these words: say which with --message`)
  return { message: first, quote }
}

function sure(name: string, options: EntryOptions): string {
  const id = called(name, options)
  if (id !== undefined) return id
  throw new Refused(`nobody is called ${JSON.stringify(name)} here: write the entity first, or name it by its id`)
}

function called(name: string, options: EntryOptions): string | undefined {
  const ids = [...new Set(idsOf(name, options))]
  if (ids.length > 1) throw new Refused(`${ids.join(' and ')} are called ${JSON.stringify(name)}: name one by that id`)
  return ids[0]
}

/** The run's own entities win: a known entity can be named by its id. */
function idsOf(name: string, { window: { recorded, project }, written }: EntryOptions): string[] {
  const wanted = foldedName(name)
  const own = written.flatMap((entry) =>
    entry.list === 'entities' && (entry.value.id === name || foldedName(entry.value.name) === wanted) ? [entry.value.id] : [],
  )
  if (own.length > 0) return own
  const known = recorded.known.flatMap((one, at) =>
    name === `k${at + 1}` || [one.name, ...one.also].some((other) => foldedName(other) === wanted) ? [`k${at + 1}`] : [],
  )
  const isOwner = ['me', 'owner', 'i'].includes(name.toLowerCase())
  const people = recorded.participants.filter(
    (one) => one.id === name || one.handle === name || (one.name !== null && foldedName(one.name) === wanted) || (isOwner && one.isOwner),
  )
  return [...known, ...people.map(({ id }) => id), ...(project !== null && name === 'project' ? ['project'] : [])]
}

function oneOf<const T extends readonly string[]>(what: string, value: string, known: T): T[number] {
  const found = known.find((one) => one === value)
  if (found === undefined) throw new Refused(`${what} is one of ${known.join(', ')}`)
  return found
}

function numberOf(text: string | undefined): number {
  const value = text === undefined ? SURE : Number(text)
  if (!(value >= 0 && value <= 1)) throw new Refused('a confidence is a number from 0 to 1')
  return value
}

function dayOf(text: string | undefined): string | null {
  if (text === undefined) return null
  if (!DAY.test(text)) throw new Refused('a day is written YYYY-MM-DD')
  return text
}
