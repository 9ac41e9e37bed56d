/** The names of all sources that a configuration may speak of. A source that is not built yet has its name here already. */

/** Sessions of AI harnesses on this machine: read unless switched off. */
export const HARNESS_SOURCES = ['claude-code', 'codex', 'cursor', 'openclaw', 'pi', 'nexus', 'opencode', 'gemini-cli', 'jsonl'] as const

/** A person's own messages, mail and exports: read only after the owner switched them on. */
export const PERSONAL_SOURCES = ['chatgpt', 'claude-ai', 'imessage', 'gmail', 'calendar'] as const

/** Of those, what this version cannot read yet: no adapter is built for them. */
export const PLANNED_SOURCES: readonly string[] = ['imessage', 'gmail', 'calendar'] satisfies (typeof PERSONAL_SOURCES)[number][]

/** Not places but steps: all harness captures together, and the events derived from them. */
export const DERIVED_SOURCES = ['aix-agents', 'aix-events'] as const

/** One entry a name, with the names kept in the type. */
export function each<K extends string, V>(names: readonly K[], value: () => V): Record<K, V> {
  return Object.fromEntries(names.map((name) => [name, value()])) as Record<K, V>
}

export type SourceName = (typeof HARNESS_SOURCES)[number] | (typeof PERSONAL_SOURCES)[number] | (typeof DERIVED_SOURCES)[number]
