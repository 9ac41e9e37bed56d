import { expect, it } from 'vitest'
import { base32, isSessionToken, sessionToken } from './session-token.ts'

it('base32 gives the vectors of RFC 4648 in lower case without padding', () => {
  const vectors: [string, string][] = [
    ['', ''],
    ['f', 'my'],
    ['fo', 'mzxq'],
    ['foo', 'mzxw6'],
    ['foob', 'mzxw6yq'],
    ['fooba', 'mzxw6ytb'],
    ['foobar', 'mzxw6ytboi'],
  ]
  for (const [text, code] of vectors) expect(base32(Buffer.from(text))).toBe(code)
})

/** `printf main:s1 | sha256sum | xxd -r -p | base32 | tr A-Z a-z | cut -c1-16` */
it('the token of main:s1 is what other tools compute', () => {
  expect(sessionToken({ agentId: 'main', sessionKey: null, sessionId: 's1' })).toBe('5i7yhtx4767rwm5q')
})

it('the key is the identity where there is one, and the id where there is none', () => {
  const byKey = sessionToken({ agentId: 'main', sessionKey: 'k', sessionId: 'a' })
  expect(sessionToken({ agentId: 'main', sessionKey: 'k', sessionId: 'b' })).toBe(byKey)
  expect(sessionToken({ agentId: 'main', sessionKey: null, sessionId: 'k' })).toBe(byKey)
  expect(sessionToken({ agentId: 'main', sessionKey: '', sessionId: 'k' })).toBe(byKey)
  expect(sessionToken({ agentId: 'other', sessionKey: 'k', sessionId: 'a' })).not.toBe(byKey)
})

it('ten thousand sessions have ten thousand tokens, each a name of its own', () => {
  const tokens = new Set(
    Array.from({ length: 10_000 }, (_, i) => sessionToken({ agentId: 'main', sessionKey: null, sessionId: `claude-code:${i}` })),
  )
  expect(tokens.size).toBe(10_000)
  expect([...tokens].every(isSessionToken)).toBe(true)
})
