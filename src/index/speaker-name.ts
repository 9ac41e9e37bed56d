/**
 * The one form of the speaker before what they said: `Jason: …` where the source gives a name, else the role, `User: …` or
 * `Assistant: …`. Never both. Pure.
 */

/** What sources write where they have no name. */
const ROLE_NAMES: ReadonlySet<string> = new Set(['user', 'human', 'assistant', 'ai', 'summary'])

/** A name, and not just a word for a role. */
export function ownName(speaker: string | null | undefined): string | undefined {
  const name = speaker?.trim()
  return name === undefined || name === '' || ROLE_NAMES.has(name.toLowerCase()) ? undefined : name
}
