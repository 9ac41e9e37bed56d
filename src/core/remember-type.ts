export const REMEMBER_TYPES = ['preference', 'fact', 'decision', 'correction'] as const
export type RememberType = (typeof REMEMBER_TYPES)[number]
