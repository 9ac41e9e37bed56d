/** How much a vector can know of a query. Pure: asked before anything is opened. */
import { isStopWord } from './stop-words.ts'

const CODE = /#\p{N}|\p{N}\.\p{N}+\.\p{N}|[/\\._@#=<>{}()[\]-]\p{L}|\p{L}\p{N}|\p{N}\p{L}|\p{Ll}\p{Lu}|\p{L}[_/\\]/u
/** Hyphens join words of prose, and an apostrophe or a final stop is no code. */
const PROSE = /^\p{P}*[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*\p{P}*$/u

/** True where a vector can know anything of it. A query that is not a text is refused elsewhere. */
export function knowsMeaning(query: unknown): boolean {
  return typeof query === 'string' && vectorWeight(query) > 0
}

/** The share of words among what the query is about: paths, codes and identifiers mean nothing to a vector. */
export function vectorWeight(query: string): number {
  const about = query.split(/\s+/).filter((token) => /[\p{L}\p{N}]/u.test(token) && !isStopWord(token.replace(/\P{L}+$/u, '')))
  const codes = about.filter((token) => !PROSE.test(token) && CODE.test(token))
  return about.length === 0 ? 1 : 1 - codes.length / about.length
}
