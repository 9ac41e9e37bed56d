import type { SearchResult } from '../../library/index.ts'

const SENTENCE_ENDS = /[.!?]["')\]]?(?=\s)|\n+/g

export function around({ content, excerpt, context }: SearchResult, sentences: number): string {
  const { start, end } = placeOf(excerpt, content)
  const ends = [...content.matchAll(SENTENCE_ENDS)].map((match) => match.index + match[0].length)
  const beginnings = [0, ...ends].map((at) => at + (content.slice(at).length - content.slice(at).trimStart().length))
  const before = beginnings.filter((at) => at < start)
  const after = [...ends.filter((at) => at > end && at < content.length), content.length]
  const from = sentences === 0 ? start : (before.at(-sentences) ?? 0)
  const to = sentences === 0 ? end : (after[sentences - 1] ?? content.length)
  const earlier = neighbour(context, 'before', sentences - before.length)
  const later = neighbour(context, 'after', sentences - (end >= content.trimEnd().length ? 0 : after.length))
  return [earlier, content.slice(from, to).trim(), later].filter((text) => text !== '').join('\n')
}

function neighbour(context: string, which: 'before' | 'after', sentences: number): string {
  const line = new RegExp(`^\\[${which}\\] (.*)$`, 'm').exec(context)?.[1]
  if (line === undefined || sentences <= 0) return ''
  const all = line.split(/(?<=[.!?]["')\]]?)\s+/)
  const kept = which === 'before' ? all.slice(-sentences) : all.slice(0, sentences)
  return `┊ ${kept.join(' ')}`
}

function placeOf(excerpt: string, content: string): { start: number; end: number } {
  const places: number[] = []
  let dense = ''
  for (let at = 0; at < content.length; at++) {
    if (/\s/.test(content[at] as string)) continue
    dense += content[at]
    places.push(at)
  }
  const pieces = excerpt.split('…').map((piece) => piece.replace(/\s+/g, ''))
  const found = pieces.filter((piece) => piece !== '').map((piece) => ({ from: dense.indexOf(piece), length: piece.length }))
  if (found.length === 0 || found.some(({ from }) => from === -1)) return { start: 0, end: content.length }
  const start = Math.min(...found.map(({ from }) => from))
  const end = Math.max(...found.map(({ from, length }) => from + length))
  return { start: places[start] ?? 0, end: (places[end - 1] ?? content.length - 1) + 1 }
}
