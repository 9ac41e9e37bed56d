/** Every documented kind of token, a thousand random ones each; and the statements that name a secret. */
import { describe, expect, it } from 'vitest'
import { seeded } from '../../test/helpers/hostile-text.ts'
import { drawToken, MOSTLY_FORMATS, NAMED_FORMATS, secretPart, TOKEN_FORMATS } from '../../test/helpers/token-kinds.ts'
import { redact } from './redact.ts'

const TOKENS = 1000
const AROUND: readonly ((token: string) => string)[] = [
  (token) => `see ${token} there`,
  (token) => `X: "${token}",`,
  (token) => `a\n${token}\nb`,
  (token) => `     1→${token}`,
]

/** Tokens of which a half can still be read. */
function missed(template: string, around: readonly ((token: string) => string)[], tokens = TOKENS): string[] {
  const random = seeded(7)
  return Array.from({ length: tokens }, (_, i) => {
    const token = drawToken(template, random)
    const secret = secretPart(template, token)
    const out = redact(around[i % around.length]?.(token) ?? token).text
    const half = Math.max(6, secret.length >> 1)
    return out.includes(secret.slice(0, half)) || out.includes(secret.slice(-half)) ? token : ''
  }).filter((token) => token !== '')
}

describe('a random token of a documented format is always found', () => {
  it.each(Object.entries(TOKEN_FORMATS))('%s', (_, template) => expect(missed(template, AROUND)).toEqual([]))
})

describe('a random token of a sparse format is found but for a few in a thousand', () => {
  it.each(Object.entries(MOSTLY_FORMATS))('%s', (_, template) => expect(missed(template, AROUND).length).toBeLessThan(TOKENS / 50))
})

/** How grep -C, rg -C and git grep print the lines around a match, and pagers after them. */
const AROUND_MATCH: readonly ((token: string) => string)[] = [
  (token) => `src/a.ts-10-${token}`,
  (token) => `src/a.ts-9-x = 1\nsrc/a.ts-10-${token}\nsrc/a.ts:11:match`,
  (token) => `10-${token}\n11:match`,
  (token) => `src/a.ts-10-const key = "${token}"`,
]

describe('a random token is found in the lines that grep prints around a match', () => {
  it.each(Object.entries(TOKEN_FORMATS))('%s', (_, template) => expect(missed(template, AROUND_MATCH, 200)).toEqual([]))
})

describe('a random secret without a format is found by its documented name', () => {
  // Chance makes a value without a digit that reads like a word.
  it.each(Object.entries(NAMED_FORMATS))('%s', (_, template) =>
    expect(missed(template, [(line) => `a\n${line}\nb`]).length).toBeLessThan(TOKENS / 50),
  )
})

describe('of a list of tokens, one a line, each is found', () => {
  it.each(Object.entries(TOKEN_FORMATS))('%s', (_, template) => {
    const random = seeded(11)
    for (const end of ['\n', '\r\n', '\n  ', '\\\n']) {
      const tokens = Array.from({ length: 5 }, () => drawToken(template, random))
      const out = redact(tokens.join(end)).text
      expect(tokens.filter((token) => out.includes(secretPart(template, token).slice(-10)))).toEqual([])
    }
  })
})

