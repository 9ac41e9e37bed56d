import { describe, expect, it } from 'vitest'
import type { EditHunk } from '../../ledgers/deeds/edits.ts'
import { Attributor, type EditEvent, KeyedVersion, type LineBounds } from './attribute.ts'

const hunk = (old: string, fresh: string, more: Partial<EditHunk> = {}): EditHunk => ({
  ...{ old: old === '' ? [] : old.split('\n'), new: fresh.split('\n'), before: [], after: [], isWholeLines: old === '' },
  ...more,
})
const event = (session: string, at: number, ...hunks: EditHunk[]): EditEvent => ({ id: `${session}${at}`, session, tree: '/r', at, hunks })
const free: LineBounds = { until: undefined, since: undefined, previous: undefined, sessions: new Set(), trees: new Set() }
const who = (events: EditEvent[], file: string, line: number, bounds: Partial<LineBounds> = {}) => {
  const found = new Attributor(events).of(new KeyedVersion(file.split('\n')), line - 1, { ...free, ...bounds })
  return found.kind === 'edit' ? found.event.session : found.kind === 'unknown' ? found.reason : 'none'
}

const FILE = 'function alpha() {\n  return computeAlpha()\n}\nfunction beta() {\n  return computeBeta()\n}'

describe('one session', () => {
  it('wrote what its edit added, not what stood there before', () => {
    const events = [event('a', 1, hunk('function alpha() {', 'function alpha() {\n  return computeAlpha()'))]
    expect(who(events, FILE, 2)).toBe('a')
    expect(who(events, FILE, 1)).toBe('none')
    expect(who(events, FILE, 5)).toBe('none')
  })

  it('wrote a part of a line', () => {
    expect(who([event('a', 1, hunk('return computeOld()', 'return computeAlpha()'))], FILE, 2)).toBe('a')
  })

  it('did not write what was committed before its edit, or what it took out again', () => {
    const added = event('a', 10, hunk('function alpha() {', 'function alpha() {\n  return computeAlpha()'))
    expect(who([added], FILE, 2, { until: 5 })).toBe('later')
    const removed = event('b', 20, hunk('function alpha() {\n  return computeAlpha()', 'function alpha() {'))
    expect(who([added, removed], FILE, 2)).toBe('replaced')
    expect(who([added, removed], FILE, 2, { until: 15 })).toBe('a')
    expect(who([added], FILE, 2, { since: 15 })).toBe('replaced')
  })

  it('does not own a brace by its text', () => {
    expect(who([event('a', 1, hunk('x', 'function gamma() {\n  return computeGamma()\n}', { isWholeLines: true }))], FILE, 3)).toBe(
      'trivial',
    )
  })
})

describe('several sessions', () => {
  const fresh = 'function alpha() {\n  return computeAlpha()'
  it('in one working tree: the last one', () => {
    expect(who([event('a', 1, hunk('function alpha() {', fresh)), event('b', 2, hunk('function alpha() {', fresh))], FILE, 2)).toBe('b')
  })

  it('in two: unknown, unless one made the commit', () => {
    const events = [event('a', 1, hunk('function alpha() {', fresh)), { ...event('b', 2, hunk('function alpha() {', fresh)), tree: '/s' }]
    expect(who(events, FILE, 2)).toBe('ambiguous')
    expect(who(events, FILE, 2, { sessions: new Set(['b']), trees: new Set(['/s']) })).toBe('b')
  })

  it('the same text elsewhere does not take the line away', () => {
    const whole = event('a', 1, hunk('', FILE))
    const elsewhere = event('b', 2, hunk('function omega() {\n}', 'function omega() {\n  return computeAlpha()\n}'))
    expect(who([whole, elsewhere], FILE, 2)).not.toBe('b')
  })
})
