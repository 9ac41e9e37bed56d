/** Tokens are stable across machines; all displayed short ids derive from them. */
import { hash } from 'node:crypto'

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
const LENGTH = 16

export interface TokenSeed {
  readonly agentId: string
  readonly sessionKey: string | null
  readonly sessionId: string
}

/** First 16 characters of RFC 4648 base32, lower case, of sha256(`<agent_id>:<session_key, else session_id>`). */
export function sessionToken({ agentId, sessionKey, sessionId }: TokenSeed): string {
  const identity = sessionKey === null || sessionKey === '' ? sessionId : sessionKey
  return base32(hash('sha256', `${agentId}:${identity}`, 'buffer')).slice(0, LENGTH)
}

export function isSessionToken(text: string): boolean {
  return /^[a-z2-7]{16}$/.test(text)
}

/** RFC 4648, lower case, unpadded. */
export function base32(bytes: Uint8Array): string {
  let text = ''
  let value = 0
  let bits = 0
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff
    for (bits += 8; bits >= 5; bits -= 5) text += ALPHABET[(value >>> (bits - 5)) & 31]
  }
  return bits === 0 ? text : text + ALPHABET[(value << (5 - bits)) & 31]
}
