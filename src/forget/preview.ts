/** What goes, for the person who is asked: title, date and the words around the match. Redacted and cleaned, as all that leaves the ledger. */
import { redactStored } from '../browse/redact-stored.ts'
import { oneLine, stripControls } from '../core/text.ts'
import { isoOrNull } from '../core/time.ts'
import type { Store } from '../store/store.ts'
import type { Hit, Selection } from './selection.ts'
import { type TextMatch, textMatch } from './text-match.ts'

/** snake_case: this is JSON of `forget --dry-run`. */
export interface PlannedRecord {
  readonly kind: string
  /** Null where it belongs to none, or where the id itself holds the text. */
  readonly session_id: string | null
  readonly title: string | null
  readonly timestamp: string | null
  /** The words around the match, or the beginning. */
  readonly text: string
}

const WIDTH = 160
const BEFORE = 60

export async function previewOf(store: Store, { hits }: Selection, match: string | undefined): Promise<PlannedRecord[]> {
  const told = match === undefined ? undefined : textMatch(match)
  const records: PlannedRecord[] = []
  for (const hit of hits) {
    const session = await sessionOf(store, hit.session)
    const shownId = hit.session !== undefined && !told?.holds(hit.session)
    records.push({
      kind: hit.kind,
      session_id: shownId ? (hit.session as string) : null,
      title: session?.title ? clean(session.title, WIDTH) : null,
      timestamp: isoOrNull((await timeOf(store, hit)) ?? session?.started_at ?? null),
      text: excerpt(hit.text, told),
    })
  }
  return records
}

async function sessionOf(store: Store, id: string | undefined) {
  if (id === undefined) return undefined
  return store.read.selectFrom('agent_sessions').select(['title', 'started_at']).where('id', '=', id).executeTakeFirst()
}

async function timeOf(store: Store, { at, message }: Hit): Promise<number | null | undefined> {
  if (at !== undefined || message === undefined) return at
  const row = await store.read.selectFrom('agent_messages').select('timestamp').where('id', '=', message).executeTakeFirst()
  return row?.timestamp
}

/** Redacted before it is cut: the rest of a secret cut in two would not be known as one. */
function excerpt(value: string, told: TextMatch | undefined): string {
  const shown = redactStored(stripControls(value)).replace(/\s+/g, ' ').trim()
  const from = Math.max(0, (told?.place(shown) ?? 0) - BEFORE)
  const start = from === 0 ? 0 : shown.indexOf(' ', from) + 1
  return `${start === 0 ? '' : '…'}${clean(shown.slice(start), WIDTH)}`
}

function clean(text: string, most: number): string {
  return oneLine(redactStored(stripControls(text)), most)
}
