/**
 * A sender is `untrusted` until the owner has written to the address, then `contact`; nothing else raises trust. Decided over the whole
 * ledger, so arrival order does not matter.
 */
import type { WriteTx } from '../../store/store.ts'

const RECEIVERS = ['to', 'cc', 'bcc'] as const

export interface TrustedMail {
  readonly id: string
  readonly direction: string
  readonly trust: string
  readonly people: readonly { readonly role: string; readonly handle: string }[]
}

export async function settleTrust(
  tx: WriteTx,
  mails: readonly TrustedMail[],
  { owners, raised }: { readonly owners: ReadonlySet<string>; readonly raised: Set<string> },
): Promise<void> {
  const handles = (mail: TrustedMail, roles: readonly string[]) =>
    mail.people.flatMap(({ role, handle }) => (roles.includes(role) ? [handle] : []))
  const sent = mails.filter(({ direction }) => direction === 'sent')
  const received = mails.filter(({ direction }) => direction !== 'sent')
  await setTrust(tx, sent, 'owner')
  const writers = new Set(received.flatMap((mail) => handles(mail, ['from'])).filter((handle) => !owners.has(handle)))
  const known = await writtenTo(tx, [...writers])
  // The owner's own address proves nothing: a forged sender would be trusted.
  const isKnown = (mail: TrustedMail) => handles(mail, ['from']).some((handle) => known.has(handle))
  await setTrust(tx, received.filter(isKnown), 'contact')
  await setTrust(
    tx,
    received.filter((mail) => !isKnown(mail)),
    'untrusted',
  )
  for (const handle of new Set(sent.flatMap((mail) => handles(mail, RECEIVERS)))) {
    if (owners.has(handle) || raised.has(handle)) continue
    raised.add(handle)
    await setTrustOfWriter(tx, handle, { from: 'untrusted', to: 'contact' })
  }
}

/** After a sent mail was deleted, its recipients may be unknown again. */
export async function recheckTrust(tx: WriteTx, owners: ReadonlySet<string>): Promise<void> {
  const rows = await tx.db
    .selectFrom('event_people as p')
    .innerJoin('events as e', 'e.id', 'p.event_id')
    .select('p.handle')
    .distinct()
    .where('e.source_adapter', '=', 'gmail')
    .where('e.trust', '=', 'contact')
    .where('p.role', '=', 'from')
    .execute()
  const handles = rows.map(({ handle }) => handle)
  const known = await writtenTo(tx, handles)
  for (const handle of handles)
    if (!known.has(handle) || owners.has(handle)) await setTrustOfWriter(tx, handle, { from: 'contact', to: 'untrusted' })
}

const AT_ONCE = 500

async function writtenTo(tx: WriteTx, handles: readonly string[]): Promise<Set<string>> {
  const known = new Set<string>()
  for (let at = 0; at < handles.length; at += AT_ONCE) {
    const rows = await tx.db
      .selectFrom('event_people as p')
      .innerJoin('events as e', 'e.id', 'p.event_id')
      .select('p.handle')
      .distinct()
      .where('p.handle', 'in', handles.slice(at, at + AT_ONCE))
      .where('p.role', 'in', RECEIVERS)
      .where('e.source_adapter', '=', 'gmail')
      .where('e.direction', '=', 'sent')
      .execute()
    for (const { handle } of rows) known.add(handle)
  }
  return known
}

async function setTrust(tx: WriteTx, mails: readonly TrustedMail[], trust: string): Promise<void> {
  const ids = mails.filter((mail) => mail.trust !== trust).map(({ id }) => id)
  if (ids.length > 0) await tx.db.updateTable('events').set({ trust }).where('id', 'in', ids).execute()
}

async function setTrustOfWriter(tx: WriteTx, handle: string, { from, to }: { readonly from: string; readonly to: string }): Promise<void> {
  await tx.db
    .updateTable('events')
    .set({ trust: to })
    .where('source_adapter', '=', 'gmail')
    .where('direction', '<>', 'sent')
    .where('trust', '=', from)
    .where('id', 'in', (eb) => eb.selectFrom('event_people').select('event_id').where('handle', '=', handle).where('role', '=', 'from'))
    .execute()
}
