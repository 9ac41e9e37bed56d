/** Secrets that a terminal, a browser or a table hides from a plain look. Put together here, so that no file of the project holds one. */
import { describe, expect, it } from 'vitest'
import { expectLinear } from '../../test/helpers/redact-timing.ts'
import { redact } from './redact.ts'
import { stripControls } from './text.ts'
import { hiddenViews } from './visible-text.ts'

const ALNUM = 'aB3dE5fG7hJ9kL2mN4pQ6rS8tV1wX0yZ'
const an = (length: number) => ALNUM.repeat(10).slice(0, length)
const TOKEN = `gh${'p_'}${an(36)}`
const SEEN = [TOKEN, an(36), an(20)]

/** Characters and sequences that nobody sees. */
const UNSEEN: readonly string[] = [
  '\u001b[32m',
  '\u001b[1;38;5;208m',
  '\u009b31m',
  '\u001b[0m\u001b[K',
  '\u001b(B',
  '\u001b]0;title\u0007',
  '\u001b]8;;https://a.example\u001b\\',
  '\u0000',
  '\u0007',
  '\u007f',
  '\u000b',
  '\u0085',
  '\r',
  '\u00ad',
  '\u034f',
  '\u200b',
  '\u200c',
  '\u200d',
  '\u200e',
  '\u202e',
  '\u2028',
  '\u2060',
  '\u2066',
  '\u3164',
  '\ufe0f',
  '\ufeff',
  '\ufffa',
  '\u{e0041}',
  '\u{e0101}',
  '\u0301',
  '\u200b\u001b[0m\u2060',
]

function expectGone(text: string): string {
  const out = redact(text).text
  for (const shown of [out, stripControls(out), out.replace(/[^\x21-\x7e]/g, '')]) {
    for (const secret of SEEN) expect(shown).not.toContain(secret)
  }
  expect(redact(out).text).toBe(out)
  return out
}

describe('what cannot be seen hides no secret', () => {
  it.each(UNSEEN.map((unseen) => [JSON.stringify(unseen), unseen]))('%s', (_, unseen) => {
    for (const text of [
      `${unseen}${TOKEN}${unseen}`,
      `word${unseen}${TOKEN}`,
      `word${unseen}${TOKEN}${unseen}word`,
      `see ${TOKEN.slice(0, 2)}${unseen}${TOKEN.slice(2)} there`,
      `see ${TOKEN.slice(0, 12)}${unseen}${TOKEN.slice(12)} there`,
      `word${unseen}${TOKEN.slice(0, 12)}${unseen}${TOKEN.slice(12)}`,
      `see ${[...TOKEN].join(unseen)} there`,
      `DB_PASS${unseen}WORD=${an(20)}`,
      `DB_PASSWORD${unseen}=${unseen}${an(20)}`,
      `"password": "${an(10)}${unseen}${an(20).slice(10)}"`,
      `word${unseen}api_key${unseen}: ${an(20)}`,
      `Authorization: ${unseen}Bearer ${an(10)}${unseen}${an(36).slice(10)}`,
      `postgres://app:${unseen}${an(20)}@db/app`,
    ]) {
      expect(expectGone(text)).toContain('[REDACTED:')
    }
  })

  it('a character printed twice for bold, or over a line, is one character', () => {
    expectGone(`see ${[...TOKEN].map((letter) => `${letter}\b${letter}`).join('')} there`)
    expectGone(`see ${[...TOKEN].map((letter) => `_\b${letter}`).join('')} there`)
    expectGone(`see ${[...TOKEN].map((letter) => `${letter}\b_`).join('')} there`)
    const over = redact(`see ${[...TOKEN].map((letter) => `${letter}\b${letter}`).join('')} there`).text
    expect(over).toMatch(/\[REDACTED:github-token\] there$/)
    expect(redact(`passwort: x\b\b${TOKEN}`).text).not.toContain(TOKEN)
  })

  it('the text that an escape sequence carries is redacted too', () => {
    const link = `\u001b]8;;https://me:${an(20)}@git.example/x\u001b\\here\u001b]8;;\u001b\\`
    expect(redact(link).text).toBe(link.replace(an(20), '[REDACTED:url-password]'))
    expect(redact(`\u001b]0;${TOKEN}\u0007`).text).toBe('\u001b]0;[REDACTED:github-token]\u0007')
  })

  it('what is left of a colour without its escape character is no part of a word', () => {
    for (const colour of ['[32m', '[1;31m', '\\x1b[32m', '\\u001b[0;32m', '\\033[32m', '^[[32m', '\\e[0m']) {
      expect(redact(`${colour}${TOKEN}[0m`).text).toBe(`${colour}[REDACTED:github-token][0m`)
      expect(redact(`TOKEN=${colour}${an(40)}`).text).not.toContain(an(36))
    }
  })

  it('only the secret goes, with what stands inside it', () => {
    const text = `a\u200bb \u001b[32m${TOKEN.slice(0, 9)}\u200b${TOKEN.slice(9)}\u001b[0m é👩‍👧 c`
    const { text: out, spans, toRaw } = redact(text)
    expect(out).toBe('a\u200bb \u001b[32m[REDACTED:github-token]\u001b[0m é👩‍👧 c')
    expect(spans.map((span) => text.slice(span.start, span.end))).toEqual([`${TOKEN.slice(0, 9)}\u200b${TOKEN.slice(9)}`])
    expect(toRaw(out.indexOf(' c'))).toBe(text.indexOf(' c'))
  })

  it('text without a secret stays as it is, whatever it holds', () => {
    for (const unseen of UNSEEN) {
      for (const text of [`a${unseen}b`, `${unseen}${unseen}`, `pass${unseen}: true`, `x\b${unseen}y\r\nz`]) {
        expect(redact(text)).toMatchObject({ text, spans: [] })
      }
    }
  })

  it('every character of a view knows its offset in the raw text', () => {
    const raw = `a\u001b[1mb\u200bc\r\nd\be\u001b]0;f\u0007g\rh`
    for (const view of hiddenViews(raw)) {
      for (let at = 0; at < view.text.length; at++) {
        const { start, end } = view.toRaw(at, at + 1)
        if (view.text[at] !== ' ') expect(raw.slice(start, end)).toBe(view.text[at])
      }
    }
    expect(hiddenViews(raw).map((view) => view.text)).toEqual([
      'abc\r\ndegh',
      'a b c\r\nd e 0;f g h',
      'a\u001b[1mb\u200bc\r\ne\u001b]0;f\u0007g\rh',
    ])
    expect(hiddenViews('plain\ttext\r\n')).toEqual([])
  })
})

