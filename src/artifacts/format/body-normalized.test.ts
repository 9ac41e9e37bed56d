import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { HOSTILE, hostileMix, seeded } from '../../../test/helpers/hostile-text.ts'
import { bodyNormalizer, contentSha256, contentSha256Of, HASH_SCOPE, normalizeBody, normalizedPieces } from './body-normalized.ts'

it('the scope has its name', () => {
  expect(HASH_SCOPE).toBe('body-normalized-v1')
})

/**
 * `printf '# A
 *
 * b
 * c' | sha256sum`
 */
it('the checksum is that of the normalized bytes, as other tools compute it', () => {
  for (const body of ['# A\n\nb\n  c', '# A\r\n\r\nb\r\n  c\r\n', '# A  \n \t\nb\t\n  c\n\n\n', '# A\r\rb \r  c\r \r']) {
    expect(contentSha256(body)).toBe('ac7075f9ad167dc538906cbdecb0b56a0bf94787bad138b814e0602b6fe8a96d')
  }
})

it('what a reader sees counts: spaces inside a line, order, blank lines between', () => {
  const base = contentSha256('a b\n\nc')
  for (const other of ['a  b\n\nc', ' a b\n\nc', 'a b\nc', 'c\n\na b', '\na b\n\nc']) expect(contentSha256(other)).not.toBe(base)
})

it('normalizing twice changes nothing', () => {
  for (const text of HOSTILE) expect(normalizeBody(normalizeBody(text))).toBe(normalizeBody(text))
})

it('pieces cut anywhere give the text and the checksum of the whole', async () => {
  const random = seeded(1)
  for (let round = 0; round < 400; round++) {
    const text = hostileMix(random, 6)
    const pieces: string[] = []
    for (let at = 0; at < text.length; ) {
      const end = at + 1 + Math.floor(random() * (random() < 0.5 ? 3 : text.length))
      pieces.push(text.slice(at, end))
      at = end
    }
    let joined = ''
    for await (const piece of normalizedPieces(pieces)) joined += piece
    expect(joined).toBe(normalizeBody(text))
    expect(await contentSha256Of(pieces)).toBe(contentSha256(text))
  }
})

it('the checksum of UTF-8 bytes, not of UTF-16 units', () => {
  expect(contentSha256('né 🎉')).toBe(createHash('sha256').update(Buffer.from('né 🎉', 'utf8')).digest('hex'))
})

it('white space in a hundred thousand pieces is not put together again and again', () => {
  const normalizer = bodyNormalizer()
  for (let i = 0; i < 100_000; i++) normalizer.push(' \n'.repeat(10))
  expect(normalizer.push('x').length).toBe(1_000_001)
})
