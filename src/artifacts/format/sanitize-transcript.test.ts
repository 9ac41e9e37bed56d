import { expect, it } from 'vitest'
import { HOSTILE, hostileMix, SECRETS, seeded } from '../../../test/helpers/hostile-text.ts'
import { sanitizerCorpus } from '../../../test/helpers/sanitizer-corpus.ts'
import { HOSTILE_KINDS, hostileText } from '../../../test/helpers/sanitizer-timing.ts'
import { sha256 } from '../../core/hash.ts'
import { SHAPE_KINDS } from '../../core/redact-kinds.ts'
import { SANITIZER_VERSION, sanitizeTranscriptV6 } from './sanitize-transcript.ts'

function corpus(): string[] {
  const random = seeded(5)
  const mixed = Array.from({ length: 1000 }, () => hostileMix(random, 5))
  return [
    ...sanitizerCorpus(),
    ...HOSTILE,
    ...HOSTILE.map((text) => `before ${text} after`),
    ...HOSTILE_KINDS.map((kind) => hostileText(kind, 2000)),
    ...mixed,
  ]
}

/** A changed output means that published transcripts would differ: make a v7. */
it('the output of v6 on the corpus is frozen', () => {
  expect(SANITIZER_VERSION).toBe('sanitize_transcript_v6')
  const output = sanitizerCorpus().map((text) => sanitizeTranscriptV6(text))
  expect(sha256(output.join('\0'))).toBe('0680ff65b93fafbf89f860fc10c1a53ce6ce3c1624eb215ffa9e2529f16b7ca8')
})

it('the corpus holds every kind of secret that the redactor knows', () => {
  const output = sanitizerCorpus()
    .map((text) => sanitizeTranscriptV6(text))
    .join('\n')
  const byContext = [
    'authorization',
    'cookie',
    'url-password',
    'database-password',
    'password',
    'secret',
    'aws-secret-key',
    'azure-key',
    'token',
  ]
  const kinds = [...SHAPE_KINDS, ...byContext, 'private-key', 'pgp-private-key', 'credit-card', 'iban', 'ssn']
  expect(kinds.filter((kind) => !output.includes(`[REDACTED:${kind}]`))).toEqual([])
})

it('two runs give the same, and its own output gives itself', () => {
  for (const text of corpus()) {
    const once = sanitizeTranscriptV6(text)
    expect(sanitizeTranscriptV6(text)).toBe(once)
    expect(sanitizeTranscriptV6(once)).toBe(once)
  }
})

it('a mark that stands where a password would is left alone the next time', () => {
  for (const text of [
    'curl -u 4111111111111111 x',
    'postgres://&lt;4111111111111111:]token@h/x',
    `https://gh${'p_'}${'aB3dE5fG7hJ9kL2mN4pQ6rS8tV1wX0yZaB3d'}api@h`,
  ]) {
    const once = sanitizeTranscriptV6(text)
    expect(once).toContain('[REDACTED:')
    expect(sanitizeTranscriptV6(once)).toBe(once)
  }
})

it('where a text was cut on its way makes no difference', () => {
  const random = seeded(6)
  for (const secret of SECRETS) {
    const text = `before ${secret} after`
    const whole = sanitizeTranscriptV6(text)
    for (let at = 1; at < text.length; at++) expect(sanitizeTranscriptV6([text.slice(0, at), text.slice(at)])).toBe(whole)
  }
  for (let round = 0; round < 200; round++) {
    const text = hostileMix(random, 5)
    const cut = Math.floor(random() * text.length)
    expect(sanitizeTranscriptV6([text.slice(0, cut), text.slice(cut, cut + 3), text.slice(cut + 3)])).toBe(sanitizeTranscriptV6(text))
  }
})

it('every secret becomes a mark of its kind, and nothing around it goes', () => {
  for (const secret of SECRETS) {
    const clean = sanitizeTranscriptV6(`first line\n${secret}\nlast line`)
    expect(clean).toMatch(/^first line\n[\s\S]*\[REDACTED:[a-z-]+\][\s\S]*\nlast line$/)
    expect(clean).not.toContain('aB3dE5fG7')
  }
})

it('a secret that control or unseen characters divide is found', () => {
  const secret = `gh${'p_'}${'aB3dE5fG7hJ9kL2mN4pQ6rS8tV1wX0yZaB3d'}`
  for (const inside of [
    '\u001b[31m',
    '\u0000',
    '\u202e',
    '\ufeff',
    '\u{e0041}',
    '\u200b',
    '\u2060',
    '\u00ad',
    '\u200d',
    '\ufe0f',
    '\u{e0101}',
    '\0\u200c\0',
  ]) {
    expect(sanitizeTranscriptV6(`x ${secret.slice(0, 10)}${inside}${secret.slice(10)} y`)).toBe('x [REDACTED:github-token] y')
  }
})

it('no control character, half character, unseen mark or mark of ours is left', () => {
  for (const text of corpus()) {
    const clean = sanitizeTranscriptV6(text)
    expect(clean).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/)
    expect(clean).not.toMatch(/<\s*\/?\s*(?:mnemonic-memory|private)\b/i)
    expect(clean.isWellFormed()).toBe(true)
  }
})

it('plain text, markdown and code stay as they are', () => {
  for (const text of [
    '# A\n\n- b\n\t```ts\nconst a = b < c && d\n```\n',
    'né 🎉 👩‍👩‍👧‍👦 你好',
    '1\ufe0f\u20e3 \u2764\ufe0f می\u200cخواهم 葛\u{e0100}',
    '<PrivateRoute path="/x" />',
    '  indented  ',
    'a | b',
  ]) {
    expect(sanitizeTranscriptV6(text)).toBe(text)
  }
})

/** Coarse guard: a quadratic step would take minutes. */
it('a third of a megabyte of anything hostile is done with', { timeout: 120_000 }, () => {
  for (const kind of HOSTILE_KINDS) expect(sanitizeTranscriptV6(hostileText(kind, 300_000)).isWellFormed()).toBe(true)
})
