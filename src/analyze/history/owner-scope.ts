/** Scope of preferences without a project. */
export const OWNER_SCOPE = 'owner'
