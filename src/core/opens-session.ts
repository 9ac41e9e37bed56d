/**
 * Whether a prompt is the first of its session, by the session's log: a log that holds an answer already is of a session that goes on. The gate of the
 * prompt hook asks it, so it reads a bounded part of one file.
 */
import { closeSync, openSync, readSync, statSync } from 'node:fs'

/** A log that is longer holds an answer. */
const MOST_BYTES = 256 * 1024
/** How harnesses call what an agent says; a log in another form is not understood. */
const ANSWER = /"(?:type|role)"\s*:\s*"(?:assistant|model|gemini|agent)"|"(?:agent_message|agent_reasoning)"/

/** Undefined where it cannot be told. A log that is not there yet is that of a session that begins. */
export function opensSession(log: unknown): boolean | undefined {
  // A path to another machine is not looked at.
  if (typeof log !== 'string' || log === '' || /^[\\/]{2}/.test(log)) return undefined
  try {
    const stat = statSync(log, { throwIfNoEntry: false })
    if (stat === undefined) return true
    if (!stat.isFile()) return undefined
    return stat.size <= MOST_BYTES && !ANSWER.test(beginning(log, stat.size))
  } catch {
    return undefined // not allowed to look: nothing is known
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
