/** Whether a prompt is the first of its session: the log has no answer yet. Reads a bounded part, since the hook gate calls it. */
import { closeSync, openSync, readSync, statSync } from 'node:fs'

const MOST_BYTES = 256 * 1024
/** Names that harnesses give to agent messages. */
const ANSWER = /"(?:type|role)"\s*:\s*"(?:assistant|model|gemini|agent)"|"(?:agent_message|agent_reasoning)"/

/** Undefined if unknown. A missing log means a new session. */
export function opensSession(log: unknown): boolean | undefined {
  // Never opens a network path.
  if (typeof log !== 'string' || log === '' || /^[\\/]{2}/.test(log)) return undefined
  try {
    const stat = statSync(log, { throwIfNoEntry: false })
    if (stat === undefined) return true
    if (!stat.isFile()) return undefined
    return stat.size <= MOST_BYTES && !ANSWER.test(beginning(log, stat.size))
  } catch {
    return undefined
  }
}

function beginning(path: string, size: number): string {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(size)
    return bytes.subarray(0, readSync(file, bytes, 0, size, 0)).toString('utf8')
  } finally {
    closeSync(file)
  }
}