describe('a token behind a name, as in a branch, is found where its alphabet tells it from a hash', () => {
  const MIXED = /\{(?:2[4-9]|[3-9]\d|\d{3}):[aw]\}/
  const kinds = Object.entries(TOKEN_FORMATS).filter(([, template]) => MIXED.test(template) && !/^\{/.test(template))
  it('of those kinds', () => expect(kinds.length).toBeGreaterThan(40))
  it.each(kinds)('%s', (_, template) => {
    // Chance makes a token with too few digits.
    expect(missed(template, [(token) => `fix/rotate-${token}`]).length).toBeLessThan(TOKENS / 5)
  })
  it('a hash behind a name is none', () => {
    const hash = '5d41402abc4b2a76b9719d911017c592'
    for (const text of [`cache-key-${hash}`, `my-fc-${hash}`, `layer-pul-${hash}`]) expect(redact(text).spans).toEqual([])
  })
})

const WORD = ['h4rb', 'orL', '9x2'].join('')
const KEY = 'aB3dE5fG7hJ9kL2mN4pQ6rS8tV1wX0yZ'

describe('a statement names a secret', () => {
  it.each([
    `curl -H 'Authorization: ${KEY}'`,
    `GET / HTTP/1.1\nAuthorization: ${KEY}\nHost: api.example\n`,
    `Authorization: ${KEY}\nAccept: */*`,
    `aws configure set aws_secret_access_key ${KEY}${KEY.slice(0, 8)}`,
    `aws configure set profile.prod.aws_secret_access_key ${KEY}${KEY.slice(0, 8)} --profile prod`,
    `npm config set //registry.npmjs.org/:_authToken ${KEY}`,
    `pulumi config set --secret dbPassword ${WORD}`,
    `dotnet user-secrets set "Db:Password" "${WORD}"`,
    `gh secret set API_KEY --body ${KEY}`,
    `CREATE USER 'ada'@'%' IDENTIFIED BY '${WORD}';`,
    `create user ada identified by "${WORD}"`,
    `ALTER USER ada IDENTIFIED WITH mysql_native_password BY '${WORD}';`,
    `CREATE USER ada IDENTIFIED BY ${WORD};`,
    `CREATE ROLE ada WITH LOGIN PASSWORD '${WORD}';`,
    `alter user ada with encrypted password '${WORD}'`,
    `CREATE LOGIN ada WITH PASSWORD = N'${WORD}'`,
    `SET PASSWORD FOR 'ada'@'%' = PASSWORD('${WORD}');`,
    `define('DB_PASSWORD', '${WORD}');`,
    `define( "AUTH_KEY", "${KEY}" );`,
    `os.Setenv("DB_PASSWORD", "${WORD}")`,
    `os.environ.setdefault("DB_PASSWORD", "${WORD}")`,
    `[Environment]::SetEnvironmentVariable("DB_PASSWORD", "${WORD}")`,
    `<property name="password" value="${WORD}"/>`,
    `<add key="ClearTextPassword" value="${WORD}" />`,
    `<property name="password">${WORD}</property>`,
    `ConvertTo-SecureString "${WORD}" -AsPlainText -Force`,
    `$p = ConvertTo-SecureString -String '${WORD}' -AsPlainText -Force`,
    `set -x DB_PASSWORD ${WORD}`,
    `set -gx DB_PASSWORD "${WORD}"`,
    `set --export API_KEY ${KEY}`,
    `setenv DB_PASSWORD ${WORD}`,
    `setx DB_PASSWORD "${WORD}"`,
    `ENV DB_PASSWORD ${WORD}`,
    `curl -b 'session=${KEY}; theme=dark' https://a.example`,
    `curl --cookie "sessionid=${KEY}" https://a.example`,
    `curl --proxy-user ada:${WORD} https://a.example`,
    `echo ${WORD} | docker login -u ada --password-stdin r.example`,
    `echo "${WORD}" | docker login --username ada --password-stdin`,
    `printf '%s' '${WORD}' | podman login --password-stdin quay.io`,
    `echo ${KEY} | gh auth login --with-token`,
    `echo '${WORD}' | sudo -S apt update`,
    `echo "ada:${WORD}" | chpasswd`,
  ])('%j', (text) => {
    const out = redact(text).text
    expect(out).not.toContain(WORD)
    expect(out).not.toContain(KEY)
    expect(out).toContain('[REDACTED:')
    expect(redact(out)).toMatchObject({ text: out, spans: [] })
    const read = redact(`ok\n     1→${text.replaceAll('\n', '\n     2→')}\n     3→end`).text
    expect(read).not.toContain(WORD)
    expect(read).not.toContain(KEY)
  })

  it.each([
    'Authorization: required\nHost: api.example1234567',
    'Authorization: see the documentation123 there',
    'aws configure set region eu-central-1',
    'git config set user.name ada1234',
    'sessions are identified as "orphaned1" and identified by "name1"',
    'The caller is identified by hash1234.',
    "CREATE USER ada IDENTIFIED BY '<password>';",
    "define('DB_HOST', 'db1.example')",
    "define('DB_PASSWORD', getenv('DB_PASSWORD'))",
    'define("tokenizer2", "module2")',
    '<input name="password" value=""/>',
    '<property name="passwordPolicy" value="strong1"/>',
    'ConvertTo-SecureString $password -AsPlainText -Force',
    'set -x DB_PASSWORD $argv[1]',
    'set -x PATH /opt/x1/bin $PATH',
    'set -euo pipefail',
    'ENV NODE_ENV production',
    'curl -b cookies.txt https://a.example',
    'git checkout -b session=abc',
    'echo $TOKEN | docker login --password-stdin',
    'echo done1234 | docker ps',
    'echo hello1 | grep login',
    `export const [${'CLIENT_META_KEY'}]: ClientCapabilities2026Schema`,
    'key: RsaPublicKey | RsaPrivateKey | KeyLike,',
    'the --username and --password options',
    'for p in pwd:\n        update_keys(p)\n',
  ])('and %j names none', (text) => expect(redact(text)).toMatchObject({ text, spans: [] }))
})
