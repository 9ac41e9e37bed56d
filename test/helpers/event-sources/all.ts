/** Every source of messages for which tests can write a sample. An adapter that is missing here fails the contract. */
import type { EventSource } from '../event-source.ts'
import { gmailApiSource, gmailMboxSource } from './gmail.ts'

export const EVENT_SOURCES: readonly EventSource[] = [gmailMboxSource, gmailApiSource]
