import { describe, expect, it } from 'vitest'
import { repositorySeen } from './repository-seen.ts'
import { saysSomething } from './says-something.ts'
import { callTitle } from './title-of-call.ts'
import { handedPlan, planTitle, promptTitle } from './title-of-text.ts'

const shell = (command: string) => callTitle('Bash', JSON.stringify({ command }))

it.each(['hi', '181', 'do both please', 'yes and yes', 'draft PR please', '/review', 'can you review the changes in this branch?', 'ok'])(
  '%j says nothing',
  (text) => expect(saysSomething(text)).toBe(false),
)

it.each(['fix lint errors', 'the harbour moves to port 9000', 'コードを直してください', 'address https://example.com/ada/harbor/pull/7'])(
  '%j says something',
  (text) => expect(saysSomething(text)).toBe(true),
)

describe('the title of a prompt', () => {
  it.each([
    ['❯ The harbour answers no call', 'The harbour answers no call'],
    ['hi\nthe tide tables are wrong in June', 'the tide tables are wrong in June'],
    ['2026-01-02 10:00:00 ERROR boom boom\nwhy does the lantern flicker?', 'why does the lantern flicker?'],
    ['```\npanic: x\n```\nlook at the lantern crash', 'look at the lantern crash'],
    ['This session is being continued from a previous conversation that ran out of context.', undefined],
    ['[Request interrupted by user]', undefined],
    ['Operation stopped by hook: the branch is locked', undefined],
    ['Implement the following plan:\n\n# Plan: Move the harbour', 'Plan: Move the harbour'],
    ['/compact', undefined],
  ])('%j', (prompt, title) => expect(promptTitle(prompt)).toBe(title))
})

it('a plan is called by its first heading', () => {
  expect(handedPlan('Implement the following plan:\n\n# Plan: Move the harbour\n\n## Context')).toBe('Move the harbour')
  expect(planTitle('# Harbour Lantern - Implementation Plan')).toBe('Harbour Lantern')
  expect(planTitle('no heading at all')).toBeUndefined()
  expect(callTitle('ExitPlanMode', JSON.stringify({ plan: '# Light the lantern\n' }))).toEqual({
    origin: 'plan',
    title: 'Light the lantern',
  })
})

it.each([
  [`git commit -m "Light the \\"old\\" lantern"`, 'Light the "old" lantern'],
  [`git add . && git commit -am 'Light the lantern' && git push`, 'Light the lantern'],
  [`git commit -m "$(cat <<'EOF'\nLight the lantern\n\nBecause it is dark.\nEOF\n)"`, 'Light the lantern'],
  [`git commit --message="Light the lantern"`, 'Light the lantern'],
  [`git commit -m "initial commit"`, undefined],
  [`git commit -m "$SUBJECT of it all"`, undefined],
  ['git commit --amend --no-edit', undefined],
  [`git log && grep -m 3 lantern`, undefined],
])('the subject of %j', (command, title) => expect(shell(command)?.title).toBe(title))

it('a pull request is called by its title, not by its commit', () => {
  expect(shell(`git commit -m "Fix the wick" && gh pr create --title "Light the lantern" --body "x"`)).toEqual({
    origin: 'pull_request',
    title: 'Light the lantern',
  })
})

it('a remote is seen where a command speaks of it, and not of another folder', () => {
  const push = { command: 'git push', result: JSON.stringify('To github.com:Ada/Harbor.git\n   1..2  main -> main') }
  expect(repositorySeen(push, '/home/ada/harbor')).toBe('github.com/ada/harbor')
  expect(repositorySeen({ ...push, command: 'cd /srv/tides && git push' }, '/home/ada/harbor')).toBeUndefined()
  expect(repositorySeen({ ...push, command: 'echo hello' }, '/home/ada/harbor')).toBeUndefined()
})
