/** Splits a conversation at its speaker labels, so that no words appear under another name. */
import type { Said } from './excerpt.ts'

export function saidBySpeaker(parts: readonly Said[], speakers: readonly string[]): Said[] {
  const labels = speakers.map((name) => `${name}: `)
  return parts.flatMap(({ label, text }) => {
    const said: { label: string; lines: string[] }[] = []
    for (const line of text.split('\n')) {
      const own = labels.find((one) => line.startsWith(one))
      if (own !== undefined) said.push({ label: own, lines: [line.slice(own.length)] })
      else if (said.length === 0) said.push({ label, lines: [line] })
      else said.at(-1)?.lines.push(line)
    }
    return said.flatMap(({ label: of, lines }) => {
      const own = withoutSignature(lines, of).join('\n')
      return own.trim() === '' ? [] : [{ label: of, text: own }]
    })
  })
}

/** Drops a signature with the speaker's own first or full name. */
function withoutSignature(lines: readonly string[], label: string): readonly string[] {
  const name = label.slice(0, -2).toLowerCase()
  const last = lines.findLastIndex((line) => line.trim() !== '')
  const signed = lines[last]
    ?.trim()
    .replace(/^[-–—]\s*|[.,!]$/g, '')
    .toLowerCase()
  const isSignature = last > 0 && name !== '' && (signed === name || signed === name.split(' ')[0])
  return isSignature ? lines.slice(0, last) : lines
}
