/** Sample writers. An adapter missing here and in `all.ts` fails the adapter contract. */
import type { EventSource } from '../event-source.ts'
import { calendarSource } from './calendar.ts'
import { gmailApiSource, gmailMboxSource } from './gmail.ts'
import { imessageSource } from './imessage.ts'

export const EVENT_SOURCES: readonly EventSource[] = [imessageSource, gmailMboxSource, gmailApiSource, calendarSource]
