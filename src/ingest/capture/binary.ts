/** Pictures and other binary in a transcript: their fingerprint is kept, their bytes are not. */
import { sha256 } from '../../core/hash.ts'
import { isFields } from './fields.ts'

export interface Fingerprint {
  readonly sha256: string
  readonly bytes: number
  readonly media_type?: string
}

/** Shorter strings are no pictures, and not worth a look. */
const LEAST = 256

/** The value with every base64 payload in it replaced by its fingerprint. Returns the very same value where there is none. */
export function withoutBinary(value: unknown): unknown {
  if (typeof value === 'string') return value.length >= LEAST && value.startsWith('data:') ? fromDataUri(value) : value
  if (Array.isArray(value)) {
    const list = value.map(withoutBinary)
    return list.some((item, i) => item !== value[i]) ? list : value
  }
  if (!isFields(value)) return value
  let changed = false
  const result: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(value)) {
    const kept = isPayload(value, key, inner) ? fingerprint(inner as string, mediaType(value)) : withoutBinary(inner)
    changed ||= kept !== inner
    result[key] = kept
  }
  return changed ? result : value
}

function isPayload(holder: Readonly<Record<string, unknown>>, key: string, value: unknown): boolean {
  if (typeof value !== 'string' || value.length < LEAST) return false
  if (key === 'base64') return true
  return key === 'data' && (holder.type === 'base64' || mediaType(holder) !== undefined)
}

function mediaType(holder: Readonly<Record<string, unknown>>): string | undefined {
  for (const key of ['media_type', 'mediaType', 'mimeType', 'type']) {
    const value = holder[key]
    if (typeof value === 'string' && value.includes('/')) return value
  }
  return undefined
}

function fromDataUri(uri: string): unknown {
  const comma = uri.indexOf(';base64,')
  return comma === -1 || comma > 100 ? uri : fingerprint(uri.slice(comma + 8), uri.slice(5, comma))
}

function fingerprint(base64: string, media: string | undefined): Fingerprint {
  const bytes = Buffer.from(base64, 'base64')
  return { sha256: sha256(bytes), bytes: bytes.length, ...(media === undefined ? {} : { media_type: media }) }
}
