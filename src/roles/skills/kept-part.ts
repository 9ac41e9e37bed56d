/**
 * A file of ours in a folder where an agent works: what it added stays. In markdown our part stands between two marks, and all around it is the
 * agent's; a script is ours as a whole. A part of ours that was edited is not ours any more: it is kept beside, as it was. Pure.
 */
import { sha256 } from '../../core/hash.ts'

export const BEGIN = '<!-- mnemonic:skill begin: generated from the database; what stands outside of this part is yours -->'
export const END = '<!-- mnemonic:skill end -->'

export interface Part {
  /** Before our part: the head that harnesses read. Written where the file is new. */
  readonly head: string
  readonly body: string
  readonly isMarked: boolean
}

export interface Merged {
  readonly text: string
  /** Of our part, as it is recorded. */
  readonly hash: string
  /** What was there was changed by somebody: it is to be kept beside. */
  readonly keep: boolean
}

/** `before`: the file as it is; `recorded`: the hash of our part as it was written last. */
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
