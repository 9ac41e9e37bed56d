/** Analysis by an agent of the owner, which reads a conversation and writes memories. Only the writer runs it, in agent mode. */
export const MEMORY_WRITER = 'memory_writer'
