/** Secrets that only the layout of the text names: a command behind grep's prefix, a column, a field below, a token on two lines. */
import { describe, expect, it } from 'vitest'
import { redactSensitiveText } from './redact.ts'

const SECRET = ['h4rb', 'orL', '9x2'].join('')
const TOKEN = `gh${'p_'}aB3dE5fG7hJ9kL2mN4pQ6rS8tV1wX0yZaB3d`
const hide = (text: string) => redactSensitiveText(text, { mode: 'tools' })

describe('a secret is found', () => {
  it.each([
    ['behind the prefix of grep', `file.ts:1:mysql -uroot -p${SECRET}`],
    ['in a line around a match of grep', `a/run.sh-12-mysql -uroot -p${SECRET} shop`],
    ['in an added line', `@@ -1 +1 @@\n+mysql -uroot -p${SECRET}`],
    ['in a removed line', `@@ -1 +1 @@\n-sshpass -p ${SECRET} ssh ada@host`],
    ['in an object of its own', `{"name": "DB_PASSWORD", "value": {"stringValue": "${SECRET}"}}`],
    ['on the line below its field', `- name: DB_PASSWORD\n  value:\n    ${SECRET}\n`],
    ['on the line below its name', `password:\n  ${SECRET}\nhost: a`],
    ['in a block below its name', `db_password: |-\n  ${SECRET}\n`],
    ['in quotes on the line below its name', `"api_key":\n    "${SECRET}${SECRET}",\n`],
    ['in a column of markdown', `| user | password |\n|------|----------|\n| ada | ${SECRET} |\n`],
    ['in a column in backquotes, after other rows', `|user|\`DB_PASSWORD\`|\n|:-|-:|\n|bob|none|\n|ada|\`${SECRET}\`|`],
    ['in a column of psql', ` user | password\n------+-----------\n ada  | ${SECRET}\n(1 row)`],
    ['in a column of mysql', `+----+-----+\n| user | password |\n+----+-----+\n| ada | ${SECRET} |\n+----+-----+`],
  ])('%s', (_, text) => {
    expect(hide(text)).not.toContain(SECRET)
    expect(hide(text)).toContain('[REDACTED:')
    expect(hide(text).split('\n')).toHaveLength(text.split('\n').length)
  })

  it.each([10, 20, 30, 37])('on two lines, broken after %i characters', (at) => {
    for (const gap of ['\n', '\r\n', '\n    ', '\\\n']) {
      const safe = hide(`token is ${TOKEN.slice(0, at)}${gap}${TOKEN.slice(at)} end`)
      expect(safe).not.toContain(TOKEN.slice(4, at))
      expect(safe).not.toContain(TOKEN.slice(-10))
      expect(safe).toMatch(/ end$/)
    }
  })
})

it.each([
  'password:\n  type: string\n  minLength: 8\n',
  'password:\n  string\n',
  'case password:\n  return readline()\n',
  '| field | password |\n|---|---|\n| type | string |\n| note | at least eight signs |\n',
  'const [token,\n  setToken] = useState(null)',
  `${TOKEN.slice(0, 8)}\nreturn the next line`,
  'see file.ts:1:mysqldump -p shop',
  '{"name": "port", "value": {"intValue": "4711abc9"}}',
  'a | b\n--+--\n1 | 2',
])('nothing is hidden in %j', (text) => expect(hide(text)).toBe(text))

it('a table of many rows, and lines that nearly are one, take linear time', () => {
  const rows = '| ada | none |\n'.repeat(20_000)
  expect(hide(`| user | password |\n|---|---|\n${rows}`)).toHaveLength(rows.length + 30)
  for (const text of ['|--'.repeat(100_000), '|---|\n'.repeat(50_000), 'password:\n '.repeat(30_000), `${'ghp_a\n'.repeat(40_000)}`])
    expect(hide(text)).toBe(text)
})
