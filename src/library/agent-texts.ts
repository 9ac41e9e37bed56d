/** The texts that agents read, loaded where one is asked for: a search of a person needs none of them. */
import type * as read from './agent-read.ts'
import type * as sessions from './agent-sessions.ts'
import type * as text from './agent-text.ts'

/** A function of the library that is loaded when it is first called. */
export type Later<T extends (...given: never[]) => unknown> = (...given: Parameters<T>) => Promise<Awaited<ReturnType<T>>>

export const searchForAgent: Later<typeof text.searchForAgent> = async (...given) =>
  (await import('./agent-text.ts')).searchForAgent(...given)
export const documentForAgent: Later<typeof text.documentForAgent> = async (...given) =>
  (await import('./agent-text.ts')).documentForAgent(...given)
export const sessionsForAgent: Later<typeof sessions.sessionsForAgent> = async (...given) =>
  (await import('./agent-sessions.ts')).sessionsForAgent(...given)
export const outlineForAgent: Later<typeof sessions.outlineForAgent> = async (...given) =>
  (await import('./agent-sessions.ts')).outlineForAgent(...given)
export const readForAgent: Later<typeof read.readForAgent> = async (...given) => (await import('./agent-read.ts')).readForAgent(...given)
