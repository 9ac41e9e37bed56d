/** Stored with the event, so that direction and trust can be decided again without the calendar. */
import type { Trust } from '../../core/trust.ts'
import type { EventPerson, OneEventRecord } from '../event-record.ts'

export interface MeetingFacts {
  readonly calendar?: string
  readonly answers?: Readonly<Record<string, string>>
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
 * `owner` if the owner organizes, `contact` if the owner accepted, even tentatively. Anyone can send an invitation or an anonymous
 * calendar: `untrusted`.
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
