/** What a model adds to the text of a chunk, so that it is found in other words: what the passage is about, and what somebody would ask to find it. */
export const CHUNK_CONTEXT = 'chunk_context'

/** The facets that hold it. Migration 041 names them too. */
export const CONTEXT_FACETS = ['chunk_context', 'likely_question'] as const
