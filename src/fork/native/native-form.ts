import { markMemory, NOTICE } from '../../core/marked-text.ts'
import { oneLine, plural } from '../../core/text.ts'
import type { ForkTurn } from '../fork-context.ts'
import type { Said } from './said.ts'

export type NativeRecord = Readonly<Record<string, unknown>>

export interface NativeSession {
  readonly id: string
  readonly folder: string
  readonly title: string
  /** Describes the session; marked as memory, so that no sync stores it. */
  readonly note: string
  readonly said: readonly Said[]
  /** ISO time of the newest message. */
  readonly forkedAt: string
}

export interface NativeForm {
  records(session: NativeSession): NativeRecord[]
  read(record: NativeRecord): unknown
  place(session: NativeSession): string
}

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

export function newestTime(said: readonly Said[]): string {
  return said.reduce((newest, { time }) => (time > newest ? time : newest), said[0]?.time ?? new Date(0).toISOString())
}
