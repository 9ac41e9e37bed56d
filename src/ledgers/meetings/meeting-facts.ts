/** Facts that decide a meeting's direction and trust. Stored with the event, so that they can be decided again without the calendar. */
import type { Trust } from '../../core/trust.ts'
import type { EventPerson, OneEventRecord } from '../event-record.ts'

export interface MeetingFacts {
  readonly calendar?: string
  /** By handle. */
  readonly answers?: Readonly<Record<string, string>>
  /** Handles that the calendar marks as its owner's. */
  readonly self?: readonly string[]
  /** From an invitation or answer, whose sender also wrote organizer and answers. */
  readonly letter?: boolean
}

export interface SeenByOwner {
  readonly direction: OneEventRecord['direction']
  readonly trust: Trust
  readonly answer: string | undefined
}

/**
 * `owner` if the owner organizes, `contact` if the owner accepted, perhaps tentatively. Invitations and calendars without an author can
 * come from anyone: `untrusted`.
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
