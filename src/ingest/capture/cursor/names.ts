/** Cursor stores a conversation in its database, a transcript and the CLI's store: names must agree. */
import { shortHash } from '../../../core/hash.ts'

/** Trims, because transcripts do. */
export function textHash(role: string, text: string): string {
  return shortHash(16, role, '\n', text.trim())
}

export function textNames(session: string): (role: string, text: string) => string {
  const seen = new Map<string, number>()
  return (role, text) => {
    const name = `${role}-${textHash(role, text)}`
    const n = seen.get(name) ?? 0
    seen.set(name, n + 1)
    return `${session}/${name}-${n}`
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function isUuid(name: string): boolean {
  return UUID.test(name)
}
