/** The owner's title: survives every sync, reread and rebuild; forgotten with its session. */
import type { Clock } from '../../core/clock.ts'
import { MnemonicError } from '../../core/error.ts'
import { oneLine } from '../../core/text.ts'
import type { Store } from '../../store/store.ts'
import { tombstonesOf } from '../../tombstones/tombstones.ts'
import { announce } from '../finish-session.ts'
import { isForgottenTitle } from '../forgotten-records.ts'
import { resolveSession } from '../resolve.ts'
import { nameSession } from './name-session.ts'

const LONGEST = 200

/** `null` removes the title. Returns the session id. */
export async function renameSession(
  store: Store,
  { session: named, title, agentId, clock }: { session: string; title: string | null; agentId: string | undefined; clock: Clock },
): Promise<string> {
  const own = title === null ? null : oneLine(title, LONGEST)
  if (own === '') {
    throw new MnemonicError('USAGE', 'a title needs at least one character', {
      details: { title: '' },
      hint: 'Write it after the session: mnemonic rename SESSION TITLE. To take yours back: mnemonic rename SESSION --reset',
    })
  }
  const session = await resolveSession(store, named, agentId)
  await store.write(async (tx) => {
    const tombstones = await tombstonesOf(tx)
    if (own !== null && tombstones !== undefined && isForgottenTitle([session.id], own, tombstones)) {
      throw new MnemonicError('USAGE', 'exactly this text was forgotten, and stays so', {
        details: { session: session.id },
        hint: 'Give the session a title in other words.',
      })
    }
    await tx.db.updateTable('agent_sessions').set({ own_title: own }).where('id', '=', session.id).execute()
    const changed = await nameSession(tx, session.id, tombstones)
    if (changed && session.head_turn_id !== null) await announce(tx, session.id, session.head_turn_id, clock)
  })
  return session.id
}
