import { expect, it } from 'vitest'
import { type Stated, statedAs } from './stated-as.ts'

const words = (stated: Partial<Stated>) => statedAs({ text: '', rule: null, about: null, ...stated }, (text) => `“${text}”`)

it('an option is told with what it stands for', () => {
  const about = 'Keep the lantern in the boat house?'
  expect(words({ text: "let's do 1", rule: 'rules:option', about })).toBe('Chose “Keep the lantern in the boat house”')
  const text = 'I think A is fine, and let us paint it green.'
  expect(words({ text, rule: 'rules:option', about })).toBe(`Chose “Keep the lantern in the boat house”: “${text}”`)
})

it('a yes and a no are told with what was asked', () => {
  const about = 'Want me to move `the lock` to the pier?'
  expect(words({ text: 'yes', rule: 'rules:agreed', about })).toBe('Agreed to “move `the lock` to the pier”')
  expect(words({ text: 'no, leave it', rule: 'rules:refused', about })).toBe('Refused to “move `the lock` to the pier”')
  const whole = 'It costs a day. Want me to do that?'
  expect(words({ text: 'yes', rule: 'rules:agreed', about: whole })).toBe('Agreed: “It costs a day.”')
  const other = 'Keep the lantern lit by a timer. Want me to move `the switch` there?'
  expect(words({ text: 'yes', rule: 'rules:agreed', about: other })).toBe(
    'Agreed to “move `the switch` there”: “Keep the lantern lit by a timer.”',
  )
  const unended = 'Light the pier from the boat house Would you like me to implement this approach?'
  expect(words({ text: 'yes', rule: 'rules:agreed', about: unended })).toBe('Agreed: “Light the pier from the boat house”')
  expect(words({ text: 'no, leave it', rule: 'rules:refused', about: unended })).toBe('Refused: “Light the pier from the boat house”')
  expect(words({ text: 'yes', rule: 'rules:agreed', about: 'Does the pier sound right?' })).toBe('Agreed to “Does the pier sound right?”')
})

it('a question of a harness reads as question and answer', () => {
  const about = 'Where does the lantern go?'
  const text = `"${about}"="The pier (Recommended)"`
  expect(words({ text, rule: 'rules:chosen', about })).toBe('“Where does the lantern go?” “The pier”')
  expect(words({ text: 'The pier', rule: 'rules:chosen', about })).toBe('“Where does the lantern go?” “The pier”')
})

it('a plan is told to be approved, and one with a bare name by its first sentence too', () => {
  const about = 'The lantern is lit by hand every night. It should light itself.'
  const title = 'Light the lantern at dusk by a timer'
  expect(words({ text: title, rule: 'rules:plan approved', about })).toBe(`Plan approved: “${title}”`)
  expect(words({ text: 'Lantern timer', rule: 'rules:plan approved', about })).toBe(
    'Plan approved: “Lantern timer”: “The lantern is lit by hand every night.”',
  )
  const told = 'User has approved your plan. You can now start coding.'
  expect(words({ text: told, rule: 'rules:plan approved', about: `${title}. ${about}` })).toBe(`Plan approved: “${title}”`)
})

it('what says itself what it is about stays as it is', () => {
  expect(words({ text: 'We keep SQLite.', rule: 'rules:lets' })).toBeUndefined()
  const text = `Yes, and ${'the lantern stays where it is, '.repeat(3)}for good.`
  expect(words({ text, rule: 'rules:agreed', about: 'Want me to move it?' })).toBeUndefined()
})
