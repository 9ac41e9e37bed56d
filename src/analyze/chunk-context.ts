/** Text that a model adds to a chunk for search: what the passage is about and questions it answers. */
export const CHUNK_CONTEXT = 'chunk_context'

/** Migration 041 names these facets too. */
export const CONTEXT_FACETS = ['chunk_context', 'likely_question'] as const
