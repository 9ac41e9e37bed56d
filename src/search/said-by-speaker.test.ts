import { expect, it } from 'vitest'
import { excerptOf } from './excerpt.ts'
import { saidBySpeaker } from './said-by-speaker.ts'

const MAIL = 'Sarah Chen: Hi Jason,\n\ncan we launch on Tuesday?\n\nSarah\n\nJason Wu: Agreed: we launch at nine.\n\nThe switch stays off.'
const SPEAKERS = ['Sarah Chen', 'Jason Wu']

it('each speaker has their own words, without the name below a mail', () => {
  expect(saidBySpeaker([{ label: '', text: MAIL }], SPEAKERS)).toEqual([
    { label: 'Sarah Chen: ', text: 'Hi Jason,\n\ncan we launch on Tuesday?\n' },
    { label: 'Jason Wu: ', text: 'Agreed: we launch at nine.\n\nThe switch stays off.' },
  ])
})

it('an excerpt from the middle of what somebody says names them', () => {
  expect(excerptOf(saidBySpeaker([{ label: '', text: MAIL }], SPEAKERS), [{ words: ['switch'], weight: 1 }], 12)).toMatch(/^Jason Wu: /)
})

it('a line that only looks like a label, and a text before the first one, stay as they are', () => {
  const said = saidBySpeaker([{ label: '', text: 'it went on\nNote: not a name\nJason Wu: Fine.' }], SPEAKERS)
  expect(said).toEqual([
    { label: '', text: 'it went on\nNote: not a name' },
    { label: 'Jason Wu: ', text: 'Fine.' },
  ])
})
