/** Ids derive from the source alone, never from host, account, path or time: equal on every machine. */
import { shortHash } from './hash.ts'

export function sessionId(source: string, nativeId: string): string {
  return `${source}:${nativeId}`
}

/** For a session whose plain id belongs to another one. */
export function disambiguatedSessionId(id: string, firstRecordHash: string): string {
  return `${id}~${firstRecordHash.slice(0, 8)}`
}

export function plainSessionId(id: string): string | undefined {
  return /^(.+)~[0-9a-f]{8}$/s.exec(id)?.[1]
}

export function messageId(session: string, nativeId: string): string {
  return `${session}/${nativeId}`
}

/** For messages without an id in the source. */
export function ordinalId(ordinal: number, role: string, text: string): string {
  return `${ordinal}-${shortHash(8, role, '\n', text)}`
}

/** Injective: different labels give different path segments of safe characters. */
export function safeSessionLabel(label: string): string {
  const safe = label.replace(/[^A-Za-z0-9._-]/g, '-').slice(0, 80)
  return safe === label ? safe : `${safe}-${shortHash(8, label)}`
}

export function turnPath(label: string, turnId: string): string {
  return `sessions/${safeSessionLabel(label)}/turns/${turnId}.md`
}

export function compactionPath(label: string, turnId: string): string {
  return `sessions/${safeSessionLabel(label)}/compactions/${turnId}.md`
}

/** `memory/<time>--<session token>--summary.md`. */
export function isPublishedPath(path: string): boolean {
  return path.startsWith('memory/') && /^memory\/[^/]+--[a-z2-7]{16}--(?:summary|transcript|compaction|manifest)\.md$/.test(path)
}
