/** Every source of messages, mail and meetings for which tests can write a sample. */
import type { EventSource } from '../event-source.ts'
import { calendarSource } from './calendar.ts'

export const EVENT_SOURCES: readonly EventSource[] = [calendarSource]
