import { expect, it } from 'vitest'
import { linesUnder, parseCitation } from './memory-citation.ts'

it.each([
  ['docs/a.md#L3-L9', { path: 'docs/a.md', from: 3, to: 9 }],
  ['[[docs/a.md]]', { path: 'docs/a.md' }],
  ['[[docs/a.md#Release notes|here]]', { path: 'docs/a.md', heading: 'Release notes' }],
  ['[[docs/a.md#Plan#Second]]', { path: 'docs/a.md', heading: 'Plan#Second' }],
  ['[[c#-notes]]', { path: 'c#-notes' }],
  ['docs/a.md#Release notes', { path: 'docs/a.md#Release notes' }],
])('%s', (text, cited) => expect(parseCitation(text)).toEqual(cited))

const TEXT = [
  '# Plan',
  '',
  '## First **step**',
  'one',
  '```',
  '## Second',
  '```',
  '### Detail',
  'deep',
  '## Second',
  'two',
  '# After',
  'end',
].join('\n')

it.each([
  ['First step', { from: 3, to: 9 }],
  ['first-step', { from: 3, to: 9 }],
  ['Second', { from: 10, to: 11 }],
  ['Plan#Second', { from: 10, to: 11 }],
  ['Plan', { from: 1, to: 11 }],
  ['After', { from: 12, to: 13 }],
  ['Third', undefined],
])('the part under %s', (heading, lines) => expect(linesUnder(TEXT, heading)).toEqual(lines))
