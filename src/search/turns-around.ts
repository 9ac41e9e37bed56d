import { leastTrusted } from '../core/trust.ts'
import { shortTurnIds } from '../ledgers/short-ids.ts'
import { documentOfTurn, ifNotFound } from './memory-get-document.ts'
import type { DocumentSource, TextDocument } from './text-document.ts'

/** At most `count` turns on each side, each under its short id. Skips abandoned turns. */
export async function withTurnsAround(source: DocumentSource, own: TextDocument, count: number): Promise<TextDocument> {
  const turns = await source.store.read
    .selectFrom('agent_turns')
    .select('id')
    .where('session_id', '=', own.sessionId)
    .where((eb) => eb.or([eb('status', '<>', 'superseded'), eb('id', '=', own.turnId)]))
    .orderBy('sequence')
    .execute()
  const at = turns.findIndex(({ id }) => id === own.turnId)
  const near = turns.slice(Math.max(0, at - count), at + count + 1).map(({ id }) => id)
  const names = await shortTurnIds(source.store, near)
  const parts: TextDocument[] = []
  // A turn without messages has no document.
  for (const id of near) parts.push(...[await documentOfTurn(source, id).catch(ifNotFound)].flatMap((found) => found ?? []))
  const text = parts
    .map((part) => `[${names.get(part.turnId) ?? part.path}]\n${part.text.replace(/^[\s\S]*?\n\s*\n/, '').trimEnd()}\n`)
    .join('\n')
  const speakers = [...new Set(parts.flatMap((part) => part.speakers))]
  return {
    ...own,
    text,
    speakers,
    trust: leastTrusted(parts.map(({ trust }) => trust)),
    messages: parts.flatMap(({ messages }) => messages),
  }
}
