import { clip } from '../../core/text.ts'
import type { RelatedAnswer, RelatedUnit } from '../../library/index.ts'
import { printable } from './printable.ts'

const MOST_SHARED = 3
const DATES = 26

export function formatRelated({ name, of, related }: RelatedAnswer, width: number): string {
  const all = [of, ...related].sort((a, b) => (a.from ?? '').localeCompare(b.from ?? ''))
  if (name === null) return all.flatMap((one) => lines(one, width)).join('\n')
  const ends = [
    all[0]?.from,
    all
      .map(({ to }) => to ?? '')
      .sort()
      .at(-1),
  ].map((time) => time?.slice(0, 10) ?? '')
  return [`${cut(name, width - DATES)}  ${ends.join(' to ')}`, ...all.flatMap((one) => lines(one, width))].join('\n')
}

function lines({ id, from, title, channel, score, shared }: RelatedUnit, width: number): string[] {
  const head = `${score === null ? '>' : ' '} ${from?.slice(0, 10) ?? ''}  ${id}  `
  const first = `${head}${cut(title ?? channel, width - head.length)}`
  return score === null ? [first] : [first, cut(`${' '.repeat(14)}${shared.slice(0, MOST_SHARED).join(', ')}`, width)]
}

function cut(text: string | null, width: number): string {
  return clip(printable(text ?? '').replaceAll('\n', ' '), Math.max(8, width))
}
