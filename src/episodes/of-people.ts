import { AIX_EVENTS } from '../ingest/events/aix-events.ts'
import type { Thread } from './strategy.ts'

export const notOfAgents = (thread: Thread) => thread.source_adapter !== AIX_EVENTS
