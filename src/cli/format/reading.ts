import { oneLine, plural, stripControls } from '../../core/text.ts'
import type { ReadAnswer } from '../../library/index.ts'

const MOST_LEFT = 20

export function formatReading(answer: ReadAnswer, width: number): string {
  const { needed, reason, scope, phrasings, known, pieces, tokens, mode, left = [] } = answer
  const line = (text: string) => oneLine(stripControls(text), width)
  if (!needed) return line(`No memory needed: ${reason}.`)
  const given = pieces.flatMap(({ citation, date, kind, tokens: cost, why, text, trust }, i) => [
    line(`${i + 1}. ${citation} ${date} ${kind}${trust === 'owner' || trust === 'agent' ? '' : ` [${trust}]`}, ${plural(cost, 'token')}`),
    line(`   ${why}`),
    line(`   ${text}`),
  ])
  const omitted = left.slice(0, MOST_LEFT).map(({ citation, why }) => line(`- ${citation}: ${why}`))
  return [
    line(`Memory needed: ${reason}.`),
    line(`Looked in ${scope === 'project' ? 'this project' : 'all projects'} (${mode}), in ${plural(phrasings.length, 'phrasing')}:`),
    ...phrasings.map((phrasing) => line(`- ${phrasing}`)),
    ...(known.length === 0 ? [] : ['Known:', ...known.map(({ text }) => line(`- ${text}`))]),
    line(`${plural(pieces.length, 'piece')}, at most ${plural(tokens, 'token')}`),
    ...given,
    ...(left.length === 0 ? [] : [line(`Left out: ${left.length}`), ...omitted]),
  ].join('\n')
}
