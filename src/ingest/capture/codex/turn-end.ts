import { flushAsked } from './asked.ts'
import { closeReply } from './emit.ts'
import type { Reading } from './read-state.ts'
import { flushReplies } from './reply.ts'
import { flushFacts, flushSearches } from './tool-event.ts'

export function flushAll(reading: Reading): void {
  flushAsked(reading)
  flushReplies(reading)
  flushSearches(reading, true)
}

export function endTurn(reading: Reading): void {
  const { state } = reading
  flushAll(reading)
  flushFacts(reading)
  closeReply(state)
  state.texts = []
  state.textsAlone = []
  state.thoughtsAlone = []
  state.byEvent = []
}
