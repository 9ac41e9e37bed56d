/** Speakers appear as `Jason: …`, else as `User: …` or `Assistant: …`. Pure. */

/** Placeholders for no name. */
const ROLE_NAMES: ReadonlySet<string> = new Set(['user', 'human', 'assistant', 'ai', 'summary'])

/** Undefined for role words. */
export function ownName(speaker: string | null | undefined): string | undefined {
  const name = speaker?.trim()
  return name === undefined || name === '' || ROLE_NAMES.has(name.toLowerCase()) ? undefined : name
}
