/** The floor under the sentences of rows: a head that somebody edited may say less than a list must show. Changes no file. */
import { anchorsOf } from '../../analyze/memory-sentence-anchors.ts'
import { type FloorReason, sentenceFloor } from '../../analyze/sentence-floor.ts'

/**
 * Why a sentence of a head cannot stand in a row. What only its session could tell (its anchors) was checked when it was written; a secret
 * is redacted in the row.
 */
export function rowFloor(sentence: string): FloorReason[] {
  return sentenceFloor(sentence, []).filter((reason) => reason !== 'no-anchor' && reason !== 'secret')
}

/** Stands in a row whose own sentence is below the floor. Says nothing but where the session was. */
export function plainSentence({ sessionId, project }: { sessionId: string; project: string | null }): string {
  const harness = sessionId.replace(/:.*$/s, '')
  const [anchor] = anchorsOf({ project, harness, files: [], texts: [], topics: [] })
  const where = anchor?.kind === 'project' ? 'in' : 'of'
  return `A session ${where} ${anchor?.text ?? 'mnemonic'} whose summary has no sentence that says more, and whose files keep all that was said.`
}
