import { expect, it } from 'vitest'
import { countTokens } from '../../core/tokens.ts'
import { assemble } from './assemble.ts'
import type { Candidate } from './piece.ts'

const piece = (n: number, text: string): Candidate => ({
  ...{ citation: `aaaaaaaa:${n}`, kind: 'turn', date: '2026-02-01', title: null, project: null, trust: 'owner' },
  ...{ parts: [{ label: '', text }], isShort: false, why: '', key: { kind: 'turn', id: `t${n}`, part: '' } },
})
const long = (n: number) =>
  Array.from({ length: 40 }, (_, i) => `Reason ${n}.${i} why the retry queue lost a job is that the broker restarted too early.`).join(' ')

it.each([400, 1500])('two long pieces fill a budget of %i tokens, and no more', (maxTokens) => {
  const ranked = [1, 2].map((n) => ({ candidate: piece(n, long(n)), isOld: false }))
  const { text, tokens, pieces } = assemble(ranked, { sought: [{ words: ['queue'], weight: 1 }], maxTokens, project: null })
  expect(pieces).toHaveLength(2)
  expect(countTokens(text)).toBeGreaterThan(0.8 * maxTokens)
  expect(countTokens(text)).toBeLessThanOrEqual(maxTokens)
  expect(tokens).toBeLessThanOrEqual(maxTokens)
})

it('a short piece leaves its room to a long one, and is not cut for it', () => {
  const short = 'The queue stands in postgres.'
  const ranked = [piece(1, short), piece(2, long(2))].map((candidate) => ({ candidate, isOld: false }))
  const { pieces } = assemble(ranked, { sought: [{ words: ['queue'], weight: 1 }], maxTokens: 400, project: null })
  expect(pieces[0]?.text).toBe(short)
  expect(countTokens(pieces[1]?.text ?? '')).toBeGreaterThan(200)
})
