import { expect, it } from 'vitest'
import { statementsOf } from '../statements/by-rules.ts'
import { toldInCall } from './told-a-tool.ts'

const call = (tool: string, params: unknown, result: unknown, status = 'completed') => ({
  ...{ tool_name: tool, params_json: JSON.stringify(params), result_json: JSON.stringify(result), status },
})
function decided(one: ReturnType<typeof call>) {
  const told = toldInCall(one)
  if (told === undefined) return []
  return statementsOf({ message: 'r', by: 'person', to: 'agent', ...told }).map(({ rule, about, start, end }) => [
    rule,
    told.text.slice(start, end),
    about,
  ])
}

it('answers that a person chose, each with its question and its place in the result', () => {
  const questions = [{ question: 'Where do lamps go?' }, { question: 'Ready to push?' }, { question: 'Which colour?' }]
  const content =
    'User has answered your questions: "Where do lamps go?"="On the pier", "Ready to push?"="Yes", "Which colour?"="why not both?".'
  const answers = { 'Where do lamps go?': 'On the pier', 'Ready to push?': 'Yes', 'Which colour?': 'why not both?' }
  expect(decided(call('AskUserQuestion', { questions }, { content, toolUseResult: { answers } }))).toEqual([
    ['rules:chosen', '"Where do lamps go?"="On the pier"', 'Where do lamps go?'],
  ])
})

it('of other harnesses', () => {
  expect(decided(call('ask_followup_question', { question: 'Which store?' }, { content: '<answer>\nSQLite\n</answer>' }))).toEqual([
    ['rules:chosen', 'SQLite', 'Which store?'],
  ])
  const asked = { questions: [{ id: 'store', question: 'Which store?' }] }
  const content = JSON.stringify({ answers: { store: { answers: ['SQLite'] } } })
  expect(decided(call('request_user_input', asked, { content }))).toEqual([['rules:chosen', 'SQLite', 'Which store?']])
})

it('a plan that is approved; one that is refused is none, but what the person wants instead may be one', () => {
  const plan = '# Plan: Light the pier\n\nLamps on both sides.'
  const content = `User has approved your plan. You can now start coding.\n\n## Approved Plan:\n${plan}`
  expect(decided(call('ExitPlanMode', { plan }, { content }))).toEqual([['rules:plan approved', 'Light the pier', 'Lamps on both sides.']])
  const refused = "The user doesn't want to proceed with this tool use. The tool use was rejected."
  expect(decided(call('ExitPlanMode', { plan }, { content: refused }, 'error'))).toEqual([])
  expect(
    decided(call('ExitPlanMode', { plan }, { content: `${refused} the user said:\nwe don't need the lamps on the left` }, 'error')),
  ).toEqual([['rules:no need', "we don't need the lamps on the left", undefined]])
})

it.each([
  ['what failed', call('AskUserQuestion', { question: 'Which?' }, { content: '<answer>x</answer>' }, 'error')],
  ['a result that is empty', call('AskUserQuestion', { question: 'Which?' }, { content: '' })],
  ['odd parameters', call('AskUserQuestion', [1, null], { content: 'x' })],
  ['odd results', call('AskUserQuestion', { questions: [{ question: 'Which?' }] }, { answers: 7 })],
])('%s tells nothing', (_, one) => expect(decided(one)).toEqual([]))
