/** The moment by which a set is named. Two sets of a session never share one: some sources give every message the same time, or none. */

import type { LoadedSession } from '../publish/load-set.ts'
import { soundHead } from './content-file.ts'
import { setPath } from './session-set.ts'

/** The time of the last message; where a set that ended with another turn has it, the next millisecond that none has, or that has this very set. */
export function setMoment(workspace: string, { facts: session, capturedAt }: LoadedSession): number {
  for (let at = capturedAt; ; at++) {
    const there = soundHead(workspace, setPath({ session, capturedAt: at }, 'transcript'))
    if (there === undefined || there.source_node_id === null || there.source_node_id === session.headTurnId) return at
  }
}
