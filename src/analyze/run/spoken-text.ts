import type { EpisodeText } from '../analyzer.ts'

const LONGEST = 12_000

export function spokenText({ messages }: Pick<EpisodeText, 'messages'>): string {
  const parts: string[] = []
  let room = LONGEST
  for (const { text, ownWords } of messages) {
    for (const [from, to] of ownWords ?? [[0, text.length] as const]) {
      if (room <= 0) return parts.join('\n\n')
      parts.push(text.slice(from, Math.min(to, from + room)).toWellFormed())
      room -= to - from
    }
  }
  return parts.join('\n\n')
}
