/** A text as the set of its runs of a few words, by which two texts are compared. Pure. */

export function runsOfWords(text: string, length: number): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const runs = new Set<string>()
  for (let i = 0; i + length <= words.length; i++) runs.add(words.slice(i, i + length).join(' '))
  return runs
}