/** kind, secret, and the text around it with % for the secret. */
const FOUND: readonly (readonly [string, string, string])[] = [
  ['github-token', TOKEN, 'token_%'],
  ['github-token', TOKEN, 'my-%'],
  ['github-token', TOKEN, 'word%'],
  ['anthropic-key', `sk-${'ant'}-api03-${an(60)}`, 'word%'],
  ['slack-token', `xo${'xb-'}123456789012-${an(24)}`, 'word%'],
  ['github-token', TOKEN, 'https://x/my-repo_%/y'],
  ['slack-token', `xo${'xb-'}123456789012-${an(24)}`, 'SLACK_%'],
  ['aws-access-key', `AK${'IA'}IOSFODNN7ABCDEFG`, 'prod-%'],
  ['anthropic-key', `sk-${'ant'}-api03-${an(60)}`, 'key_%'],
  ['secret', `LS0tLS1CRUdJTi${an(80)}==`, '    client-key-data: %\n'],
  ['authorization', `00${an(20)}-${an(8)}_x`, 'Authorization: SSWS %'],
  ['authorization', an(40), 'Authorization: GenieKey %'],
  ['authorization', an(40), '"Authorization": "Fancy-Scheme %"'],
  ['token', an(52).toLowerCase(), 'GH_PAT=%'],
  ['token', an(24), 'azure_devops_pat: "%"'],
  ['password', 'hunter2', '{"User": "me", "Pass": "%"}'],
  ['password', 'pefeNUMgiA84', '{"User": "me", "Pass": "%"}'],
  ['password', 'pefeNUMgiA84', '| DB_PASSWORD | % |'],
  ['password', 'hunter2', '[32mDB_PASSWORD=%[0m'],
  ['password', 'hunter2', '\u001b]0;mysql -uroot -p% app\u0007'],
  ['password', 'hunter2!x', '"PASS": "%"'],
  ['password', 'hunter2', 'ansible_become_pass: %\n'],
  ['password', 'hunter2', 'ansible_ssh_pass=%\n'],
  ['password', 'hunter2', '| DB_PASSWORD | % |'],
  ['password', 'hunter2', '| `DB_PASSWORD` | `%` | the database |'],
  ['password', 'swordfish', '| **DB_PASSWORD** | "%" |'],
  ['password', 'hunter2', '│ DB_PASSWORD │ % │'],
  ['password', 'hunter2', ' password   | %\n'],
  ['password', 'hunter2', 'DB_PASSWORD\t%\n'],
  ['password', 'hunter2', '<tr><td>DB_PASSWORD</td><td>%</td></tr>'],
  ['secret', an(32), '| API_KEY | % |'],
  ['password', 'hunter2', 'mysql -u root -p% app'],
  ['password', 'hunter2', "docker exec db mysqldump -uroot -p'%' app > x.sql"],
  ['password', 'swordfish', 'sshpass -p % ssh -p 2222 me@host'],
  ['password', 'sword fish', "sshpass -p '%' scp a b"],
  ['password', 'hunter2', 'sshpass -p% ssh me@host'],
  ['password', 'swordfish', 'docker login -u me -p % registry.example'],
  ['password', 'swordfish', 'docker login \\\n  -u me \\\n  -p % registry.example'],
  ['password', 'hunter2', 'podman login -p=% quay.io'],
  ['password', 'hunter2', 'mongosh -u root -p % mongodb://db'],
  ['password', 'hunter2', 'redis-cli -h cache -a % ping'],
  ['password', 'hunter2', 'sqlcmd -S db -U sa -P % -Q "select 1"'],
  ['password', 'hunter2', 'ldapsearch -x -D cn=admin -w % -b dc=x'],
  ['password', 'swordfish', 'machine api.example login me password %'],
  ['password', 'swordfish', '{"output":"ok\\nmachine api.example login me password % "}'],
  ['password', 'swordfish', '{"output":"done\\rmysql -uroot -p% app"}'],
  ['password', 'swordfish', '{"output":"ok\\n\\tsshpass -p % ssh me@host"}'],
  ['password', 'swordfish', '{"output":"ok\\r\\ndocker login -u me -p % r.example"}'],
  ['password', 'swordfish', 'machine api.example\n  login me\n  password %\n'],
  ['password', 'swordfish', 'default login anonymous password %\n'],
  ['password', 'hunter2', '- name: DB_PASSWORD\n  value: "%"'],
  ['password', 'hunter2', '{"name": "DB_PASSWORD", "value": "%"}'],
]

