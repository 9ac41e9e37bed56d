/** One call reads a window of turns for all analyses. Readings are stored with the answer, for other processes and later turns. */
import { z } from 'zod'
import { redactVisible } from '../../core/redact.ts'
import type { Store } from '../../store/store.ts'
import type { EpisodeText } from '../analyzer.ts'
import { plainLine } from '../plain-line.ts'
import { answersOf } from './answers.ts'
import { implementationOf } from './by-model.ts'
import { aloneOf, type Conversation, conversationOf, type Unit, unitsOf, windowsOf } from './conversation.ts'
import { type Known, knownEntities, type PersonalFacts } from './known-entities.ts'
import { type LanguageModel, modelFault, type Prompt } from './language-model.ts'
import type { Reading } from './prompts/conversation.ts'
import { type RecordedText, recordedTurns } from './recorded-text.ts'

export interface ReadPart {
  readonly recorded: RecordedText
  readonly reading: Reading
  readonly own: ReadonlySet<string>
  readonly turns: readonly string[]
  /** Only the first episode counts findings without any valid message, so that they count once. */
  readonly isFirst: boolean
}

export interface ConversationReader {
  read(episode: EpisodeText, purpose: string, signal: AbortSignal | undefined): Promise<ReadPart[]>
  unread(conversation: Conversation, wanted: (unit: Unit) => boolean): Promise<Unit[][]>
}

export interface ReaderOptions {
  readonly model: LanguageModel
  readonly prompt: Prompt<Reading>
  /** If undefined, episodes are read alone, without known entities. */
  readonly store?: Store | undefined
  readonly clock?: (() => number) | undefined
  /** Policy for facts from messages, mails and calendars about entities that the text may mean. Default `always`. */
  readonly personal?: PersonalFacts | undefined
}

interface Window {
  readonly units: readonly Unit[]
  readonly recorded: RecordedText
  readonly reading: Reading
}

const noteSchema = z.object({
  asked: z.string(),
  units: z.array(z.tuple([z.string(), z.string()])),
  known: z.array(z.object({ id: z.string(), type: z.string(), name: z.string() })),
})

/** Windows in memory: the turns of a session are requested in sequence. */
const MOST_KEPT = 64

export function conversationReader(options: ReaderOptions): ConversationReader {
  const { store } = options
  /** By unit and text. A failed call's error is kept, so that other turns of the window do not repeat it. */
  const read = new Map<string, Window | Error>()
  /** Windows of a conversation run in sequence: each starts from the previous one's summary. */
  const busy = new Map<string, Promise<unknown>>()

  function remember(units: readonly Unit[], found: Window | Error): void {
    for (const unit of units) {
      read.delete(keyOf(unit))
      read.set(keyOf(unit), found)
    }
    while (new Set(read.values()).size > MOST_KEPT) {
      const [oldest] = read.keys()
      const gone = read.get(oldest ?? '')
      for (const [key, window] of read) if (window === gone) read.delete(key)
    }
  }

  const load = (episode: EpisodeText) => (store === undefined ? aloneOf(episode) : conversationOf(store.read, episode))

  async function readFor(own: readonly Unit[], episode: EpisodeText, more: Asking): Promise<void> {
    if (own.every((unit) => read.has(keyOf(unit)))) return
    const conversation = await load(episode)
    for (const window of await keptWindows(options, conversation)) remember(window.units, window)
    const wanted = new Set(own.map(keyOf))
    for (const window of pending(conversation, (unit) => wanted.has(keyOf(unit)))) {
      const at = conversation.units.indexOf(window[0] as Unit)
      const before = conversation.units
        .slice(0, at)
        .map((unit) => read.get(keyOf(unit)))
        .findLast((found) => found !== undefined && !(found instanceof Error))
      try {
        remember(window, await askWindow(options, { units: window, of: conversation, before: before as Window | undefined, ...more }))
      } catch (error) {
        // Only an error about this text is kept; any other ends the run.
        if (modelFault(error) === 'input' && error instanceof Error) remember(window, error)
        else throw error
        if (window.some((unit) => wanted.has(keyOf(unit)))) return
      }
    }
  }

  function pending({ units }: Conversation, wanted: (unit: Unit) => boolean): Unit[][] {
    const windows = windowsOf(units, (unit) => !read.has(keyOf(unit)))
    return windows.slice(0, windows.findLastIndex((window) => window.some(wanted)) + 1)
  }

  return {
    async read(episode, purpose, signal) {
      const own = unitsOf(episode)
      const turn = episode.messages[0]?.turn ?? null
      const lock = turn === null || store === undefined ? episode.id : await sessionOf(store, turn)
      const last = busy.get(lock) ?? Promise.resolve()
      const done = last.then(() => readFor(own, episode, { purpose, signal }))
      const settled = done.catch(() => undefined)
      busy.set(lock, settled)
      void settled.then(() => busy.get(lock) === settled && busy.delete(lock))
      await done
      const parts = new Map<Window, Unit[]>()
      for (const unit of own) {
        const found = read.get(keyOf(unit))
        if (found instanceof Error) throw found
        if (found !== undefined) parts.set(found, [...(parts.get(found) ?? []), unit])
      }
      return [...parts].map(([{ units, recorded, reading }, mine]) => {
        const ids = new Set(mine.map(({ id }) => id))
        return {
          ...{ recorded, reading, own: new Set(mine.flatMap(({ messages }) => messages.map(({ message }) => message))) },
          turns: units.flatMap(({ id }, at) => (ids.has(id) ? [`t${at + 1}`] : [])),
          isFirst: ids.has(units[0]?.id ?? ''),
        }
      })
    },
    async unread(conversation, wanted) {
      const known = new Set((await keptWindows(options, conversation)).flatMap(({ units }) => units.map(keyOf)))
      const windows = windowsOf(conversation.units, (unit) => !known.has(keyOf(unit)))
      return windows.slice(0, windows.findLastIndex((window) => window.some(wanted)) + 1)
    },
  }
}

