/**
 * Fictional people across channels; a label says who each header and name is. Conversations hold what a run extracts: headers and names in
 * the text.
 */
import type { Trust } from '../../../src/core/trust.ts'

/** `also`: a second handle in the same header. */
export type Who = readonly [label: string, handle: string, name: string | null, also?: string]

export interface LabelledConversation {
  readonly id: string
  readonly channel: 'gmail' | 'imessage' | 'calendar' | 'claude-code'
  readonly trust: Trust
  /** Absent: the owner writes to an agent. */
  readonly from?: Who
  readonly to?: readonly Who[]
  readonly says: string
  /** The rules find the names, as in a sync. Labels of a repeated name are in order. */
  readonly byRules?: true
  readonly names?: readonly (readonly [label: string, name: string])[]
  /** Claims about a name in the text: an address or another name. */
  readonly claims?: readonly (readonly [name: string, type: 'HAS_EMAIL' | 'HAS_PHONE' | 'ALSO_KNOWN_AS', value: string])[]
}

export interface LabelledSet {
  readonly cards: readonly (readonly [name: string, ...handles: string[]])[]
  readonly conversations: readonly LabelledConversation[]
}

export const OWNER_HANDLES = ['me@home.example', 'me@work.example', '+14155550100']

export const CARDS: readonly (readonly [name: string, ...handles: string[]])[] = [
  ['Sarah Chen', 'sarah.chen@northwind.example', 'sarahc@mail.example', '+14155550111'],
  ['Mom', '+14155550112', 'linda.ortega@mail.example'],
  ['Michael Brown', 'michael.brown@acme.example', '+14155550113'],
  ['Priya Natarajan', 'priya@studio.example', '+919820012345'],
  ['Jürgen Weiß', 'j.weiss@werk.example', '+4915112345678'],
  ['Ortega family', 'family@ortega.example', '+14155550114'],
  ['Tyler Brooks', 'tyler@anthropic.example', 'tyler.brooks@mail.example'],
]

const me: Who = ['owner', 'me@home.example', 'Me']
const meWork: Who = ['owner', 'me@work.example', 'Me at work']
const mePhone: Who = ['owner', '+14155550100', null]

