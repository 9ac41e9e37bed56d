import { spokenNames } from '../../search/known/spoken-names.ts'

export interface NamesIn {
  /** Identifiers, flags, files and paths, as written, without punctuation around them. */
  readonly codes: readonly string[]
  /** `ENT-241`: unambiguous everywhere. */
  readonly tickets: readonly string[]
  /** One to three words that may be a name, or `owner/name`. */
  readonly spoken: readonly string[]
}

const MOST = 12
const LONGEST = 120
const TICKET = /\b[A-Z][A-Z0-9]{1,9}-\d{1,6}\b/g
const TOKEN = /[\p{L}\p{N}_$@~./\\:#-]*[\p{L}\p{N}]/gu
const SLASHED = /^["'(`]*([\p{L}\p{N}][\p{L}\p{N}._-]*\/[\p{L}\p{N}._-]*[\p{L}\p{N}])(?:['’]s)?["')`.,;:?!]*$/u
const EDGE = /^[^\p{L}\p{N}_]+|[^\p{L}\p{N}_]+$/gu
const QUOTED = /`([^`\n]{3,80})`/g

export function namesIn(text: string): NamesIn {
  const tickets = distinct([...text.matchAll(TICKET)].map(([found]) => found))
  const quoted = [...text.matchAll(QUOTED)].flatMap(([, inner = '']) => (/\s/.test(inner.trim()) ? [] : [inner.replace(EDGE, '')]))
  const bare = text.replace(/\bhttps?:\/\/\S+/g, ' ')
  const codes = [...bare.matchAll(TOKEN)].map(([token]) => token.replace(EDGE, '')).filter(isCode)
  const all = distinct([...quoted, ...codes]).filter((code) => code.length > 2 && code.length <= LONGEST && !tickets.includes(code))
  const slashed = bare.split(/\s+/).flatMap((token) => SLASHED.exec(token)?.[1] ?? [])
  return { codes: all.slice(0, MOST), tickets: tickets.slice(0, MOST), spoken: distinct([...spokenNames(bare), ...slashed.slice(0, MOST)]) }
}

/** Excludes joined words of prose (`re-run`, `and/or`, `e.g`). */
function isCode(token: string): boolean {
  if (/^\d[\d.,:/-]*$/.test(token) || !/\p{L}{2}/u.test(token)) return false
  if (/^(?:and\/or|he\/she|i\.e|e\.g|etc|vs|y\/n|n\/a)$/i.test(token)) return false
  if (
    /\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}{2}|_\p{L}|\p{L}_/u.test(token) &&
    !/^(?:GitHub|GitLab|JavaScript|TypeScript|YouTube|OpenAI|LinkedIn|PRs|APIs|URLs|IDs)$/.test(token)
  )
    return true
  if (/^[\p{L}\p{N}_@~.-]+(?:[/\\][\p{L}\p{N}_@~.#-]+)+$/u.test(token)) return /[._\\]|\/.*\//.test(token)
  return /^[\p{L}\p{N}_-]+\.(?:[a-z]{1,5}\d?|[a-z]+\.[a-z]{2,4})$/u.test(token)
}

function distinct(all: readonly string[]): string[] {
  return [...new Set(all)]
}