interface Asking {
  readonly purpose: string
  readonly signal: AbortSignal | undefined
}

interface WindowQuestion extends Asking {
  readonly units: readonly Unit[]
  readonly of: Conversation
  readonly before: Window | undefined
}

async function keptWindows({ model, prompt, store }: ReaderOptions, { units, people, project }: Conversation): Promise<Window[]> {
  if (store === undefined) return []
  const by = new Map(units.map((unit) => [keyOf(unit), unit]))
  const messages = units.flatMap((unit) => unit.messages.map(({ message }) => message))
  return (await answersOf(store.read, model.model, messages)).flatMap(({ value, note: written }) => {
    const note = noteSchema.safeParse(written)
    const reading = prompt.schema.safeParse(value)
    if (!note.success || !reading.success || note.data.asked !== nameOf(model, prompt)) return []
    const own = note.data.units.map(([id, hash]) => by.get(`${id} ${hash}`))
    if (!own.every((unit) => unit !== undefined)) return []
    const known = note.data.known.map((one) => ({ ...one, also: [], facts: [] }))
    const turns = own.map((unit) => unit.messages)
    return [{ units: own, recorded: recordedTurns(turns, { people, project }, { known }), reading: reading.data }]
  })
}

async function askWindow(
  { model, prompt, store, clock = Date.now, personal }: ReaderOptions,
  { units, of, before, purpose, signal }: WindowQuestion,
): Promise<Window> {
  const turns = units.map(({ messages }) => messages)
  const { agentId, threads } = of
  const texts = [...turns.flat().map(({ text }) => text), before?.reading.so_far ?? '']
  const known = store === undefined ? NOBODY : await knownEntities(store.read, { agentId, threads, texts, now: clock(), personal })
  const recorded = recordedTurns(turns, of, { known: known.entities, before: beforeOf(before) })
  const own = recorded.messages.map(({ message }) => message.message)
  const earlier = before === undefined ? [] : before.units.flatMap(({ messages }) => messages.map(({ message }) => message))
  const note = {
    ...{ asked: nameOf(model, prompt), units: units.map(({ id, hash }) => [id, hash]) },
    known: known.entities.map(({ id, type, name }) => ({ id, type, name })),
  }
  const messages = [...new Set([...own, ...earlier, ...known.messages])]
  const { value } = await model.ask(
    { prompt, text: recorded.text, messages, note, purpose, window: { recorded, project: of.project } },
    signal,
  )
  return { units, recorded, reading: value }
}

const NOBODY: Known = { entities: [], messages: [] }

function nameOf(model: LanguageModel, { version }: Prompt<Reading>): string {
  return `${implementationOf(model)}/${version}`
}

function keyOf({ id, hash }: Unit): string {
  return `${id} ${hash}`
}

async function sessionOf({ read }: Store, turn: string): Promise<string> {
  const row = await read.selectFrom('agent_turns').select('session_id').where('id', '=', turn).executeTakeFirst()
  return row?.session_id ?? turn
}

/** The model's own words, on one line, so that they cannot open a tag. */
function beforeOf(before: Window | undefined): string {
  return before === undefined ? '' : plainLine(redactVisible(before.reading.so_far), LONGEST_BEFORE)
}

const LONGEST_BEFORE = 1_500
