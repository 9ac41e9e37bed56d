import { expect, it } from 'vitest'
import { HOSTILE, hostileMix, SECRETS, seeded } from '../../test/helpers/hostile-text.ts'
import { escapeInline, plainLine, plainText, sentencesOf } from './plain-line.ts'

it.each([
  ['# A *bold* **title**', 'A bold title'],
  ['- [ ] do it\n1. and that', 'do it and that'],
  ['before\n```ts\ncode()\n```\nafter', 'before after'],
  ['> quoted `code`', 'quoted code'],
  ['a <b>tag</b> and a < b', 'a tag and a < b'],
  ['x <private>never</private> y', 'x y'],
  ['snake_case and __init__', 'snake_case and init'],
  ['`if (a != b)` → `tags[0]`, `Array<string>` | `Map<string, Set<Id>>`', 'if (a != b) → tags[0], Array<string> | Map<string, Set<Id>>'],
  ['run `show <session-id>`, put <Button> in, then <br> and text<br>', 'run show <session-id>, put <Button> in, then and text'],
  ['<system-reminder>no</system-reminder> <div class="x">a</div> <x onclick=alert(1)> <Item>b</Item> <!-- c -->', 'no a b'],
  ['wrap it in a `<div>`, not `</span>` or `<p class="x">`', 'wrap it in a <div>, not </span> or <p class="x">'],
  ['put it in a <div>, then a <span>. <p>Text <li>one', 'put it in a <div>, then a <span>. Text one'],
  ['`<system-reminder>` and `<!-- x -->` and a <div>cut sentence', 'and and a cut sentence'],
  ['glob src/**/*.ts with 2 * 3, **kwargs and *one* **Two words**', 'glob src/**/*.ts with 2 * 3, **kwargs and one Two words'],
])('%j becomes %j', (text, line) => {
  expect(plainLine(text, 200)).toBe(line)
})

it('is one line of no more than its length, without controls or secrets, whatever comes', () => {
  const random = seeded(11)
  for (const text of [...HOSTILE, ...Array.from({ length: 300 }, () => hostileMix(random, 5))]) {
    const line = plainLine(text, 120)
    expect(line.length).toBeLessThanOrEqual(120)
    expect(line).not.toMatch(/[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e]/)
    expect(line).not.toContain('aB3dE5fG7')
    expect(line.isWellFormed()).toBe(true)
  }
})

it('a secret anywhere in a long text is gone, also where the text is cut', () => {
  for (const secret of SECRETS) {
    for (const before of [0, 7_990, 7_970, 8_000])
      expect(plainText(`${'word '.repeat(before / 5)}${secret} end`)).not.toContain('aB3dE5fG7')
  }
})

it('a secret that characters without a width divide is gone; emoji keep theirs', () => {
  const secret = `gh${'p_'}${'aB3dE5fG7hJ9kL2mN4pQ6rS8tV1wX0yZaB3d'}`
  for (const inside of ['\u00ad', '\u200b', '\u200d', '\u2063', '\ufe0f', '\u{e0101}']) {
    expect(plainLine(`x ${secret.slice(0, 10)}${inside}${secret.slice(10)} y`, 200)).toBe('x [REDACTED:github-token] y')
  }
  expect(plainLine('👩‍👩‍👧‍👦 1\ufe0f\u20e3', 200)).toBe('👩‍👩‍👧‍👦 1\ufe0f\u20e3')
})

it('an escaped line holds no sign of markup that is not escaped', () => {
  for (const text of HOSTILE) expect(escapeInline(plainLine(text, 500)).replace(/\\[\\`|[\]<>*]/g, '')).not.toMatch(/[\\`|[\]<>*]/)
})

it.each<[string, string[]]>([
  ['', []],
  ['One. Two! Three? Four', ['One.', 'Two!', 'Three?', 'Four']],
  ['Use v1.2 of file.ts now. Then e.g. this, or Dr. Smith.', ['Use v1.2 of file.ts now.', 'Then e.g. this, or Dr. Smith.']],
  ['line one\nline two\n\n', ['line one', 'line two']],
  ['He said "stop." Then left.', ['He said "stop."', 'Then left.']],
  ['这是一。这是二！', ['这是一。', '这是二！']],
  ['Really?! Yes...', ['Really?!', 'Yes...']],
])('%j', (text, sentences) => {
  expect(sentencesOf(text)).toEqual(sentences)
})

it('a text of a hundred thousand sentences gives the first four hundred', () => {
  expect(sentencesOf('A b. '.repeat(100_000)).length).toBe(400)
})
