/** Addresses of roles, lists or groups. They do not identify a person. */
import { couldBeOne } from './name-agreement.ts'

const ROLES = new Set(
  `abuse account accounting accounts admin administrator alert alerts all announce announcements applications ask automated billing board bot bounce
bounces bug bugs career careers ceo chat commits community compliance contact contactus customercare customers customerservice daemon data desk dev
developers digest digests do-not-reply donotreply editor editors engineering enquiries everyone events family feedback finance forum founders friends
frontdesk general github group groups hallo hello help helpdesk hi home hostmaster hr info information inquiries invitations invoice invoices it
jenkins jobs kontakt legal list lists mail mailer mailer-daemon mailman management marketing media member members messages membership
mod moderator news newsletter newsletters no-reply nobody noc noreply no_reply not-reply notification notifications notify office offers
operations ops order orders owner partners payments payroll people postmaster press privacy project promo purchasing receipts recruiting
recruitment registration replies reply reservations returns root sales school secretary security service services shared shipping shop social
staff statements store studio subscribe subscriptions success support system talent team tech tickets training travel unsubscribe update updates
user users verify webmaster welcome work`.split(/\s+/),
)
const LIST_DOMAIN = /(?:^|\.)(?:lists?|groups|mailman|listserv|googlegroups|yahoogroups)\.|(?:^|[.@])(?:groups\.io|freelists\.org)$/
const LIST_LOCAL = /(?:^|[-_.+])(?:list|users|devel|announce|discuss|bounces?|owner|request|unsubscribe|no-?reply|notifications?)$/

export function isRoleAddress(address: string): boolean {
  const at = address.lastIndexOf('@')
  if (at < 0) return false
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)]
  const plain = local.replace(/\+.*$/, '')
  return ROLES.has(plain) || ROLES.has(plain.replace(/[\d]+$/, '')) || LIST_LOCAL.test(plain) || LIST_DOMAIN.test(domain)
}

export function hasSeveralNames(names: readonly string[]): boolean {
  return names.some((name, at) => names.slice(at + 1).some((other) => !couldBeOne(name, other)))
}
