/** Secrets that only the layout of the text names: a command behind grep's prefix, a column, a field below, a token on two lines. */
import { describe, expect, it } from 'vitest'
import { redactSensitiveText } from './redact.ts'

const SECRET = ['h4rb', 'orL', '9x2'].join('')
const TOKEN = `gh${'p_'}aB3dE5fG7hJ9kL2mN4pQ6rS8tV1wX0yZaB3d`
const hide = (text: string) => redactSensitiveText(text, { mode: 'tools' })

describe('a secret is found', () => {
  it.each([
    ['as the default of a variable', `const url = process.env.DB_PASSWORD || '${SECRET}'`],
    ['as another default', `const url = process.env.DB_PASSWORD ?? "${SECRET}"`],
    ['behind a type of Rust', `let DB_PASSWORD: &str = "${SECRET}";`],
    ['between entities of HTML', `&quot;password&quot;: &quot;${SECRET}&quot;`],
    ['between numbered entities', `DB_PASSWORD=&#39;${SECRET}&#39;`],
    ['said in words', `set DB_PASSWORD to ${SECRET} please`],
    ['behind a written line end', `A=1\\nsmtp_pass=${SECRET}\\nB=2`],
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
  ['a written quote', '\\u0022'],
  ['a written sign of a query', 'k\\u003d'],
  ['a line around a match of grep', 'src/a.ts-10-'],
])('a token behind %s is found', (_, before) => {
  for (const token of [TOKEN, `hvs.${TOKEN.slice(4)}${TOKEN.slice(4)}`, `sk-${TOKEN.slice(4, 24)}T3BlbkFJ${TOKEN.slice(4, 24)}`])
    expect(hide(`${before}${token}`)).not.toContain(token.slice(8, 20))
})

it('a token without a digit is found in a line around a match of grep', () => {
  const letters = 'AbCdEfGhIjKlMnOpQrStUv'
  for (const before of ['src/a.ts-10-', '10-']) expect(hide(`${before}fw${'_'}${letters}`)).not.toContain(letters.slice(2))
})

it.each([
  'password || "password must have 8 characters"',
  "pageToken ?? 'abc123def456'",
  'set PRIMARY_KEY to user_id2 please',
  '&quot;title&quot;: &quot;abc12345&quot;',
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

describe('a password is found by its command', () => {
  it.each([
    `plink -pw ${SECRET} root@host`,
    `rar a -hp${SECRET} a.rar docs`,
    `keytool -list -keystore k.jks -storepass ${SECRET}`,
    `pdftotext -upw ${SECRET} a.pdf`,
    `openssl enc -aes-256-cbc -k ${SECRET} -in a`,
    `ipmitool -H host -U root -P ${SECRET} power status`,
    `mosquitto_pub -u ada -P ${SECRET} -t a`,
    `security add-generic-password -a ada -s svc -w ${SECRET}`,
    `lftp -u ada,${SECRET} ftp.example.org`,
    `smbclient //srv/share -U ada%${SECRET}`,
    `http -a ada:${SECRET} GET example.org`,
    `curl -uada:${SECRET} https://example.org`,
    `htpasswd -cb .htpasswd ada ${SECRET}`,
    `rabbitmqctl add_user ada ${SECRET}`,
    `nmcli dev wifi connect Home password ${SECRET}`,
    `wpa_passphrase Home ${SECRET}`,
    `net user ada ${SECRET} /add`,
    `net use Z: \\\\srv\\share ${SECRET} /user:ada`,
    `sqlplus scott/${SECRET}@orcl`,
    `jdbc:oracle:thin:scott/${SECRET}@//db:1521/x`,
    `the password for the wifi is ${SECRET}`,
  ])('%s', (text) => {
    for (const layout of [text, `     3\t${text}`, `^I${text}`, `x[${text}`, JSON.stringify({ a: `x\n${text}\ny` })])
      expect(hide(layout)).not.toContain(SECRET)
    expect(hide(text)).toBe(text.replace(SECRET, '[REDACTED:password]'))
  })

  it.each([
    'openssl req -key server1.pem -keyout out2.pem',
    'curl -u https://example.org:8080/a1',
    'lftp -u https://example.org/a1',
    'net use of memory1234 /user:',
    'a thin:layer1/of@2',
    'pdftotext -layout a1.pdf',
    'htpasswd -n ada1234 file1',
    'Private parts: 12 of 13',
  ])('and "%s" names none', (text) => expect(hide(text)).toBe(text))
})

describe('a .netrc behind what tools print', () => {
  const lines = ['machine api.example.com', '  login ada', `  password ${SECRET}`]
  it.each([
    ['a box', (line: string) => `│ ${line.padEnd(60)} │`],
    ['bat', (line: string, n: number) => `${n}   │ ${line}`],
    ['less -N', (line: string, n: number) => `${String(n).padStart(7)} ${line}`],
    ['comments', (line: string) => `# ${line}`],
    ['a diff of two files', (line: string) => `< ${line}`],
    ['syslog', (line: string) => `Feb  3 10:11:12 host app[12]: ${line}`],
    ['backquotes', (line: string) => `\`${line}\``],
    ['cat -A', (line: string) => `^I${line}$`],
    ['a table', (line: string, n: number) => `| ${n} | ${line} |`],
  ])('%s', (_, print) => expect(hide(`see\n${lines.map(print).join('\n')}\nend`)).not.toContain(SECRET))

  it('as JSON writes tabs and line ends', () => {
    expect(hide(JSON.stringify({ a: `machine api.example.com\n\tlogin ada\n\tpassword ${SECRET}\n` }))).not.toContain(SECRET)
  })

  it('is no talk of machines', () => {
    const talk = 'The machine is slow.\nAda has a login there.\nHer password expires2 soon.'
    expect(hide(talk)).toBe(talk)
  })
})

describe('quotes that JSON escapes hide nothing', () => {
  it.each([
    `<property name="password" value="${SECRET}"/>`,
    `<add key="DbPassword" value="${SECRET}" />`,
    `ConvertTo-SecureString "${SECRET}" -AsPlainText -Force`,
    `echo "${SECRET}" | passwd --stdin ada`,
    `curl -b "session=${SECRET}a1B2c3D4" https://example.org`,
    `a\n\tCREATE ROLE app LOGIN PASSWORD '${SECRET}';`,
  ])('%s', (text) => {
    expect(hide(text)).not.toContain(SECRET)
    expect(hide(JSON.stringify({ a: text }))).not.toContain(SECRET)
    expect(hide(JSON.stringify(JSON.stringify({ a: text })))).not.toContain(SECRET)
  })

  it('nor does the end of an element', () => {
    expect(hide(`<li>password: ${SECRET}</li>`)).toBe('<li>password: [REDACTED:password]</li>')
    expect(hide('password: Array<string>')).toBe('password: Array<string>')
  })

  it('nor does the letter of a written line end before a token that is told by its middle', () => {
    const token = `${'aB3dE5fG7hJ9kL'}.${'atlas'}v1.${'aB3dE5fG7hJ9kL2mN4pQ6rS8tV1wX0yZ'.repeat(2)}`
    expect(hide(`a\\n${token}\\nb`)).not.toContain('hJ9kL')
  })
})

it('groups of a table of characters are no card; a card is', () => {
  const table = '5410 5411 5412 5413\n5414 5415 5416 5417 20BBF 20BC6'
  expect(hide(table)).toBe(table)
  expect(hide('card 4111 1111 1111 1111 09/29')).toContain('[REDACTED:credit-card]')
})

describe('a password or key is found where only the call, the command or the list tells', () => {
  const KEYS = ['aB3dE5fG7hJ9', 'kL2mN4pQ6rS8'].join('')
  it.each([
    `echo '${SECRET}' | kinit ada@EXAMPLE`,
    `echo '${SECRET}' | gpg --batch --passphrase-fd 0 -d f.gpg`,
    `$s = "${SECRET}" | ConvertTo-SecureString -AsPlainText -Force`,
    `printf %s '${SECRET}' | gcloud secrets create db --data-file=-`,
    `docker login -u ada --password-stdin <<< '${SECRET}'`,
    `aws ssm put-parameter --name /app/db --value '${SECRET}' --type SecureString`,
    `az keyvault secret set --vault-name v --name n --value '${SECRET}'`,
    `aws secretsmanager create-secret --name db --secret-string '${SECRET}'`,
    `nuget sources add -Name n -Username u -Password '${SECRET}'`,
    `influx -username ada -password ${SECRET}`,
    `skopeo copy --dest-creds ada:${SECRET} a b`,
    `curl -su ada:${SECRET} https://example.org`,
    `xh -a ada:${SECRET} https://example.org`,
    `cqlsh -u cassandra -p '${SECRET}' host`,
    `twine upload -u __token__ -p '${SECRET}' dist/*`,
    `ssh-keygen -t rsa -N '${SECRET}' -f key`,
    `mysqladmin -u root password '${SECRET}'`,
    `composer config http-basic.repo.example.com ada '${SECRET}'`,
    `bundle config gems.example.com ada:${SECRET}`,
    `networksetup -setairportnetwork en0 Heron '${SECRET}'`,
    `requirepass ${SECRET}`,
    `cargo login ${KEYS}`,
    `ngrok config add-authtoken ${KEYS}`,
    `os.environ.get("DB_PASSWORD", "${SECRET}")`,
    `config.setPassword("${SECRET}");`,
    `builder.password("${SECRET}")`,
    `(setq smtp-password "${SECRET}")`,
    `ada:${SECRET}@tcp(127.0.0.1:3306)/db`,
    `localhost:5432:db:ada:${SECRET}`,
    `<setting value="${SECRET}" name="db.password"/>`,
    `<password><![CDATA[${SECRET}]]></password>`,
    `INSERT INTO users (name, password) VALUES ('ada', '${SECRET}');`,
    `url,username,password\nhttps://example.org,ada,${SECRET}\n`,
    `"url","username","password"\r\n"https://example.org","ada","${SECRET}"\r\n`,
    `DB_PASSWORD → ${SECRET}`,
    `the db password was changed to ${SECRET}77`,
    `psk="${SECRET}"`,
  ])('%s', (text) => {
    const safe = hide(text)
    expect(safe).not.toContain(SECRET)
    expect(safe).not.toContain(KEYS)
    expect(hide(safe)).toBe(safe)
  })

  it.each([
    'username,\n  password,\n  email,',
    'id,password,role\nsee the table below for 2024,and more,x1',
    'reset the password to v2beta first',
    'the password was too short2 long',
    'go test -run TestPassword -v ./...',
    'ls --value 10 && cat a | docker ps',
    'psql -h localhost:5432:4 -p 5432',
    'src/a.ts:5432:12: error: x1',
    'const token = "v1_user_2_page_3_size_4_more";',
    "INSERT INTO users (name, password) VALUES ('ada', :password);",
  ])('and nothing in %j', (text) => expect(hide(text)).toBe(text))

  it('all of a token or key, not the beginning of it', () => {
    const hash = '0123456789abcdef'.repeat(6)
    expect(hide(`make deploy KEY=prod:happy-otter-123|${hash} now`)).toBe('make deploy KEY=[REDACTED:cloud-token] now')
    const key = `${'aB3dE5fG7hJ9kL2mN4'.repeat(5).slice(0, 76)}+ASt${'aB3dE5'}==`
    expect(hide(`use ${key} there`)).toBe('use [REDACTED:azure-key] there')
  })

  it('an id is a token where a service issued it', () => {
    const id = '3f2a1c9d-7b4e-4c1a-9d2f-8e6b5a4c3d2e'
    expect(hide(`"SNYK_TOKEN": "${id}"`)).not.toContain(id)
    expect(hide(`"token": "${id}"`)).toContain(id)
    expect(hide(`"sort_key": "${id}"`)).toContain(id)
  })
})
