export const HARNESS_SOURCES = ['claude-code', 'codex', 'cursor', 'openclaw', 'pi', 'nexus', 'opencode', 'gemini-cli', 'jsonl'] as const

/** The owner's messages, mail and exports: opt-in. */
export const PERSONAL_SOURCES = ['chatgpt', 'claude-ai', 'imessage', 'gmail', 'calendar', 'contacts'] as const

/** aix-agents stands for all harness adapters together, aix-events for events derived from their sessions. */
export const DERIVED_SOURCES = ['aix-agents', 'aix-events'] as const

export function each<K extends string, V>(names: readonly K[], value: () => V): Record<K, V> {
  return Object.fromEntries(names.map((name) => [name, value()])) as Record<K, V>
}

export type SourceName = (typeof HARNESS_SOURCES)[number] | (typeof PERSONAL_SOURCES)[number] | (typeof DERIVED_SOURCES)[number]
