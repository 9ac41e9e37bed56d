/** Warns if the owner's addresses are missing: then no mail counts as sent, and no recipient becomes a contact. */
import type { Store } from '../../store/store.ts'
import { peopleOf } from '../people/event-people.ts'
import { mailFacts } from './mail-facts.ts'

/** The newest mails show whose mailbox it is. */
const LOOKED_AT = 2000
const AT_ONCE = 500
const NAMED = 3
/** A single mail in the sent folder may be an accident. */
const OFTEN = 2

export async function ownerWarnings({ read }: Store, owners: readonly string[]): Promise<string[]> {
  const mails = await read
    .selectFrom('events')
    .select(['id', 'direction', 'metadata_json'])
    .where('channel', '=', 'gmail')
    .where('source_adapter', '=', 'gmail')
    .orderBy('timestamp', 'desc')
    .limit(LOOKED_AT)
    .execute()
  if (mails.length === 0) return []
  const copies = mails.filter(({ direction, metadata_json }) => direction !== 'sent' && mailFacts(metadata_json).sent_copy === true)
  const unlisted = (await senders(read, copies)).filter((address) => !owners.includes(address)).slice(0, NAMED)
  if (unlisted.length > 0) return [sentBy(unlisted, owners)]
  if (owners.length === 0)
    return [`owner.emails is not set: no mail counts as sent by you, and all of it as untrusted. ${set(['you@example.com'])}`]
  if (mails.every(({ direction }) => direction === 'observed'))
    return [
      `no mail is from or to ${owners.join(', ')}: none of it counts as sent or received by you. If you have other addresses: ${set([...owners, 'you@example.com'])}`,
    ]
  return []
}

async function senders(db: Store['read'], mails: readonly { readonly id: string }[]): Promise<string[]> {
  const counts = new Map<string, number>()
  for (let from = 0; from < mails.length; from += AT_ONCE) {
    const ids = mails.slice(from, from + AT_ONCE).map(({ id }) => id)
    for (const people of (await peopleOf({ db }, ids)).values())
      for (const { role, handle } of people) if (role === 'from') counts.set(handle, (counts.get(handle) ?? 0) + 1)
  }
  const often = [...counts].filter(([, count]) => count >= Math.min(OFTEN, mails.length))
  return often.sort((a, b) => b[1] - a[1]).map(([handle]) => handle)
}

function sentBy(addresses: readonly string[], owners: readonly string[]): string {
  return `mail from ${addresses.join(', ')} lies among your sent mail, but owner.emails does not list ${addresses.length === 1 ? 'that address' : 'those addresses'}: it counts as received, and nobody it went to as a contact. ${set([...owners, ...addresses])}`
}

function set(addresses: readonly string[]): string {
  return `Set it in config.yaml (mnemonic paths says where that is), then sync again: owner: { emails: [${addresses.join(', ')}] }`
}
