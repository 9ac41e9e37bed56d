export const STATEMENT_TYPES = ['decision', 'action_item', 'commitment', 'preference_stated', 'correction'] as const
export type StatementType = (typeof STATEMENT_TYPES)[number]
