/** The text of a chunk as it is embedded: its context, an empty line, what was said. What leaves this file is redacted. */
import { sha256 } from '../core/hash.ts'
import { redactSensitiveText } from '../core/redact.ts'
import type { WaitingChunk } from '../store/vectors.ts'

/** A chunk to embed, with the text that is embedded and the hash by which that text is known. */
export interface ChunkToEmbed extends WaitingChunk {
  readonly text: string
  readonly hash: string
}

/** The same text as `context_content` of the view session_chunks. */
export function withText(chunk: WaitingChunk): ChunkToEmbed {
  // What was said was redacted when it was indexed; the lines before it are made of names and titles that come from elsewhere.
  const text = `${redactSensitiveText(chunk.context, { mode: 'tools' })}\n\n${chunk.content}`
  return { ...chunk, text, hash: sha256(text) }
}
