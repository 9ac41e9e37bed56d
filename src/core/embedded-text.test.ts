import { expect, it } from 'vitest'
import { embeddedText } from './chunk-text.ts'

const meeting = (day: string) => ({
  context: `[Conversation of ${day} at 9:00 AM UTC]\n[Participants: Sarah Chen]\n[Context: Standup]`,
  content: `Meeting: Standup\nWhen: ${day}, 09:00 – 09:15 UTC\nWhere: Room Fitzroy`,
})

it('all occurrences of a meeting have one text', () => {
  const text = embeddedText(meeting('October 12, 2026'))
  expect(text).toBe('[Participants: Sarah Chen]\n[Context: Standup]\n\nMeeting: Standup\nWhere: Room Fitzroy')
  expect(embeddedText(meeting('October 13, 2026'))).toBe(text)
})

it('what was said keeps its time', () => {
  const said = { context: '[Session from October 12, 2026 at 9:00 AM UTC]', content: 'Meeting: is it\nWhen: now?' }
  expect(embeddedText(said)).toBe(`${said.context}\n\n${said.content}`)
})
