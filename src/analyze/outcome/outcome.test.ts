import { expect, it } from 'vitest'
import { answered, asked, bash, call, outcomeFrom } from '../../../test/helpers/outcome.ts'
import { withoutLeadIn } from './lead-in.ts'
import { turnLabel, turnSummary } from './turn-words.ts'

const commits = (...pieces: Parameters<typeof outcomeFrom>[0]) => outcomeFrom(pieces).commits.map(({ text }) => text)

it('a commit counts where git made it, by the subject that it was given', () => {
  const heredoc = `git add -A && git commit -m "$(cat <<'EOF'\nClamp the write gate\n\nIt dropped rows.\nEOF\n)"`
  expect(commits(bash(heredoc, '[main 1a2b3c4] Clamp the write gate'))).toEqual(['Clamp the write gate'])
  expect(commits(bash('git commit -F notes.txt', '[fix/gate 1a2b3c4] From a file'))).toEqual(['From a file'])
  expect(commits(bash('git -C web commit -qm "Quiet one"'))).toEqual(['Quiet one'])
  const failed = { ...bash('git commit -m "Refused by a hook"', 'Exit code 1\nhook failed'), status: 'error' }
  expect(commits(failed)).toEqual([])
  expect(commits(bash('grep -n "git commit -m" notes.md'))).toEqual([])
})

it('an amended commit replaces the one before; one in a scratch repository is nobody’s work', () => {
  expect(commits(bash('git commit -m "First try"'), bash('git commit --amend -m "Second try"'))).toEqual(['Second try'])
  expect(commits(bash('cd /tmp/x && git init && git add . && git commit -m "Try the hooks out"'))).toEqual([])
})

it('pull requests, issues and merges are known by commands and by tools of any server', () => {
  const outcome = outcomeFrom([
    bash('gh pr create --draft --title "Clamp the gate" --body "x"', 'https://github.com/a/b/pull/12'),
    bash('gh pr merge 12 --squash'),
    call('mcp__github__create_pull_request', { title: 'Add tides', head: 'x' }, { content: 'https://github.com/a/b/pull/13' }),
    call('mcp__linear-server__create_issue', { title: 'Rows are lost' }),
    bash('git rebase origin/main'),
    bash('git merge --abort'),
  ])
  expect(outcome.pulls).toMatchObject([
    { action: 'opened', number: '#12', text: 'Clamp the gate' },
    { action: 'merged', number: '#12' },
    { action: 'opened', number: '#13', text: 'Add tides' },
  ])
  expect(outcome.issues.map(({ text }) => text)).toEqual(['Rows are lost'])
  expect(outcome.merges.map(({ text }) => text)).toEqual(['rebased onto origin/main'])
})

const todosOf = (...pieces: Parameters<typeof outcomeFrom>[0]) => outcomeFrom(pieces).todos.map(({ text, status }) => `${status}: ${text}`)

it.each([
  [
    'TodoWrite',
    {
      todos: [
        { content: 'Move rows', status: 'in_progress' },
        { content: 'Drop table', status: 'completed' },
      ],
    },
  ],
  [
    'update_plan',
    {
      plan: [
        { step: 'Move rows', status: 'pending' },
        { step: 'Drop table', status: 'completed' },
      ],
    },
  ],
  [
    'write_todos',
    {
      todos: [
        { description: 'Move rows', status: 'pending' },
        { description: 'Drop table', status: 'cancelled' },
      ],
    },
  ],
  [
    'todo_write',
    {
      merge: false,
      todos: [
        { id: '1', content: 'Move rows', status: 'pending' },
        { id: '2', content: 'Drop table', done: true },
      ],
    },
  ],
])('the list of %s says what is open', (tool, params) => {
  expect(todosOf(call(tool, params))).toEqual(['open: Move rows', 'done: Drop table'])
})

