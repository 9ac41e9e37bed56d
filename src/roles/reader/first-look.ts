/** Judges a prompt by its words alone, before a database is opened. */
import { asSpelled } from '../../search/as-spelled.ts'
import { type NamesIn, namesIn } from './names-in.ts'
import { ownWords, sentencesIn } from './own-words.ts'
import { recallCue } from './recall.ts'

export interface FirstLook {
  /** `none`: needs no memory. `recall`: asks about the past. `ask`: depends on what memory knows. */
  readonly says: 'none' | 'recall' | 'ask'
  readonly reason: string
  /** The typed part, with missing apostrophes restored. */
  readonly text: string
  readonly names: NamesIn
  readonly questions: readonly string[]
}

const FEWEST_LETTERS = 4

export function firstLook(prompt: string): FirstLook {
  const { text: typed, handsOver } = ownWords(prompt)
  const text = asSpelled(typed)
  const none = (reason: string): FirstLook => ({ says: 'none', reason, text, names: NOTHING, questions: [] })
  if (text.replace(/\P{L}/gu, '').length < FEWEST_LETTERS) return none('it has no words')
  if (/^\/[\w:-]+(?:\s|$)/.test(text)) return none('it is a command of the harness')
  const sentences = sentencesIn(text)
  const names = namesIn(text)
  const questions = sentences.filter(({ asks }) => asks).map((sentence) => sentence.text)
  for (const sentence of sentences) {
    const cue = recallCue(sentence)
    if (cue !== undefined) return { says: 'recall', reason: `it asks for what was (${cue})`, text, names, questions }
  }
  if (handsOver) return none('it brings along what it is about')
  if (questions.length === 0 && names.tickets.length === 0 && names.spoken.length === 0) return none('it asks nothing and names nothing')
  return { says: 'ask', reason: '', text, names, questions }
}

const NOTHING: NamesIn = { codes: [], tickets: [], spoken: [] }
