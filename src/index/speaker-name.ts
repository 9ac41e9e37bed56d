/** Speaker prefix: the name if known (`Jason: …`), else the role (`User: …`, `Assistant: …`). Pure. */

/** Placeholders in sources without names. */
const ROLE_NAMES: ReadonlySet<string> = new Set(['user', 'human', 'assistant', 'ai', 'summary'])

/** Undefined for role words. */
export function ownName(speaker: string | null | undefined): string | undefined {
  const name = speaker?.trim()
  return name === undefined || name === '' || ROLE_NAMES.has(name.toLowerCase()) ? undefined : name
}
