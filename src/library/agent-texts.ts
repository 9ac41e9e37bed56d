/** Loads the texts for agents on first use: searches by people need none. */
import type * as decisions from './agent-decisions.ts'
import type * as entity from './agent-entity.ts'
import type * as fixes from './agent-fixes.ts'
import type * as forget from './agent-forget.ts'
import type * as project from './agent-project.ts'
import type * as read from './agent-read.ts'
import type * as sessions from './agent-sessions.ts'
import type * as text from './agent-text.ts'
import type * as timeline from './agent-timeline.ts'
import type * as why from './agent-why.ts'

export type Later<T extends (...given: never[]) => unknown> = (...given: Parameters<T>) => Promise<Awaited<ReturnType<T>>>

export const searchForAgent: Later<typeof text.searchForAgent> = async (...given) =>
  (await import('./agent-text.ts')).searchForAgent(...given)
export const searchesForAgent: Later<typeof text.searchesForAgent> = async (...given) =>
  (await import('./agent-text.ts')).searchesForAgent(...given)
export const historyText: Later<typeof text.historyText> = async (...given) => (await import('./agent-text.ts')).historyText(...given)
export const documentForAgent: Later<typeof text.documentForAgent> = async (...given) =>
  (await import('./agent-text.ts')).documentForAgent(...given)
export const sessionsForAgent: Later<typeof sessions.sessionsForAgent> = async (...given) =>
  (await import('./agent-sessions.ts')).sessionsForAgent(...given)
export const outlineForAgent: Later<typeof sessions.outlineForAgent> = async (...given) =>
  (await import('./agent-sessions.ts')).outlineForAgent(...given)
export const readSeveralForAgent: Later<typeof read.readSeveralForAgent> = async (...given) =>
  (await import('./agent-read.ts')).readSeveralForAgent(...given)
export const readForAgent: Later<typeof read.readForAgent> = async (...given) => (await import('./agent-read.ts')).readForAgent(...given)
export const decisionsForAgent: Later<typeof decisions.decisionsForAgent> = async (...given) =>
  (await import('./agent-decisions.ts')).decisionsForAgent(...given)
export const timelineForAgent: Later<typeof timeline.timelineForAgent> = async (...given) =>
  (await import('./agent-timeline.ts')).timelineForAgent(...given)
export const whyText: Later<typeof why.whyText> = async (...given) => (await import('./agent-why.ts')).whyText(...given)
export const projectForAgent: Later<typeof project.projectForAgent> = async (...given) =>
  (await import('./agent-project.ts')).projectForAgent(...given)
export const howForAgent: Later<typeof fixes.howForAgent> = async (...given) => (await import('./agent-fixes.ts')).howForAgent(...given)
export const fixForAgent: Later<typeof fixes.fixForAgent> = async (...given) => (await import('./agent-fixes.ts')).fixForAgent(...given)
export const entityForAgent: Later<typeof entity.entityForAgent> = async (...given) =>
  (await import('./agent-entity.ts')).entityForAgent(...given)
export const forgetPlanForAgent: Later<typeof forget.forgetPlanForAgent> = async (...given) =>
  (await import('./agent-forget.ts')).forgetPlanForAgent(...given)
