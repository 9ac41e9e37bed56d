/** By what a message is recognised in every copy of it: Cursor keeps one conversation in its database, in a transcript and in the CLI's store. */
import { shortHash } from '../../../core/hash.ts'

/** A transcript trims what a database does not: the hash looks past it. */
export function textHash(role: string, text: string): string {
  return shortHash(16, role, '\n', text.trim())
}

/** Names the texts of one session in order: who said what, and how often before. */
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
