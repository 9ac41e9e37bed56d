/** Decisions and rules in a pasted document are not the owner's. */
import { expect, it } from 'vitest'
import { isCopied, isOwnRule } from './plain-words.ts'

const DECISION = 'We decided to use sqlite for the database.'
const RULE = 'Always run the linter before pushing.'

it.each([
  ['a document with headings', `Here is the README:\n\n# Tool\n\nIt stores notes.\n\n${DECISION}`],
  ['a heading that is underlined', `Contributing\n============\n\n${DECISION}`],
  ['a diff', `diff --git a/x b/x\n+${DECISION}`],
  ['a line of a diff alone', `what is this?\n+${DECISION}`],
  ['an article', `Best practices\n\nBy Eve Smith · 5 min read\n\nQuality matters. ${DECISION}`],
  ['a record with fields', `Status: accepted\nDeciders: the platform team\n${DECISION}`],
  ['who is quoted stands behind', `${DECISION} — Eve, CTO`],
])('a decision in %s is copied', (_, text) => expect(isCopied(text, text.indexOf(DECISION))).toBe(true))

it.each([`${RULE} — Eve, CTO`, `${RULE} (by Eve Smith)`, `${RULE} ~ Eve`])('%s is no rule of the owner', (text) =>
  expect(isOwnRule(text, 0)).toBe(false),
)

it.each([DECISION, `I looked at it.\n- ${DECISION}`, `By the way, ${DECISION}`, `${DECISION} Thanks!`])('%s is the owner’s', (text) =>
  expect(isCopied(text, text.indexOf(DECISION))).toBe(false),
)

it('a rule with a dash inside stays the owner’s', () => expect(isOwnRule('Always run the linter - it is quick.', 0)).toBe(true))
