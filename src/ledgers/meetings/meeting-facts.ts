/** Whose meeting it is, seen from the owner. What decides it is kept with the event, so that it can be decided again without the calendar. */
import type { Trust } from '../../core/trust.ts'
import type { EventPerson, OneEventRecord } from '../event-record.ts'

export interface MeetingFacts {
  readonly calendar?: string
  /** How the invited answered, by handle. */
  readonly answers?: Readonly<Record<string, string>>
  /** Handles that the calendar itself calls its owner's. */
  readonly self?: readonly string[]
  /** It came as an invitation or as an answer to one: whoever writes a letter writes the organizer and the answers too. */
  readonly letter?: boolean
}

export interface SeenByOwner {
  readonly direction: OneEventRecord['direction']
  readonly trust: Trust
  /** How the owner answered. */
  readonly answer: string | undefined
}

/**
 * The words are the owner's own where the owner organizes; of somebody that the owner deals with where the owner said yes or perhaps. Anybody
 * can send an invitation, and a calendar that says nothing of who wrote it may be anybody's: both are untrusted.
 */
export function seenByOwner(
  people: readonly EventPerson[],
  { calendar = '', answers = {}, self = [], letter = false }: MeetingFacts,
  isOwn: (handle: string) => boolean,
): SeenByOwner {
  const own = (handle: string) => isOwn(handle) || self.includes(handle)
  const answer = Object.entries(answers).find(([handle]) => own(handle))?.[1]
  const organizer = people.find(({ role }) => role === 'organizer')
  if (letter) return { direction: organizer === undefined ? 'observed' : 'received', trust: 'untrusted', answer }
  if (organizer === undefined) return { direction: 'observed', trust: isOwn(calendar.trim().toLowerCase()) ? 'owner' : 'untrusted', answer }
  if (own(organizer.handle)) return { direction: 'sent', trust: 'owner', answer }
  return { direction: 'received', trust: answer === 'accepted' || answer === 'tentative' ? 'contact' : 'untrusted', answer }
}
