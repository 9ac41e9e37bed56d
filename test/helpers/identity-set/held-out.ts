/** A second labelled set, by an author who had not read the rules; never used for tuning. All of it is fictional. */
import type { LabelledConversation, LabelledSet, Who } from './identity-set.ts'

const me: Who = ['owner', 'me@home.example', 'Me']
const meWork: Who = ['owner', 'me@work.example', 'Me at work']
const mePhone: Who = ['owner', '+14155550100', null]

const cards: LabelledSet['cards'] = [
  ['Olena Kovalenko', 'olena@plast.example', '+380671234567'],
  ['Nguyễn Văn Minh', 'minh@pho.example', '+84901234567'],
  ['Grace Okafor', 'grace.okafor@bank.example', '+2348031234567'],
  ['Dad', '+14155550190', 'robert.lindqvist@mail.example'],
  ['Dr. Ana Sousa', 'clinic@sousa.example', '+351912345678'],
  ['Front desk', 'desk@hotel.example', '+14155550195'],
]

let number = 0
const mail = (who: Who, says: string, more: Partial<LabelledConversation> = {}): LabelledConversation => ({
  ...{ id: `h${++number}`, channel: 'gmail', trust: 'contact', from: who, to: [meWork], says },
  ...more,
})
const text = (who: Who, says: string, more: Partial<LabelledConversation> = {}): LabelledConversation =>
  mail(who, says, { channel: 'imessage', to: [mePhone], ...more })
const prompt = (says: string, names: LabelledConversation['names'] = []): LabelledConversation => ({
  ...{ id: `h${++number}`, channel: 'claude-code', trust: 'owner', says, names },
})

const conversations: readonly LabelledConversation[] = [
  // One contact, several spellings.
  mail(['olena', 'olena@plast.example', 'Olena Kovalenko'], 'The camp is booked.'),
  text(['olena', '+380671234567', 'Олена'], 'вже їду'),
  mail(['olena', 'olena@plast.example', 'Олена Коваленко'], 'See the list.'),
  // The same name in Latin letters, another person.
  mail(['other-olena', 'o.kovalenko@nova.example', 'Olena Kovalenko'], 'We sell tents.', { trust: 'untrusted' }),
  // Family name first.
  mail(['minh', 'minh@pho.example', 'Nguyễn Văn Minh'], 'Menu attached.'),
  text(['minh', '+84901234567', 'Minh'], 'ok'),
  mail(['minh', 'minh@pho.example', 'Van Minh Nguyen'], 'New menu attached.'),
  mail(['other-nguyen', 'van.nguyen@import.example', 'Nguyen Van'], 'Your order is late.'),
  // Married: new name and address, same phone.
  mail(['hanna', 'hanna.berg@studio.example', 'Hanna Berg', '+4670123456'], 'I will send the sketches.'),
  mail(['hanna', 'hanna.dahl@studio.example', 'Hanna Dahl', '+4670123456'], 'New name, same me.'),
  mail(['other-dahl', 'h.dahl@office.example', 'Henrik Dahl'], 'Invoice attached.'),
  // One first name, three people.
  mail(['grace-o', 'grace.okafor@bank.example', 'Grace Okafor'], 'The transfer is done.'),
  mail(['grace-l', 'grace@yoga.example', 'Grace'], 'Class at six.'),
  text(['grace-m', '+14155550170', 'Grace'], 'hey'),
  prompt('Ask Grace Okafor whether the transfer went through.', [['grace-o', 'Grace Okafor']]),
  // Names one letter apart, addresses one digit.
  mail(['dan-1', 'dan.fox1@mail.example', 'Dan Fox'], 'first'),
  mail(['dan-2', 'dan.fox2@mail.example', 'Dan Fox'], 'second'),
  mail(['jon', 'jon.smith@firm.example', 'Jon Smith'], 'contract'),
  mail(['john', 'john.smith@firm.example', 'John Smith'], 'other contract'),
  text(['phone-a', '+14155550181', 'Kim'], 'a'),
  text(['phone-b', '+14155550182', 'Kim'], 'b'),
  // Shared mailboxes: the sender is the mailbox, whoever signs.
  mail(['box-ship', 'support@ship.example', 'Inês at Ship'], 'Your parcel left.'),
  mail(['box-ship', 'support@ship.example', 'Rui (Ship Support)'], 'Your parcel arrived.'),
  mail(['box-desk', 'desk@hotel.example', 'Maya'], 'Your room is ready.'),
  mail(['box-desk', 'desk@hotel.example', 'Luis'], 'Late check-out is fine.'),
  mail(['box-clinic', 'clinic@sousa.example', 'Dr. Ana Sousa'], 'Please come at nine.'),
  mail(['box-clinic', 'clinic@sousa.example', 'Teresa (clinic)'], 'The doctor is late.'),
  mail(['box-club', 'team@club.example', 'Piotr via team'], 'Training moved.'),
  mail(['box-club', 'team@club.example', 'Zofia via team'], 'Bring shoes.'),
  // Impostors.
  mail(['fake-grace', 'grace.okafor@bank-secure.example', 'Grace Okafor'], 'My new address, please pay here.', { trust: 'untrusted' }),
  mail(['fake-dad', 'robert.lindqvist@maiI.example', 'Robert Lindqvist'], 'I lost my phone, write to +14155550199.', {
    trust: 'untrusted',
  }),
  text(['fake-dad-2', '+14155550199', 'Dad'], 'hi it is dad, new number', { trust: 'untrusted' }),
  mail(['liar', 'press@news.example', 'News Desk'], 'Olena Kovalenko now uses o.k@evil.example.', {
    ...{ trust: 'untrusted', names: [['olena', 'Olena Kovalenko']], claims: [['Olena Kovalenko', 'HAS_EMAIL', 'o.k@evil.example']] },
  }),
  mail(['evil', 'o.k@evil.example', 'Olena K'], 'Send the money.', { trust: 'untrusted' }),
  // A parent by nickname and by legal name.
  text(['dad', '+14155550190', 'Dad'], 'call me'),
  mail(['dad', 'robert.lindqvist@mail.example', 'Robert Lindqvist'], 'Photos.', { to: [me] }),
  mail(['robert-2', 'robert@garage.example', 'Robert'], 'Your car is ready.'),
  // One handle, several spellings.
  mail(['yusuf', 'yusuf.kaya@firma.example', 'Yusuf Kaya'], 'one'),
  mail(['yusuf', 'Yusuf.Kaya@Firma.example', 'KAYA, Yusuf'], 'two'),
  mail(['yusuf', 'yusuf.kaya+lists@firma.example', 'Yusuf Kaya'], 'three'),
  // The calendar has the address, the chat the number; one header has both.
  mail(['chidi', 'chidi@uni.example', 'Chidi A.', '+2348099999999'], 'Seminar', { channel: 'calendar' }),
  text(['chidi', '+2348099999999', 'Chidi'], 'on my way'),
  mail(['other-chidi', 'chidi@shop.example', 'Chidi'], 'Your order.'),
  prompt('Remind me to thank Yusuf Kaya for the list.', [['yusuf', 'Yusuf Kaya']]),
]

export const HELD_OUT: LabelledSet = { cards, conversations }
