/** Conversations with labelled evidence, in the formats of LoCoMo and LongMemEval. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

export interface Turn {
  readonly id: string
  readonly role: 'user' | 'assistant'
  readonly speaker?: string
  readonly text: string
}

export interface SessionText {
  readonly id: string
  readonly at: number
  readonly turns: readonly Turn[]
}

export interface Question {
  readonly query: string
  readonly category: string
  /** Turn ids of the answer. */
  readonly turns: readonly string[]
  /** Session ids of the answer. */
  readonly sessions: readonly string[]
}

/** Sessions searched together, with their questions. */
export interface Haystack {
  readonly name: string
  readonly sessions: readonly SessionText[]
  readonly questions: readonly Question[]
  readonly now: number
}

const DAY = 86_400_000
const MONTHS = 'January February March April May June July August September October November December'.split(' ')
export const CATEGORIES: Readonly<Record<number, string>> = { 1: 'multi-hop', 2: 'temporal', 3: 'open-domain', 4: 'single-hop' }

/** Undefined without the folder. */
export function readFolder(folder: string, read: (name: string, file: Json) => Haystack): Haystack[] | undefined {
  if (!existsSync(folder)) return undefined
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'))
  return files.toSorted().map((file) => read(basename(file, '.json'), JSON.parse(readFileSync(join(folder, file), 'utf8')) as Json))
}

// biome-ignore lint/suspicious/noExplicitAny: files of others, whose shape is described in their README
type Json = Record<string, any>

interface LocomoTurn {
  readonly speaker: string
  readonly dia_id: string
  readonly text: string
  readonly blip_caption?: string
}

/** Two turns are an exchange: the first as the user's, the second as the answer. */
export function locomo(name: string, file: Json): Haystack {
  const conversation = (file.conversation ?? file) as Json
  const keys = Object.keys(conversation).filter((key) => /^session_\d+$/.test(key) && Array.isArray(conversation[key]))
  const sessions = keys.map((key) => ({
    id: key,
    at: locomoDate(String(conversation[`${key}_date_time`])),
    turns: (conversation[key] as LocomoTurn[]).map(({ dia_id, speaker, text, blip_caption }, i) => ({
      id: dia_id,
      role: i % 2 === 0 ? ('user' as const) : ('assistant' as const),
      speaker,
      text: `${text}${blip_caption ? ` [image: ${blip_caption}]` : ''}`,
    })),
  }))
  const known = new Set(sessions.flatMap(({ turns }) => turns.map(({ id }) => id)))
  const questions = (file.qa as Json[])
    .filter(({ category }) => category in CATEGORIES)
    .map(({ question, category, evidence }) => {
      const turns = [evidence].flat().flatMap((one) => String(one ?? '').split(/[;\s]+/))
      return {
        query: String(question),
        category: CATEGORIES[category] as string,
        turns: [...new Set(turns.filter((id) => known.has(id)))],
        sessions: [],
      }
    })
  return {
    name,
    sessions,
    questions: questions.filter(({ turns }) => turns.length > 0),
    now: Math.max(...sessions.map(({ at }) => at)) + DAY,
  }
}

/** `1:56 pm on 8 May, 2023` */
function locomoDate(text: string): number {
  const [, hour = '', minute = '', half = '', day = '', month = '', year = ''] =
    /(\d+):(\d+) (am|pm) on (\d+) (\w+), (\d+)/i.exec(text) ?? []
  const hours = (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)
  return Date.UTC(Number(year), MONTHS.indexOf(month), Number(day), hours, Number(minute))
}

export function longMemEval(name: string, file: Json): Haystack {
  const ids = file.haystack_session_ids as string[]
  const texts = file.haystack_sessions as { role: 'user' | 'assistant'; content: string; has_answer?: boolean }[][]
  const turnId = (n: number, i: number) => `${ids[n]}#${i}`
  const sessions = texts.map((turns, n) => ({
    // A haystack may hold a session twice.
    id: ids.indexOf(ids[n] as string) === n ? (ids[n] as string) : `${ids[n]}~${n}`,
    at: longMemEvalDate(String((file.haystack_dates as string[])[n])),
    turns: turns.map(({ role, content }, i) => ({ id: turnId(n, i), role, text: content })).filter(({ text }) => text.trim() !== ''),
  }))
  const turns = texts.flatMap((session, n) => session.flatMap(({ has_answer }, i) => (has_answer ? [turnId(n, i)] : [])))
  const question = {
    query: String(file.question),
    category: String(file.question_type),
    turns,
    sessions: file.answer_session_ids as string[],
  }
  return { name, sessions, questions: [question], now: longMemEvalDate(String(file.question_date)) }
}

/** `2023/05/20 (Sat) 02:21` */
function longMemEvalDate(text: string): number {
  const [, year = '', month = '', day = '', hour = '', minute = ''] = /(\d+)\/(\d+)\/(\d+)\D+(\d+):(\d+)/.exec(text) ?? []
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute))
}
