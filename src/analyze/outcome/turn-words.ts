import { clip } from '../../core/text.ts'
import type { Outcome, Source } from './deed.ts'
import { deedWords, doneOf, tellingCommits } from './deed-words.ts'
import { quotedPart } from './quoted-part.ts'

export interface Told {
  readonly text: string
  readonly from: readonly Source[]
}

const LONGEST_LABEL = 80
const ROOM = { words: 16, most: 3 }

export function turnLabel(outcome: Outcome): Told | undefined {
  const [subject] = tellingCommits(
    outcome.commits.map(({ text }) => text),
    1,
  )
  const pull = outcome.pulls.findLast(({ text }) => text !== '')
  const named =
    pull ?? outcome.commits.find(({ text }) => text === subject) ?? outcome.asked[0] ?? outcome.plan ?? outcome.reports.at(-1) ?? undefined
  if (named !== undefined) return { text: clip(named.text, LONGEST_LABEL), from: [named.source] }
  const done = deedWords(doneOf(outcome), ROOM)[0]
  return done === undefined ? undefined : { text: clip(capitalized(done), LONGEST_LABEL), from: sourcesOf(outcome) }
}

export function turnSummary(outcome: Outcome): Told | undefined {
  const asked = quotedPart(outcome.asked[0]?.text ?? '', 30)
  const done = deedWords(doneOf(outcome), ROOM)
  const report = outcome.reports.find(({ tells }) => tells) ?? outcome.reports.at(-1)
  const told = quotedPart(report?.text ?? '', 40)
  const sentences = [
    asked === '' ? '' : `Asked: “${asked}”.`,
    done.length === 0 ? '' : `${capitalized(done.join('; '))}.`,
    told === '' ? '' : `Reported: “${told}”.`,
  ].filter((sentence) => sentence !== '')
  if (sentences.length === 0) return undefined
  const from = [...(asked === '' ? [] : [outcome.asked[0]?.source]), ...sourcesOf(outcome), ...(told === '' ? [] : [report?.source])]
  return { text: sentences.join(' '), from: from.filter((source) => source !== undefined) }
}

function sourcesOf({ commits, pulls, issues, merges, files, tests }: Outcome): Source[] {
  const deeds = [...pulls, ...commits, ...issues, ...merges, ...files.slice(0, ROOM.most)].map(({ source }) => source)
  return tests === undefined ? deeds : [...deeds, tests.source]
}

export function capitalized(text: string): string {
  return text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
}
