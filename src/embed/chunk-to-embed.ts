import { embeddedText } from '../core/chunk-text.ts'
import { sha256 } from '../core/hash.ts'
import type { WaitingChunk } from '../store/waiting-chunk.ts'

export interface ChunkToEmbed extends WaitingChunk {
  readonly text: string
  readonly hash: string
}

export function withText(chunk: WaitingChunk): ChunkToEmbed {
  const text = embeddedText(chunk)
  return { ...chunk, text, hash: sha256(text) }
}
