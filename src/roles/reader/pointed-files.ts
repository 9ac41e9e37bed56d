/** The files that a prompt points at without naming them: those that its session last worked on. Pure. */

export interface TouchedFile {
  readonly path: string
  readonly action: 'read' | 'edit' | 'create' | 'delete'
}

/** What is written in files, and called by that in passing. */
const KIND =
  'files?|tests?|specs?|code|modules?|functions?|methods?|class(?:es)?|components?|scripts?|migrations?|pages?|hooks?|queries|query|helpers?|types?'
const POINTS = new RegExp(`\\b(?:this|that|these|those|the same) (?:\\w+ )?(${KIND})\\b`, 'i')
const BARE = /\b(?:it|this|that|these|those)\b/i
const OF_TESTS = /(?:^|[/\\._-])(?:tests?|specs?)(?:[/\\._-]|$)/i
/** A prompt of more words says itself what "it" is. */
const FEWEST_WORDS = 3
const MOST = 2

interface Asked {
  readonly text: string
  /** How many words of its own it has. */
  readonly words: number
  /** The identifiers and files that it names. */
  readonly codes: readonly string[]
}

/** Whether it points at something, and names none. */
export function mayPoint({ text, words, codes }: Asked): boolean {
  return codes.length === 0 && (POINTS.test(text) || (words < FEWEST_WORDS && BARE.test(text)))
}

/**
 * Their names without folders, as people write them; the newest first, what was changed before what was only read. None where the prompt
 * names a file or identifier itself, or points at nothing.
 */
export function pointedFiles(prompt: Asked, touched: readonly TouchedFile[]): string[] {
  if (!mayPoint(prompt)) return []
  const kind = POINTS.exec(prompt.text)?.[1]
  const isTest = kind !== undefined && /^(?:test|spec)/i.test(kind)
  const fitting = isTest ? touched.filter(({ path }) => OF_TESTS.test(path)) : touched
  const changed = fitting.filter(({ action }) => action !== 'read')
  return [...new Set([...changed, ...fitting].map(({ path }) => path.split(/[\\/]/).at(-1) ?? ''))]
    .filter((name) => name !== '')
    .slice(0, MOST)
}
