import { expect, it } from 'vitest'
import { firstHit } from './first-hit.ts'
import type { Mnemonic } from './mnemonic.ts'

interface Said {
  readonly words: string
  readonly text?: string
  readonly subject: readonly string[]
  readonly trust?: string
}

function remembering(...said: readonly Said[]): Pick<Mnemonic, 'decisions' | 'sessions'> {
  const lines = said.map(({ words, text = words, subject, trust = 'owner' }, i) => ({
    holds: [{ words, text, subject, trust, cite: `s${i}:1`, decided_at: '2026-03-01T00:00:00Z', project: 'lantern' }],
  }))
  const sessions = [{ id: 'abc', title: 'Export', is_subagent: false, project_name: 'lantern', last_message_at: '2026-03-02T00:00:00Z' }]
  return { decisions: async () => ({ lines }), sessions: async () => sessions } as never
}

const POINTING: Said = { words: 'Sure, but the exporter should do that by itself, not you.', subject: ['exporter'] }

it('is what can be read alone, rather than the newest words of the middle of a talk', async () => {
  const proposal = {
    words: 'Agreed to “Change `retryLimits` from a constant to a function of the queue”',
    text: 'do it',
    subject: ['retrylimits', 'queue'],
  }
  expect(await firstHit(remembering(POINTING, proposal), undefined)).toMatchObject({
    kind: 'decision',
    question: 'What did we decide about retryLimits?',
    answer: proposal.words,
    cite: 's1:1',
    command: 'mnemonic decisions "retryLimits"',
  })
  const whole = { words: 'Invoices are exported at two in the morning.', subject: ['invoices', 'exported'] }
  expect((await firstHit(remembering(POINTING, whole), undefined))?.question).toBe('What did we decide about Invoices exported?')
  expect((await firstHit(remembering(POINTING), undefined))?.cite).toBe('s0:1')
})

it('is a question that an agent asked, with the owner’s answer', async () => {
  const asked = { words: '“Should the lock be a part of this work, or come later?” “Include it”', subject: ['lock'] }
  expect(await firstHit(remembering(POINTING, asked), undefined)).toMatchObject({
    question: 'Should the lock be a part of this work, or come later?',
    answer: 'Include it',
    command: 'mnemonic decisions "lock"',
  })
})

it('is the owner’s before an agent’s; without a decision, the newest session', async () => {
  const agent = { words: 'We chose to ignore generated files from now on.', subject: ['ignore'], trust: 'agent' }
  expect((await firstHit(remembering(agent, POINTING), undefined))?.cite).toBe('s1:1')
  expect((await firstHit(remembering(agent), undefined))?.cite).toBe('s0:1')
  expect(await firstHit(remembering(), undefined)).toMatchObject({ kind: 'session', question: 'Where did I leave off in lantern?' })
})
