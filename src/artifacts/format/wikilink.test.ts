import { expect, it } from 'vitest'
import { hostileMix, seeded } from '../../../test/helpers/hostile-text.ts'
import { parseWikilink, wikilink, wikilinksOf, workspacePathProblem } from './wikilink.ts'

const SUMMARY = 'memory/2026-03-28T22-34-06.792Z--h7k3n4p2m2x2q5r5--summary.md'

it('the links of the spec come out as they stand there', () => {
  expect(wikilink(SUMMARY)).toBe(`[[${SUMMARY}]]`)
  expect(wikilink(SUMMARY, 'summary')).toBe(`[[${SUMMARY}|summary]]`)
  expect(parseWikilink(`[[${SUMMARY}|summary]]`)).toEqual({ path: SUMMARY, label: 'summary' })
})

it.each([
  '/etc/passwd',
  '~/notes.md',
  '~ada/notes.md',
  'C:/notes.md',
  'C:notes.md',
  'memory\\x.md',
  '..',
  '../x.md',
  'memory/../../x.md',
  'memory/..',
  './x.md',
  'memory//x.md',
  'memory/',
  '',
  ' memory/x.md',
  'file:///etc/passwd',
  'a\0b',
  'x\ud800',
  'x'.repeat(2000),
])('%j is no path below the workspace root', (path) => {
  expect(() => wikilink(path)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }))
  expect(parseWikilink(`[[${path}]]`)).toBeUndefined()
})

it('a path that climbs out once decoded is refused too', () => {
  for (const target of ['%2e%2e/x.md', 'memory/%2E%2E/%2e%2e/x', '%2Fetc/passwd', 'a%5Cb', '%', '%zz'])
    expect(parseWikilink(`[[${target}]]`)).toBeUndefined()
})

it('names with pipes, brackets, line ends and headings give one link that leads back to them', () => {
  for (const name of ['a|b', 'a]]b[[c', 'a\nb', 'a#b', 'a^b', '100%', '%7C', 'a`b', '<x>', 'né 🎉.md', 'a\u2028b']) {
    const link = wikilink(`dossiers/${name}.md`, 'x')
    expect(link).toMatch(/^\[\[[^[\]|\n\r]+\|x\]\]$/)
    expect(parseWikilink(link)?.path).toBe(`dossiers/${name}.md`)
  }
})

it('no label breaks its link', () => {
  const random = seeded(2)
  for (let round = 0; round < 300; round++) {
    const label = hostileMix(random)
    const link = wikilink(SUMMARY, label)
    expect(wikilinksOf(`a ${link} b`).map(({ text }) => text)).toEqual([link])
    expect(parseWikilink(link)?.path).toBe(SUMMARY)
    expect(link).not.toMatch(/[\r\n\u2028]/)
  }
})

it('any path that passes the check makes a link that leads back to it', () => {
  const random = seeded(3)
  let valid = 0
  for (let round = 0; round < 1000; round++) {
    const path = `memory/${hostileMix(random, 3)}`
    if (workspacePathProblem(path) !== undefined) continue
    valid++
    expect(parseWikilink(wikilink(path))).toEqual({ path })
  }
  expect(valid).toBeGreaterThan(100)
})

it('links in a text are found in their order, broken ones too', () => {
  expect(wikilinksOf('x [[memory/a.md]] y [[/abs]] [[memory/b.md|b]]').map(({ link }) => link?.path)).toEqual([
    'memory/a.md',
    undefined,
    'memory/b.md',
  ])
})
