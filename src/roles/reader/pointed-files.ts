/** Resolves unnamed files ("that file") to those that the session last worked on. */

export interface TouchedFile {
  readonly path: string
  readonly action: 'read' | 'edit' | 'create' | 'delete'
}

const KIND =
  'files?|tests?|specs?|code|modules?|functions?|methods?|class(?:es)?|components?|scripts?|migrations?|pages?|hooks?|queries|query|helpers?|types?'
const POINTS = new RegExp(`\\b(?:this|that|these|those|the same) (?:\\w+ )?(${KIND})\\b`, 'i')
const BARE = /\b(?:it|this|that|these|those)\b/i
const OF_TESTS = /(?:^|[/\\._-])(?:tests?|specs?)(?:[/\\._-]|$)/i
/** Longer prompts say what "it" is. */
const FEWEST_WORDS = 3
const MOST = 2

interface Asked {
  readonly text: string
  readonly words: number
  readonly codes: readonly string[]
}

export function mayPoint({ text, words, codes }: Asked): boolean {
  return codes.length === 0 && (POINTS.test(text) || (words < FEWEST_WORDS && BARE.test(text)))
}

/** Names without folders, newest first, changed before read. Empty if the prompt names a file or identifier, or refers to none. */
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
