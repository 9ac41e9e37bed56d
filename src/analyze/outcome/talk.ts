/** Collects requests, reports, decisions and promises. Excludes contacts and untrusted sources. */
import { leastTrusted, type Trust } from '../../core/trust.ts'
import type { Deed, Outcome, Report } from './deed.ts'
import { Ends } from './ends.ts'
import { askedIn, reportsIn } from './reports.ts'
import { statedIn } from './stated.ts'

export interface OutcomeMessage {
  readonly message: string
  readonly turn: string | null
  readonly text: string
  readonly by: 'person' | 'agent'
  readonly trust: Trust
}

export type Talk = Pick<Outcome, 'asked' | 'reports' | 'decisions' | 'actions' | 'trust'>

export interface TalkReader {
  said(message: OutcomeMessage): void
  talk(): Talk
}

const READ = 20_000

export function talkReader(brief: boolean): TalkReader {
  const asked = new Ends<Deed>()
  const reports = new Ends<Report>()
  const decisions = new Ends<Deed>()
  const actions = new Ends<Deed>()
  const trusts = new Set<Trust>()
  let answer: OutcomeMessage | undefined

  /** Only the final answer of each turn counts. */
  function endAnswer(): void {
    if (answer === undefined) return
    const { message, turn, text } = answer
    for (const { text: told, start, end, tells } of reportsIn(text))
      reports.add({ text: told, source: { message, start, end }, turn, tells })
    state(answer)
    answer = undefined
  }
  function state(said: OutcomeMessage): void {
    if (brief) return
    for (const { kind, text, start, end } of statedIn(said)) {
      const deed = { text, source: { message: said.message, start, end }, turn: said.turn }
      if (kind === 'decision') decisions.add(deed)
      else actions.add(deed)
    }
  }

  return {
    said(whole) {
      if (whole.trust !== 'owner' && whole.trust !== 'agent') return
      const message = { ...whole, text: whole.text.slice(0, READ) }
      trusts.add(message.trust)
      if (message.by === 'agent') {
        if (answer !== undefined && answer.turn !== message.turn) endAnswer()
        if (message.text.trim() !== '') answer = message
        return
      }
      endAnswer()
      const line = askedIn(message.text)
      if (line !== undefined) {
        asked.add({ text: line.text, source: { message: message.message, start: line.start, end: line.end }, turn: message.turn })
      }
      state(message)
    },
    talk() {
      endAnswer()
      const lists = { asked: asked.all(), reports: reports.all(), decisions: decisions.all(), actions: actions.all() }
      return { ...lists, trust: leastTrusted([...trusts]) }
    },
  }
}
