import { isStopWord } from './stop-words.ts'

const CODE = /#\p{N}|\p{N}\.\p{N}+\.\p{N}|[/\\._@#=<>{}()[\]-]\p{L}|\p{L}\p{N}|\p{N}\p{L}|\p{Ll}\p{Lu}|\p{L}[_/\\]/u
/** Hyphens, apostrophes and a final period do not make a word code. */
const PROSE = /^\p{P}*[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*\p{P}*$/u

export function knowsMeaning(query: unknown): boolean {
  return typeof query === 'string' && vectorWeight(query) > 0
}

/** Share of prose: paths, codes and identifiers mean nothing to a vector. */
export function vectorWeight(query: string): number {
  const about = query.split(/\s+/).filter((token) => /[\p{L}\p{N}]/u.test(token) && !isStopWord(token.replace(/\P{L}+$/u, '')))
  const codes = about.filter((token) => !PROSE.test(token) && CODE.test(token))
  return about.length === 0 ? 1 : 1 - codes.length / about.length
}
