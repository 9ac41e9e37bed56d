/**
 * Updates our part of a file and keeps an agent's additions. In markdown our part is between two marks; a script is wholly ours. An edited
 * part is kept in a separate file. Pure.
 */
import { sha256 } from '../../core/hash.ts'

export const BEGIN = '<!-- mnemonic:skill begin: generated from the database; what stands outside of this part is yours -->'
export const END = '<!-- mnemonic:skill end -->'

export interface Part {
  /** Front matter that harnesses read. Written only to a new file. */
  readonly head: string
  readonly body: string
  readonly isMarked: boolean
}

export interface Merged {
  readonly text: string
  readonly hash: string
  readonly keep: boolean
}

/** `recorded`: the hash of our part at the last write. */
export function merged({ head, body, isMarked }: Part, before: string | undefined, recorded: string | undefined): Merged {
  const hash = sha256(body)
  if (!isMarked) return { text: body, hash, keep: before !== undefined && before !== body && sha256(before) !== recorded }
  const block = `${BEGIN}\n${body.trimEnd()}\n${END}\n`
  const marked = sha256(block)
  if (before === undefined) return { text: `${head}${block}`, hash: marked, keep: false }
  const [from, to] = [before.indexOf(BEGIN), before.lastIndexOf(END)]
  if (from < 0 || to < from) return { text: `${head}${block}`, hash: marked, keep: true }
  const end = to + END.length + (before[to + END.length] === '\n' ? 1 : 0)
  const own = `${before.slice(from, end).trimEnd()}\n`
  return { text: `${before.slice(0, from)}${block}${before.slice(end)}`, hash: marked, keep: own !== block && sha256(own) !== recorded }
}