it('a list that is kept call by call ends as the last call says', () => {
  expect(
    todosOf(
      call('TaskCreate', { subject: 'Move rows' }, { content: 'Task #7 created successfully: Move rows' }),
      call('TaskCreate', { subject: 'Drop table' }, { content: 'Task #8 created successfully: Drop table' }),
      call('TaskUpdate', { taskId: '7', status: 'completed' }),
      call('TaskUpdate', { taskId: '8', status: 'in_progress' }),
    ),
  ).toEqual(['done: Move rows', 'open: Drop table'])
  const todo = (merge: boolean) => call('todo_write', { merge, todos: [{ id: '2', content: 'Drop table', status: 'completed' }] })
  const first = call('todo_write', {
    todos: [
      { id: '1', content: 'Move rows', status: 'pending' },
      { id: '2', content: 'Drop table', status: 'pending' },
    ],
  })
  expect(todosOf(first, todo(true))).toEqual(['open: Move rows', 'done: Drop table'])
  expect(todosOf(first, todo(false))).toEqual(['done: Drop table'])
})

it('tests that were red and are green were mended; the last run counts', () => {
  const run = (output: string) => bash('go test ./...', output)
  expect(outcomeFrom([run('--- FAIL: TestGate'), run('ok  gate 0.1s')]).tests).toMatchObject({ state: 'green', mended: true })
  expect(outcomeFrom([run('ok  gate 0.1s'), run('--- FAIL: TestGate')]).tests).toMatchObject({ state: 'red', mended: false })
  expect(outcomeFrom([bash('ls')]).tests).toBeUndefined()
})

it.each([
  'Right.',
  'Pushed.',
  'No worries.',
  'Great catch!',
  'Hello there!',
  'Verdict: APPROVE ✓',
  '**Verdict: Approved with minor suggestions**',
  'All tests pass and lint is clean.',
  'Let me check how the queue is read.',
  "I'm running the diagnostics of the queue.",
  'Would you like me to open a pull request for the queue?',
  'Base directory for this skill: /home/ada/.skills/review',
])('%j is no report', (text) => {
  expect(outcomeFrom([answered(text)]).reports.filter(({ tells }) => tells)).toEqual([])
})

it('of an answer the lines that tell something are taken, from their place in it', () => {
  const text = "Done!\n\n## Summary\n\nI've fixed it.\n\n- I've moved the clamp of the gate in front of the queue.\n\nAnything else?"
  const [report] = outcomeFrom([answered(text)]).reports
  expect(report).toMatchObject({ tells: true, text: "I've moved the clamp of the gate in front of the queue." })
  expect(text.slice(report?.source.start, report?.source.end)).toContain("I've moved the clamp of the gate in front of the queue.")
})

it.each([
  ['Can you please fix the write gate of the queue', 'fix the write gate of the queue'],
  ['I got this feedback, let me know what you think: the default case repeats the first one', 'the default case repeats the first one'],
  ['Rename src/gate.ts: it clamps nothing any more', 'Rename src/gate.ts: it clamps nothing any more'],
  ['please', 'please'],
])('%j asks for %j', (request, wanted) => {
  expect(withoutLeadIn(request)).toBe(wanted)
})

it('a turn is labelled by what it made, else by what it was asked, and told in at most three sentences', () => {
  const made = outcomeFrom([
    asked('Fix the write gate, it drops rows'),
    bash('git commit -m "Clamp the write gate"'),
    answered("I've clamped the write gate in gate.ts."),
  ])
  expect(turnLabel(made)?.text).toBe('Clamp the write gate')
  expect(turnSummary(made)?.text).toBe(
    "Asked: “Fix the write gate, it drops rows”. Committed “Clamp the write gate”. Reported: “I've clamped the write gate in gate.ts”.",
  )
  expect(turnSummary(made)?.from).toHaveLength(3)
  const talked = outcomeFrom([asked('Why does the queue stall on Mondays?'), answered('Right.')])
  expect(turnLabel(talked)?.text).toBe('Why does the queue stall on Mondays?')
  expect(turnLabel(outcomeFrom([asked('yes'), answered('Pushed.')]))).toBeUndefined()
  expect(turnSummary(outcomeFrom([asked('yes'), answered('Pushed.')]))).toBeUndefined()
})
