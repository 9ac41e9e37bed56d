import { describe, expect, it } from 'vitest'
import { redactStored } from './redact-stored.ts'

const TOKEN = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`
const PRIVATE_KEY = [
  '-----BEGIN RSA PRIVATE KEY-----',
  ...Array(4).fill('MIIEpAIBAAKCAQEA7bq0123456789abcdefghijklmnopqrstuvwxyzABCDEFGH'),
  '-----END RSA PRIVATE KEY-----',
].join('\n')

describe('redactStored', () => {
  it('gives JSON without secrets back byte for byte', () => {
    for (const text of ['{ "a" : [1, 2.50, 12345678901234567890] }', '[]', '"x"', '{"a":"b\\u0041"}', 'plain [text', '{"open":']) {
      expect(redactStored(text)).toBe(text)
    }
  })

  it('finds a secret in text, in keys, in values and in JSON inside JSON', () => {
    const cases = [
      TOKEN,
      JSON.stringify({ [TOKEN]: 1 }),
      JSON.stringify([{ a: [`x ${TOKEN}`] }]),
      JSON.stringify({ a: JSON.stringify({ b: JSON.stringify([TOKEN]) }) }),
    ]
    for (const text of cases) {
      expect(redactStored(text)).not.toContain(TOKEN)
      expect(redactStored(text)).toContain('[REDACTED:')
    }
  })

  it('finds a private key behind escaped newlines, and what is left is JSON', () => {
    const safe = redactStored(JSON.stringify({ file: `a\n${PRIVATE_KEY}\nb`, n: 1 }))
    expect(safe).not.toContain('MIIEpAIBAAKC')
    expect(JSON.parse(safe)).toMatchObject({ file: expect.stringMatching(/^a\n\[REDACTED:[^\]]+\]\nb$/), n: 1 })
  })

  it('keeps everything around a secret byte for byte, also what JSON.parse would lose', () => {
    const text = `{ "id": 12345678901234567890, "id": 2.50, "t": "\\u0041 ${TOKEN}" }`
    expect(redactStored(text)).toMatch(/^\{ "id": 12345678901234567890, "id": 2\.50, "t": "A \[REDACTED:[^\]]+\]" \}$/)
  })

  it('redacts what a key names as secret, and what is left is JSON', () => {
    const text = JSON.stringify({
      password: 'c0rrect-horse-battery',
      env: 'API_KEY=Zx8kQ2mN4vB7cL1pR5tY9wE3\nHOME=/root',
      list: [{ secret: 'x"y' }],
    })
    const safe = redactStored(text)
    for (const secret of ['c0rrect-horse', 'Zx8kQ2mN4vB7cL1pR5tY9wE3']) expect(safe).not.toContain(secret)
    expect(JSON.parse(safe).env).toContain('HOME=/root')
  })

  it('copes with JSON that is deep, broken off, or very long', () => {
    expect(redactStored(`${'['.repeat(100_000)}"${TOKEN}"`)).not.toContain(TOKEN)
    expect(redactStored(`{"a":"x\\n${TOKEN}`)).not.toContain(TOKEN)
    const long = JSON.stringify({ a: `${'line\n'.repeat(200_000)}${TOKEN}` })
    expect(redactStored(long)).not.toContain(TOKEN)
  })
})
