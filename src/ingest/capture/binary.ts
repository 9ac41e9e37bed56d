import { given } from '../../core/given.ts'
import { sha256 } from '../../core/hash.ts'
import { isFields } from './fields.ts'

export interface Fingerprint {
  readonly sha256: string
  readonly bytes: number
  readonly media_type?: string
}

const LEAST = 256

/** Returns the identical value if there is no base64 in it. */
export function withoutBinary(value: unknown): unknown {
  if (typeof value === 'string') return value.length >= LEAST && value.startsWith('data:') ? fromDataUri(value) : value
  if (Array.isArray(value)) return listWithoutBinary(value)
  if (!isFields(value)) return value
  let result: Record<string, unknown> | undefined
  for (const key of Object.keys(value)) {
    const inner = value[key]
    const kept = isPayload(value, key, inner) ? fingerprint(inner as string, mediaType(value)) : withoutBinary(inner)
    if (kept === inner) continue
    result ??= { ...value }
    result[key] = kept
  }
  return result ?? value
}

function listWithoutBinary(list: readonly unknown[]): readonly unknown[] {
  let result: unknown[] | undefined
  for (const [i, inner] of list.entries()) {
    const kept = withoutBinary(inner)
    if (kept === inner) continue
    result ??= [...list]
    result[i] = kept
  }
  return result ?? list
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
  return { sha256: sha256(bytes), bytes: bytes.length, ...given({ media_type: media }) }
}
