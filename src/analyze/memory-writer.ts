/** The analysis that an agent of the owner's does: it reads a conversation and writes what is worth remembering. Only the writer runs it, in agent mode. */
export const MEMORY_WRITER = 'memory_writer'
