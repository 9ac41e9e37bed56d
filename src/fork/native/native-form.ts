/** What a harness's form of a forked session consists of. */
import { markMemory, NOTICE } from '../../core/marked-text.ts'
import { oneLine, plural } from '../../core/text.ts'
import type { ForkTurn } from '../fork-context.ts'
import type { Said } from './said.ts'

/** A line of a session file. */
export type NativeRecord = Readonly<Record<string, unknown>>

export interface NativeSession {
  readonly id: string
  /** The folder in which it goes on. */
  readonly folder: string
  readonly title: string
  /** Says what the session is; it is marked as memory, so that no sync stores it. */
  readonly note: string
  readonly said: readonly Said[]
  /** ISO: the time of the newest message. */
  readonly forkedAt: string
}

export interface NativeForm {
  records(session: NativeSession): NativeRecord[]
  /** What the model reads of a record; undefined where it reads nothing. */
  read(record: NativeRecord): unknown
  /** The file's place below the harness's folder of sessions. */
  place(session: NativeSession): string
}

/** What the model reads of all of it. */
export function readText(form: NativeForm, session: NativeSession): string {
  const read = form.records(session).map((record) => form.read(record))
  return read.flatMap((value) => (value === undefined ? [] : [JSON.stringify(value)])).join('\n')
}

const LONGEST_TITLE = 60

export function noteOf(query: string, turns: readonly ForkTurn[]): string {
  const cited = turns.map(({ citation, turn, session }) => {
    const title = session.title === null ? '' : ` ${oneLine(session.title, LONGEST_TITLE)}`
    return `- ${citation} (${[turn.time?.slice(0, 10), session.harness].filter((fact) => fact !== undefined).join(', ')})${title}`
  })
  return markMemory(
    [
      `This session begins with ${plural(turns.length, 'turn')} of earlier sessions about: ${oneLine(query, 200)}`,
      `They are copies, in order of time, redacted; […] was left out. What tools gave there: ${NOTICE.charAt(0).toLowerCase()}${NOTICE.slice(1)}`,
      ...cited,
    ].join('\n'),
  )
}

/** The newest time of what is said. */
export function newestTime(said: readonly Said[]): string {
  return said.reduce((newest, { time }) => (time > newest ? time : newest), said[0]?.time ?? new Date(0).toISOString())
}