describe('secrets in commands, tables and files of tools', () => {
  it.each(FOUND.map(([kind, secret, around]) => [around, kind, secret]))('%j', (around, kind, secret) => {
    const text = around.replace('%', () => secret)
    expect(redact(text).text).toBe(around.replace('%', `[REDACTED:${kind}]`))
    expect(redact(redact(text).text).spans).toEqual([])
  })
})

const LEFT: readonly string[] = [
  'docker run -p 8080:80 nginx',
  'docker run -p3306:3306 --name mysql mysql',
  'docker run --name mysql -p3306:3306 mysql',
  'docker run --name mysql -p 3306:3306 mysql',
  'mkdir -p src/core',
  'mysql -u root -p app',
  'mysql -p$MYSQL_PWD app',
  'mysql -u root -p',
  'sshpass -p $PW ssh -p 2222 host',
  'sshpass -e ssh -p 2222 host',
  'ssh -p 2222 host',
  'docker login --password-stdin registry.example',
  'docker login -u me -p $TOKEN',
  'cp -p a1b2 c3d4',
  'ls -a file1',
  'redis-cli -h cache ping',
  'git log -p abc1234',
  'git add -p src/a1.ts',
  'pass: true',
  '"Pass": "12"',
  '"Pass": "yes"',
  '"pass": "100%"',
  '"Pass": "12.5ms"',
  '"Pass": "test_login1"',
  'Pass: 12 of 14',
  '"PASS": "ok"',
  '| password | string | required |',
  '| DB_PASSWORD | Database password |',
  '| DB_PASSWORD | required |',
  '| DB_PASSWORD | yes |',
  '| `DB_PASSWORD` | ✅ |',
  '| Password | — | 8 |',
  '| token | 12 | 34 |',
  '| PASS | test_foo1 | 2s |',
  'echo "$DB_PASSWORD" | base64',
  'echo $DB_PASSWORD | sha256sum',
  'cat password | md5sum',
  'const pat = patterns[0]',
  'pat = "a1b2c3d4e5f6g7h8i9j0k1l2"',
  'PATH=/usr/bin1:/bin',
  'PAT: 12',
  'FOO_PATTERN=abc123def456ghi789',
  'public-key-data: LS0tLS1CRUdJTi1234567890abcdef',
  'certificate-authority-data: LS0tLS1CRUdJTi1234567890abcdef',
  'npm-cache-key-d41d8cd98f00b204e9800998ecf8427e',
  'my-sk-learn-something-that-goes-on',
  'the login form password field',
  'machine learning with a login and password prompt',
  'Authorization: see the documentation123 there',
  'name: DB_PASSWORD\n  valueFrom: secretKeyRef',
  'name: password\n  value: string',
  'array[32m',
]

describe('what only looks like it is left alone', () => {
  it.each(LEFT.map((text) => [text]))('%j', (text) => {
    for (const around of [text, `see ${text} there`, `a\n${text}\nb`]) expect(redact(around)).toMatchObject({ text: around, spans: [] })
  })
})

// A quadratic scan of these would take minutes.
it.each([
  '\u001b[',
  '\u001b]',
  '\u001b[32m',
  '\u200b',
  'a\u200b',
  'a\b',
  'a\b_',
  '\r',
  'sk-\u200b',
  'eyJ-',
  'eyJa_eyJ-',
  'ghp_a-',
  'github_pat_a_',
  'xoxb-a.',
  '_sk-ant-',
  'ask-ant-',
  'aghp_',
  '| password ',
  '| DB_PASSWORD | ',
  '│',
  '\t',
  'mysql -pabc ',
  'sshpass -p ',
  'docker login -p ',
  'machine a login b password ',
  'machine ',
  'login ',
  '-p',
  '-a ',
  '[32m',
  'name: DB_PASSWORD\nvalue: ',
  '"Pass": "',
  '<td>',
  'authorization: x ',
])('takes linear time on many of %j', expectLinear)
