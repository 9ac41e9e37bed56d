/**
 * People with one first name in the owner's texts. Written by the author of the rules: shows that they hold, not how they generalize. A
 * bare name has the label a reader would choose.
 */
import type { LabelledConversation, LabelledSet, Who } from './identity-set.ts'

let number = 0
function said(says: string, ...names: readonly (readonly [label: string, name: string])[]): LabelledConversation {
  return { id: `ta-${++number}`, channel: 'claude-code', trust: 'owner', says, names, byRules: true }
}

const me: Who = ['owner', '+14155550100', null]

const conversations: readonly LabelledConversation[] = [
  // One name, three relations; the bare name is nobody's.
  said('My sister Sarah lives in Lisbon.', ['sarah-sister', 'Sarah']),
  said('My coworker Sarah prefers tea.', ['sarah-work', 'Sarah']),
  said('My boss Sarah works at Acme.', ['sarah-boss', 'Sarah']),
  said('my older sister Sarah is moving to Porto', ['sarah-sister', 'Sarah']),
  said('Sarah, my sister, works at Oceana.', ['sarah-sister', 'Sarah']),
  said('My colleague Sarah uses Emacs.', ['sarah-work', 'Sarah']),
  said('Sarah is my boss. Sarah lives in Leeds.', ['sarah-boss', 'Sarah'], ['sarah-boss', 'Sarah']),
  said("Sarah mentioned she's moving to NYC.", ['sarah-unknown', 'Sarah']),
  said('My brother Jonas lives in Bergen. My neighbor Jonas lives in Oslo.', ['jonas-brother', 'Jonas'], ['jonas-neighbor', 'Jonas']),
  said('My brother Jonas works at Equinor now.', ['jonas-brother', 'Jonas']),
  said('My neighbour Jonas used to work at Statkraft.', ['jonas-neighbor', 'Jonas']),
  // The only one of that name: the bare name is that person.
  said('My cousin Ravi lives in Pune.', ['ravi', 'Ravi']),
  said('Ravi works at Infosys.', ['ravi', 'Ravi']),
  said('Ravi moved to Mumbai.', ['ravi', 'Ravi']),
  // One relation in several words.
  said('My girlfriend Anna lives in Graz.', ['anna', 'Anna']),
  said("My fiancée Anna's birthday is March 3.", ['anna', 'Anna']),
  said('My wife Anna works at Kastner.', ['anna', 'Anna']),
  said('I am married to Anna.', ['anna', 'Anna']),
  said('My teammate Anna prefers Rust.', ['anna-work', 'Anna']),
  // Places of work distinguish, too.
  said('Kim from Acme works at the office in Lyon.', ['kim-acme', 'Kim']),
  said('Kim from Globex lives in Berlin.', ['kim-globex', 'Kim']),
  said('Kim from Acme lives in Lyon.', ['kim-acme', 'Kim']),
  said('Kim on the billing team lives in Rome.', ['kim-billing', 'Kim']),
  // A surname outweighs a relation.
  said('My coworker Priya Nair lives in Kochi.', ['priya-nair', 'Priya Nair']),
  said('Priya Nair works at Zerodha.', ['priya-nair', 'Priya Nair']),
  said('My dentist Priya lives in Hove.', ['priya-dentist', 'Priya']),
  said('My aunt Priya lives in Bath.', ['priya-aunt', 'Priya']),
  // Two professionals are two people.
  said('My doctor Lee works at Mercy.', ['lee-doctor', 'Lee']),
  said('My teacher Lee lives in Ulsan.', ['lee-teacher', 'Lee']),
  // Relatives of others are not the owner's.
  {
    ...{ id: 'ta-friend-1', channel: 'imessage', trust: 'contact', from: ['marta', '+14155550160', 'Marta'], to: [me], byRules: true },
    ...{ says: 'My sister Sarah lives in Madrid.', names: [['sarah-of-marta', 'Sarah']] },
  },
  {
    ...{ id: 'ta-friend-2', channel: 'imessage', trust: 'contact', from: ['marta', '+14155550160', 'Marta'], to: [me], byRules: true },
    ...{ says: 'My boss Sarah lives in Vigo.', names: [['sarah-boss-of-marta', 'Sarah']] },
  },
  // The participant is not the sister of that name.
  {
    ...{ id: 'ta-chat', channel: 'imessage', trust: 'owner', from: me, to: [['sarah-chat', '+14155550161', 'Sarah']], byRules: true },
    ...{ says: 'My sister Sarah lives in Lisbon.', names: [['sarah-sister', 'Sarah']] },
  },
  // A contact for a relation of which people have one.
  { id: 'ta-dad', channel: 'imessage', trust: 'contact', from: ['dad', '+14155550162', null], to: [me], says: 'home by six' },
  said("Dad's birthday is July 9.", ['dad', 'Dad']),
]

export const TOLD_APART: LabelledSet = { cards: [['Dad', '+14155550162']], conversations }
