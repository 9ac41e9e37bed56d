import { describe, expect, it } from 'vitest'
import { redactSensitiveText } from './redact.ts'
import { headsOf } from './redact-heads.ts'
import { beginsAt, RULE, WORD_PATTERNS } from './redact-plain-words.ts'

describe('headsOf', () => {
  it.each<[RegExp, string[]]>([
    [/net[ \t]+use[ \t]+/, ['net ', 'net\t']],
    [
      /(?:set_?)?(?:http_?)?basic/,
      ['basic', 'httpbasic', 'http_basic', 'setbasic', 'set_basic', 'sethttpbas', 'sethttp_ba', 'set_httpba', 'set_http_b'],
    ],
    [/api[_-]?key\(/, ['apikey(', 'api_key(', 'api-key(']],
    [/(?<=\.)password\b(?=x)(?!y)/, ['password']],
    [/[sg]etenv|putenv/, ['setenv', 'getenv', 'putenv']],
    [/pw\d|pass\s{0,4}:/, ['pw', 'pass', 'pass:']],
    [/contrase[ñn]a/, ['contrase']],
    [/key(?: is)?:?\r?\n/, ['key is:\r\n', 'key is:\n', 'key is\r\n', 'key is\n', 'key:\r\n', 'key:\n', 'key\r\n', 'key\n']],
    [/a{3}b/, ['a']],
  ])('reads what %s can begin with', (pattern, heads) => {
    expect(headsOf(pattern).toSorted()).toEqual(heads.toSorted())
  })
})

describe('the rules that begin with a word', () => {
  it.each(WORD_PATTERNS.map((pattern) => [pattern]))('are reached by the heads of %s in any spelling', (pattern) => {
    const heads = headsOf(pattern)
    expect(heads).not.toEqual([])
    for (const head of heads.flatMap((one) => [one, one.toUpperCase(), one.toLowerCase()])) {
      expect(head.length).toBeGreaterThan(1)
      expect(beginsAt(`${head} x`, 0) & RULE, head).toBe(RULE)
    }
  })

  it.each([
    'new OtherCredentials("bob", "Wd81fKq3ZnB7tYcU")',
    'oauth_credentials("bob", "Wd81fKq3ZnB7tYcU")',
    'x.setAdminPassword("Wd81fKq3ZnB7tYcU")',
  ])('find the secret of %s, whatever its word begins with', (text) => {
    expect(redactSensitiveText(text, { mode: 'tools' })).not.toContain('Wd81')
  })

  it('are not tried on ordinary words', () => {
    for (const word of ['the', 'session', 'working', 'function', 'return', 'because', 'context', 'header'])
      expect(beginsAt(`${word} is`, 0)).toBe(0)
  })
})