export const CONVERSATIONS: readonly LabelledConversation[] = [
  // One person, several channels, one contact.
  {
    id: 'c1',
    channel: 'gmail',
    trust: 'contact',
    from: ['sarah-chen', 'sarah.chen@northwind.example', 'Sarah Chen'],
    to: [meWork],
    says: 'The draft is ready.',
  },
  { id: 'c2', channel: 'imessage', trust: 'contact', from: ['sarah-chen', '+14155550111', 'Sarah'], to: [mePhone], says: 'running late' },
  {
    id: 'c3',
    channel: 'calendar',
    trust: 'contact',
    from: ['sarah-chen', 'sarah.chen@northwind.example', 'Chen, Sarah'],
    to: [meWork],
    says: 'Planning',
  },
  {
    id: 'c4',
    channel: 'gmail',
    trust: 'contact',
    from: ['sarah-chen', 'sarahc@mail.example', 'Sarah C.'],
    to: [me],
    says: 'My private address.',
  },
  {
    id: 'c5',
    channel: 'gmail',
    trust: 'owner',
    from: meWork,
    to: [['sarah-chen', 'sarah.chen@northwind.example', 'Sarah Chen']],
    says: 'Thanks Sarah, great.',
    names: [['sarah-chen', 'Sarah']],
  },
  // Others with that first name.
  {
    id: 's1',
    channel: 'gmail',
    trust: 'contact',
    from: ['sarah-kim', 'sarah.kim@contoso.example', 'Sarah Kim'],
    to: [meWork],
    says: 'Budget attached.',
  },
  {
    id: 's2',
    channel: 'gmail',
    trust: 'owner',
    from: meWork,
    to: [['sarah-kim', 'sarah.kim@contoso.example', 'Sarah Kim']],
    says: 'Hi Sarah, approved.',
    names: [['sarah-kim', 'Sarah']],
  },
  {
    id: 's3',
    channel: 'imessage',
    trust: 'contact',
    from: ['sarah-lopez', '+14155550120', 'Sarah Lopez'],
    to: [mePhone],
    says: 'see you at yoga',
  },
  {
    id: 's4',
    channel: 'gmail',
    trust: 'contact',
    from: ['sarah-miller', 'smiller@fabrikam.example', 'Sarah Miller'],
    to: [meWork],
    says: 'Invoice 12.',
  },
  // Both in one thread: the bare name is ambiguous.
  {
    id: 's5',
    channel: 'gmail',
    trust: 'owner',
    from: meWork,
    to: [
      ['sarah-chen', 'sarah.chen@northwind.example', 'Sarah Chen'],
      ['sarah-kim', 'sarah.kim@contoso.example', 'Sarah Kim'],
    ],
    says: 'Sarah will send the slides.',
    names: [['sarah-unknown', 'Sarah']],
  },
  // Another person's Sarah.
  {
    id: 's6',
    channel: 'imessage',
    trust: 'contact',
    from: ['dev-patel', '+14155550121', 'Dev Patel'],
    to: [mePhone],
    says: 'Sarah got into Yale!',
    names: [['sarah-patel', 'Sarah']],
  },
  {
    id: 's7',
    channel: 'imessage',
    trust: 'contact',
    from: ['dev-patel', '+14155550121', 'Dev Patel'],
    to: [mePhone],
    says: 'Driving Sarah to the airport.',
    names: [['sarah-patel', 'Sarah']],
  },
  {
    id: 's8',
    channel: 'imessage',
    trust: 'contact',
    from: ['ines-costa', '+351912345678', 'Inês Costa'],
    to: [mePhone],
    says: 'Sarah says hi',
    names: [['sarah-costa', 'Sarah']],
  },
  // Nicknames and initials without a contact.
  {
    id: 'n1',
    channel: 'gmail',
    trust: 'contact',
    from: ['robert-hale', 'robert.hale@tailspin.example', 'Robert Hale'],
    to: [meWork],
    says: 'Contract signed.',
  },
  { id: 'n2', channel: 'gmail', trust: 'contact', from: ['robert-hale', 'bob@hale.example', 'Bob Hale'], to: [me], says: 'From home.' },
  {
    id: 'n3',
    channel: 'gmail',
    trust: 'contact',
    from: ['robert-hale-sr', 'rhale@retired.example', 'Robert Hale Sr'],
    to: [me],
    says: 'My son told me.',
  },
  { id: 'n4', channel: 'gmail', trust: 'contact', from: ['elizabeth-ng', 'liz.ng@wingtip.example', 'Liz Ng'], to: [meWork], says: 'Ping.' },
  {
    id: 'n5',
    channel: 'gmail',
    trust: 'contact',
    from: ['elizabeth-ng', 'elizabeth.ng@gov.example', 'Elizabeth Ng'],
    to: [meWork],
    says: 'New job.',
  },
  { id: 'n6', channel: 'gmail', trust: 'contact', from: ['eve-ng', 'e.ng@clinic.example', 'E. Ng'], to: [me], says: 'Your appointment.' },
  {
    id: 'n7',
    channel: 'gmail',
    trust: 'contact',
    from: ['alex-romanov', 'alexander@romanov.example', 'Alexander Romanov'],
    to: [me],
    says: 'Da.',
  },
  {
    id: 'n8',
    channel: 'gmail',
    trust: 'contact',
    from: ['alexandra-romanov', 'alexandra@romanov.example', 'Alexandra Romanov'],
    to: [me],
    says: 'Niet.',
  },
  { id: 'n9', channel: 'imessage', trust: 'contact', from: ['unknown-alex', '+14155550130', 'Alex'], to: [mePhone], says: 'hey' },
  {
    id: 'n10',
    channel: 'gmail',
    trust: 'contact',
    from: ['jurgen-weiss', 'j.weiss@werk.example', 'Jürgen Weiß'],
    to: [meWork],
    says: 'Servus.',
  },
  { id: 'n11', channel: 'imessage', trust: 'contact', from: ['jurgen-weiss', '+4915112345678', 'Juergen'], to: [mePhone], says: 'bin da' },
  {
    id: 'n12',
    channel: 'gmail',
    trust: 'contact',
    from: ['jurgen-weiss', 'jw@privat.example', 'Weiss, Jurgen'],
    to: [me],
    says: 'Privat.',
  },
  {
    id: 'n13',
    channel: 'gmail',
    trust: 'contact',
    from: ['samuel-okafor', 'samuel@okafor.example', 'Samuel Okafor'],
    to: [me],
    says: 'Hi.',
  },
  {
    id: 'n14',
    channel: 'gmail',
    trust: 'contact',
    from: ['samantha-okafor', 'samantha@okafor.example', 'Sam Okafor'],
    to: [me],
    says: 'Hi, his sister.',
  },
  // Mom has a contact; the owner calls her Mom.
  { id: 'm1', channel: 'imessage', trust: 'contact', from: ['mom', '+14155550112', 'Mom'], to: [mePhone], says: 'dinner sunday?' },
  { id: 'm2', channel: 'gmail', trust: 'contact', from: ['mom', 'linda.ortega@mail.example', 'Linda Ortega'], to: [me], says: 'Photos.' },
  { id: 'm3', channel: 'claude-code', trust: 'owner', says: 'Mom was born in 1968.', names: [['mom', 'Mom']] },
  { id: 'm4', channel: 'claude-code', trust: 'owner', says: 'Remind me to call Mom.', names: [['mom', 'Mom']] },
  {
    id: 'm5',
    channel: 'imessage',
    trust: 'contact',
    from: ['dev-patel', '+14155550121', 'Dev Patel'],
    to: [mePhone],
    says: 'Mom is visiting',
    names: [['mom-patel', 'Mom']],
  },
  {
    id: 'm6',
    channel: 'imessage',
    trust: 'contact',
    from: ['ines-costa', '+351912345678', 'Inês Costa'],
    to: [mePhone],
    says: 'lunch with Mom',
    names: [['mom-costa', 'Mom']],
  },
  // The owner to agents: one Tyler.
  { id: 't1', channel: 'claude-code', trust: 'owner', says: 'Tyler works at Anthropic.', names: [['tyler-brooks', 'Tyler']] },
  { id: 't2', channel: 'claude-code', trust: 'owner', says: 'Tyler prefers blue.', names: [['tyler-brooks', 'Tyler']] },
  { id: 't3', channel: 'claude-code', trust: 'agent', says: 'Noted: Tyler moved.', names: [['tyler-brooks', 'Tyler']] },
  {
    id: 't4',
    channel: 'gmail',
    trust: 'contact',
    from: ['tyler-brooks', 'tyler@anthropic.example', 'Tyler Brooks'],
    to: [meWork],
    says: 'Hello.',
  },
  {
    id: 't5',
    channel: 'gmail',
    trust: 'contact',
    from: ['tyler-brooks', 'tyler.brooks@mail.example', 'Tyler Brooks'],
    to: [me],
    says: 'Hello from home.',
  },
  { id: 't6', channel: 'claude-code', trust: 'owner', says: 'Tyler Brooks joins the call.', names: [['tyler-brooks', 'Tyler Brooks']] },
  // Numbers that differ by a digit.
  { id: 'd1', channel: 'imessage', trust: 'contact', from: ['plumber', '+14155550140', 'Joe Plumber'], to: [mePhone], says: 'On my way.' },
  {
    id: 'd2',
    channel: 'imessage',
    trust: 'contact',
    from: ['joe-baker', '+14155550141', 'Joe Baker'],
    to: [mePhone],
    says: 'Bread is ready.',
  },
  { id: 'd3', channel: 'gmail', trust: 'contact', from: ['user-jsmith1', 'jsmith1@mail.example', 'jsmith1'], to: [me], says: 'One.' },
  { id: 'd4', channel: 'gmail', trust: 'contact', from: ['user-jsmith2', 'jsmith2@mail.example', 'jsmith2'], to: [me], says: 'Two.' },
  { id: 'd5', channel: 'gmail', trust: 'contact', from: ['wei-li', 'wei.li@uni.example', 'Wei Li'], to: [meWork], says: 'Paper.' },
  { id: 'd6', channel: 'gmail', trust: 'contact', from: ['wei-li-2', 'wei.li2@uni.example', 'Wei Li'], to: [meWork], says: 'Other paper.' },
  { id: 'd7', channel: 'gmail', trust: 'contact', from: ['agent-007', 'agent007@corp.example', 'Agent 007'], to: [me], says: 'Shaken.' },
  { id: 'd8', channel: 'gmail', trust: 'contact', from: ['agent-008', 'agent008@corp.example', 'Agent 008'], to: [me], says: 'Stirred.' },
  // Impostors: names of friends, other addresses, untrusted.
  {
    id: 'i1',
    channel: 'gmail',
    trust: 'untrusted',
    from: ['impostor-1', 'sarah.chen@n0rthwind.example', 'Sarah Chen'],
    to: [me],
    says: 'Please wire the money, my number is +14155550111.',
    claims: [],
  },
  { id: 'i2', channel: 'gmail', trust: 'untrusted', from: ['impostor-2', 'mom@phish.example', 'Mom'], to: [me], says: 'I lost my phone.' },
  {
    id: 'i3',
    channel: 'gmail',
    trust: 'untrusted',
    from: ['impostor-3', 'tyler-brooks@mail.example', 'Tyler Brooks'],
    to: [me],
    says: 'Tyler Brooks has a new mail address, tyler-brooks@mail.example.',
    names: [['impostor-3', 'Tyler Brooks']],
    claims: [['Tyler Brooks', 'HAS_EMAIL', 'tyler@anthropic.example']],
  },
  { id: 'i4', channel: 'gmail', trust: 'untrusted', from: ['impostor-4', 'me@h0me.example', 'Me'], to: [me], says: 'Mail from yourself.' },
  { id: 'i5', channel: 'imessage', trust: 'untrusted', from: ['impostor-5', '+14155559999', 'Mom'], to: [mePhone], says: 'hi this is mom' },
  {
    id: 'i6',
    channel: 'gmail',
    trust: 'untrusted',
    from: ['impostor-6', 'ceo@evil.example', 'Michael Brown'],
    to: [meWork],
    says: 'I am Michael Brown, also michael.brown@acme.example.',
    names: [['impostor-6', 'Michael Brown']],
    claims: [['Michael Brown', 'HAS_EMAIL', 'michael.brown@acme.example']],
  },
  // Shared mailboxes and numbers, roles and lists.
  {
    id: 'b1',
    channel: 'gmail',
    trust: 'contact',
    from: ['box-family', 'family@ortega.example', 'Linda Ortega'],
    to: [me],
    says: 'Love, Mom',
  },
  {
    id: 'b2',
    channel: 'gmail',
    trust: 'contact',
    from: ['box-family', 'family@ortega.example', 'Ramon Ortega'],
    to: [me],
    says: 'Love, Dad',
  },
  { id: 'b3', channel: 'imessage', trust: 'contact', from: ['box-family', '+14155550114', 'Home'], to: [mePhone], says: 'call us' },
  {
    id: 'b4',
    channel: 'gmail',
    trust: 'contact',
    from: ['box-support', 'support@vendor.example', 'Anna from Vendor'],
    to: [me],
    says: 'Ticket 1.',
  },
  {
    id: 'b5',
    channel: 'gmail',
    trust: 'contact',
    from: ['box-support', 'support@vendor.example', 'Ben from Vendor'],
    to: [me],
    says: 'Ticket 1, again.',
  },
  {
    id: 'b6',
    channel: 'gmail',
    trust: 'contact',
    from: ['list-dev', 'dev@lists.project.example', 'Sarah Chen via dev'],
    to: [me],
    says: '[dev] patch',
  },
  {
    id: 'b7',
    channel: 'gmail',
    trust: 'contact',
    from: ['bot-calendar', 'noreply@calendar.example', 'Michael Brown'],
    to: [meWork],
    says: 'Invitation.',
  },
  { id: 'b8', channel: 'gmail', trust: 'contact', from: ['box-desk', 'desk7@hotel.example', 'Tom Reed'], to: [me], says: 'Your room.' },
  { id: 'b9', channel: 'gmail', trust: 'contact', from: ['box-desk', 'desk7@hotel.example', 'Nina Falk'], to: [me], says: 'Your bill.' },
  {
    id: 'b10',
    channel: 'gmail',
    trust: 'contact',
    from: ['tom-reed', 'tom.reed@other.example', 'Tom Reed'],
    to: [me],
    says: 'Another Tom.',
  },
  // Headers with two addresses: one person, a shared office phone, an impostor.
  {
    id: 'a1',
    channel: 'calendar',
    trust: 'contact',
    from: ['noor', 'noor@haddad.example', 'Noor Haddad', '+971501234567'],
    to: [meWork],
    says: 'Sync',
  },
  { id: 'a2', channel: 'imessage', trust: 'contact', from: ['noor', '+971501234567', null], to: [mePhone], says: 'salam' },
  { id: 'a3', channel: 'imessage', trust: 'contact', from: ['noor', '+971501234567', 'Noor'], to: [mePhone], says: 'ok' },
  {
    id: 'a4',
    channel: 'calendar',
    trust: 'contact',
    from: ['ana-ruiz', 'ana@firm.example', 'Ana Ruiz', '+34911234567'],
    to: [meWork],
    says: 'Deal',
  },
  {
    id: 'a5',
    channel: 'calendar',
    trust: 'contact',
    from: ['bo-lund', 'bo@firm.example', 'Bo Lund', '+34911234567'],
    to: [meWork],
    says: 'Deal 2',
  },
  { id: 'a6', channel: 'imessage', trust: 'contact', from: ['firm-desk', '+34911234567', null], to: [mePhone], says: 'your parcel' },
  {
    id: 'a7',
    channel: 'calendar',
    trust: 'contact',
    from: ['sarah-vogel', 'vogel@bank.example', 'Sarah Vogel', '+41441234567'],
    to: [meWork],
    says: 'Loan',
  },
  {
    id: 'a8',
    channel: 'calendar',
    trust: 'contact',
    from: ['sarah-frei', 'frei@bank.example', 'Sarah Frei', '+41441234567'],
    to: [meWork],
    says: 'Loan 2',
  },
  {
    id: 'a9',
    channel: 'calendar',
    trust: 'untrusted',
    from: ['impostor-7', 'noor@hadad.example', 'Noor Haddad', '+971501234567'],
    to: [meWork],
    says: 'Urgent',
  },
  {
    id: 'a10',
    channel: 'gmail',
    trust: 'contact',
    from: ['kofi', 'kofi@agency.example', 'Kofi Mensah', 'office@agency.example'],
    to: [me],
    says: 'Offer',
  },
  {
    id: 'a11',
    channel: 'gmail',
    trust: 'contact',
    from: ['box-office', 'office@agency.example', 'Kofi Mensah'],
    to: [me],
    says: 'Offer, again',
  },
  {
    id: 'a12',
    channel: 'calendar',
    trust: 'contact',
    from: ['ruth-adler', 'ruth@adler.example', 'Ruth Adler', 'r.adler@uni.example'],
    to: [me],
    says: 'Tea',
  },
  {
    id: 'a13',
    channel: 'gmail',
    trust: 'contact',
    from: ['ruth-adler', 'r.adler@uni.example', 'Prof. Ruth Adler'],
    to: [me],
    says: 'Office hours',
  },
  // A married name, at the old and a new address.
  {
    id: 'w1',
    channel: 'gmail',
    trust: 'contact',
    from: ['hannah-berg', 'hannah@berg.example', 'Hannah Berg'],
    to: [me],
    says: 'We got engaged.',
  },
  {
    id: 'w2',
    channel: 'gmail',
    trust: 'contact',
    from: ['hannah-berg', 'hannah@berg.example', 'Hannah Lindqvist'],
    to: [me],
    says: 'New name.',
  },
  {
    id: 'w3',
    channel: 'gmail',
    trust: 'contact',
    from: ['hannah-berg', 'hannah@lindqvist.example', 'Hannah Lindqvist'],
    to: [me],
    says: 'New address.',
  },
  {
    id: 'x1',
    channel: 'gmail',
    trust: 'contact',
    from: ['michael-brown', 'michael.brown@acme.example', 'Michael Brown'],
    to: [meWork],
    says: 'Review done.',
  },
  { id: 'x2', channel: 'imessage', trust: 'contact', from: ['michael-brown', '+14155550113', 'Mike'], to: [mePhone], says: 'beer?' },
  {
    id: 'x3',
    channel: 'gmail',
    trust: 'owner',
    from: meWork,
    to: [['michael-brown', 'michael.brown@acme.example', 'Michael Brown']],
    says: 'Mike from legal will join.',
    names: [['mike-legal', 'Mike']],
  },
  { id: 'x4', channel: 'gmail', trust: 'contact', from: ['priya', 'priya@studio.example', 'Priya Natarajan'], to: [meWork], says: 'Logo.' },
  { id: 'x5', channel: 'imessage', trust: 'contact', from: ['priya', '+919820012345', 'Priya'], to: [mePhone], says: 'new logo' },
  {
    id: 'x6',
    channel: 'calendar',
    trust: 'contact',
    from: ['priya', 'PRIYA@studio.example', 'Natarajan, Priya'],
    to: [meWork],
    says: 'Logo review',
  },
  { id: 'x7', channel: 'claude-code', trust: 'owner', says: 'Priya Natarajan designed it.', names: [['priya', 'Priya Natarajan']] },
  { id: 'x8', channel: 'claude-code', trust: 'owner', says: 'Anna Smith is the new CFO.', names: [['anna-smith', 'Anna Smith']] },
  { id: 'x9', channel: 'claude-code', trust: 'owner', says: 'Ask Anna Smith about it.', names: [['anna-smith', 'Anna Smith']] },
  {
    id: 'x10',
    channel: 'imessage',
    trust: 'contact',
    from: ['dev-patel', '+14155550121', 'Dev Patel'],
    to: [mePhone],
    says: 'Anna Smith hired me',
    names: [['anna-smith', 'Anna Smith']],
  },
  {
    id: 'x11',
    channel: 'claude-code',
    trust: 'owner',
    says: 'His mail is dev@patel.example, he is Dev Patel.',
    names: [['dev-patel', 'Dev Patel']],
    claims: [['Dev Patel', 'HAS_EMAIL', 'dev@patel.example']],
  },
  { id: 'x12', channel: 'gmail', trust: 'contact', from: ['dev-patel', 'dev@patel.example', 'Dev Patel'], to: [me], says: 'Slides.' },
  // Two people with one first name: a name alone cannot tell them apart.
  { id: 'h1', channel: 'claude-code', trust: 'owner', says: 'Jonas broke the build again.', names: [['jonas-work', 'Jonas']] },
  { id: 'h2', channel: 'claude-code', trust: 'owner', says: 'Buy Jonas a birthday cake.', names: [['jonas-nephew', 'Jonas']] },
]

export const TUNED: LabelledSet = { cards: CARDS, conversations: CONVERSATIONS }
