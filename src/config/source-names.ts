/** The names of all sources that a configuration may contain, also of those that no adapter reads yet. */

/** Sessions of AI harnesses on this machine: read unless switched off. */
export const HARNESS_SOURCES = ['claude-code', 'codex', 'cursor', 'openclaw', 'pi', 'nexus', 'opencode', 'gemini-cli', 'jsonl'] as const

/** The owner's own messages, mail and exports: read only after the owner switched them on. */
export const PERSONAL_SOURCES = ['chatgpt', 'claude-ai', 'imessage', 'gmail', 'calendar', 'contacts'] as const

/** Of those, the ones that this version cannot read yet: they have no adapter. */
export const PLANNED_SOURCES: readonly string[] = ['imessage'] satisfies (typeof PERSONAL_SOURCES)[number][]

/** Not read from files of their own: all harness adapters together, and the events derived from their sessions. */
export const DERIVED_SOURCES = ['aix-agents', 'aix-events'] as const

/** One entry for each name, with the names kept in the type. */
export function each<K extends string, V>(names: readonly K[], value: () => V): Record<K, V> {
  return Object.fromEntries(names.map((name) => [name, value()])) as Record<K, V>
}

export type SourceName = (typeof HARNESS_SOURCES)[number] | (typeof PERSONAL_SOURCES)[number] | (typeof DERIVED_SOURCES)[number]
