/** What a citation or a document's path names, for those who show turns and documents. Reads only. */
import { parseCitation } from './memory-citation.ts'
import { type MemoryGetAnswer, memoryGet } from './memory-get.ts'
import { type DocumentSource, ifNotFound, namesPublished, turnIdOfPath } from './memory-get-document.ts'

/** Undefined for a text that is no path: an id, a label, a part of one. */
export async function citedBy(
  source: DocumentSource,
  text: string,
): Promise<{ turnId: string } | { document: MemoryGetAnswer } | undefined> {
  const { path } = parseCitation(text)
  if (!/\.md$/i.test(path)) return undefined
  const turnId = turnIdOfPath(path)
  if (turnId !== undefined) return { turnId }
  const found = memoryGet(source, { path: text })
  const document = await (namesPublished(path) ? found : found.catch(ifNotFound))
  return document && { document }
}
