/** The scope of what the owner prefers wherever they work; what they state for a project has the project as its scope. */
export const OWNER_SCOPE = 'owner'
