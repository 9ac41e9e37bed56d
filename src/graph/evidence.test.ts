import { expect, it, test } from 'vitest'
import { contestedIn, evidenceBetween, type Profile, type ProfileAlias } from './evidence.ts'
import { nameAgreement } from './name-agreement.ts'
import { isRoleAddress } from './shared-address.ts'

const alias = (type: string, normalized: string, more: Partial<ProfileAlias> = {}): ProfileAlias => ({
  ...{ type, normalized, givenBy: 'header', untrusted: false },
  ...more,
})
const person = (id: string, aliases: readonly ProfileAlias[], more: Partial<Profile> = {}): Profile => ({
  ...{ id, agentId: 'main', type: 'person', key: `email:${id}`, aliases, cards: new Set<string>() },
  ...more,
})
const between = (a: Profile, b: Profile) => evidenceBetween(a, b, contestedIn([a, b]))

const PHONE = alias('phone', '+14155550111')

it('a number that programs wrote on both sides is eligible; a claim in a text is not', () => {
  const [a, b] = [person('a', [PHONE, alias('name', 'sarah chen')]), person('b', [PHONE, alias('name', 'sarah')])]
  expect(between(a, b)).toMatchObject({ autoEligible: true, sure: false })
  const claimed = person('b', [{ ...PHONE, givenBy: 'text' }, alias('name', 'sarah')])
  expect(between(a, claimed)).toMatchObject({ autoEligible: false })
})

it('nothing that untrusted mail says counts: neither its header nor its name', () => {
  const a = person('a', [PHONE, alias('name', 'sarah chen')])
  const impostor = person('b', [
    { ...PHONE, untrusted: true },
    { ...alias('name', 'sarah chen'), untrusted: true },
  ])
  expect(between(a, impostor)).toBeUndefined()
})

it('roles, shared boxes and other types or memories give no evidence', () => {
  const box = alias('email', 'support@vendor.example')
  expect(between(person('a', [box]), person('b', [box]))).toBeUndefined()
  const two = person('a', [PHONE, alias('name', 'tom reed'), alias('name', 'nina falk')])
  expect(between(two, person('b', [PHONE]))).toBeUndefined()
  expect(between(person('a', [PHONE]), person('b', [PHONE], { type: 'company' }))).toBeUndefined()
  expect(between(person('a', [PHONE]), person('b', [PHONE], { agentId: 'other' }))).toBeUndefined()
})

it('the address book is sure; the same name at another address is a proposal', () => {
  const card = { cards: new Set(['one']) }
  expect(between(person('a', [], card), person('b', [], card))).toMatchObject({ sure: true })
  const named = (id: string) => person(id, [alias('name', 'sarah chen'), alias('email', `${id}@example.com`)])
  expect(between(named('a'), named('b'))).toMatchObject({ sure: false, autoEligible: false, confidence: 0.6 })
})

test.each([
  ['sarah chen', 'sarah chen', 'same name'],
  ['bob hale', 'robert hale', 'nickname'],
  ['bert hale', 'albert hale', 'nickname'],
  ['albert hale', 'robert hale', undefined],
  ['s chen', 'sarah chen', 'initials'],
  ['sarah j chen', 'sarah chen', 'middle name'],
  ['sarah anne chen', 'sarah marie chen', undefined],
  ['chen sarah', 'sarah chen', 'order of names'],
  ['sarah', 'sarah chen', 'first name'],
  ['sarah chen', 'sarah kim', undefined],
  ['agent 007', 'agent 008', undefined],
  ['jsmith1', 'jsmith2', undefined],
])('%s and %s: %s', (a, b, agreement) => {
  expect(nameAgreement(a, b)).toBe(agreement)
  expect(nameAgreement(b, a)).toBe(agreement)
})

test.each([
  ['info@acme.example', true],
  ['no-reply@acme.example', true],
  ['dev@lists.project.example', true],
  ['team-announce@acme.example', true],
  ['desk7@hotel.example', true],
  ['sarah.chen@acme.example', false],
  ['infosarah@acme.example', false],
])('%s is of a role or list: %s', (address, expected) => expect(isRoleAddress(address)).toBe(expected))

it('two files of one name are two, unless one path is the end of the other', () => {
  const file = (id: string, path: string) => person(id, [alias('name', 'settings json'), alias('path', path)], { type: 'document' })
  expect(between(file('a', '.entire/settings.json'), file('b', '.claude/settings.json'))).toBeUndefined()
  expect(between(file('a', 'src/settings.json'), file('b', '/home/ada/tides/src/settings.json'))).toMatchObject({ confidence: 0.6 })
})
