/** Secrets that only what stands around them names: calls, prompts, sentences, files of configuration. */
import { describe, expect, it } from 'vitest'
import { redact } from './redact.ts'

/** Chosen, with both cases and digits; the second as well, without a word in it by chance. */
const VALUES = ['kR7v2QxTe9LmZp4W', 'Wd81fKq3ZnB7tYcU']
const FORMS: Readonly<Record<string, string>> = {
  'curl with quotes behind the user': `curl -u admin:'X' https://example.org`,
  'a prompt that shows its default': 'AWS Secret Access Key [None]: X',
  'a pair whose name comes second': '{"value":"X","name":"DB_PASSWORD"}',
  'a variable of Terraform': 'variable "db_password" {\n  default = "X"\n}',
  'a prefix that names the program': 'SSHPASS=X sshpass -e ssh host',
  Gradle: "storePassword 'X'",
  Clojure: ':password "X"',
  'a macro of C': '#define API_KEY "X"',
  R: 'password <- "X"',
  'the key of a database': "PRAGMA key = 'X';",
  'a default of a call': 'ENV.fetch("DB_PASSWORD", "X")',
  'a default in a block': `ENV.fetch('DB_PASSWORD') { 'X' }`,
  'a setting': `config.set('db.password', 'X')`,
  'a login of .NET': 'new NetworkCredential("bob", "X")',
  'a login of Python': 'requests.get(url, auth=("bob", "X"))',
  'a login of Go': 'req.SetBasicAuth("bob", "X")',
  'a login of Java': 'DriverManager.getConnection(url, "bob", "X")',
  'a wireless network': 'WiFi.begin("home", "X");',
  'an element with attributes': '<wsse:Password Type="text">X</wsse:Password>',
  'a setting of .NET': '<setting name="ApiKey" serializeAs="String"><value>X</value></setting>',
  'a here-string of sudo': "sudo -S whoami <<< 'X'",
  'a here-string of a tool': 'vercel env add DB_PASSWORD production <<< X',
  'a network reached by a password on standard input': 'echo X | openconnect --passwd-on-stdin vpn.example.org',
  'a flag of SNMP': 'snmpget -v3 -u bob -A X host',
  'a URL with a token for its user': 'https://X@github.com/a/b.git',
  'a cookie of a framework': 'PHPSESSID=Xab12',
  'a sentence': 'log in as bob with password X please',
  'what a program generated': 'Initial admin password generated: X',
  'what a database generated': 'A temporary password is generated for root@localhost: X',
  'the line below a name': 'Please use the following password to proceed:\n\nX\n',
  'a sentence about a key': 'the secret key is Xab12',
  Spanish: 'contraseña: X',
  French: 'mot de passe : X',
  Chinese: '密码：X',
  Russian: 'пароль: X',
  Japanese: 'パスワード: X',
}

describe('a secret is told by what is around it', () => {
  it.each(Object.entries(FORMS))('%s', (_, form) => {
    for (const value of VALUES) expect(redact(form.replace('X', value)).text).not.toContain(value)
  })
})

describe('what only looks alike stays', () => {
  it.each([
    'tests pass TestUserLogin2Works fine',
    'the password field is loginPasswordInput2',
    'password for the account is stored in passwordHashV2Column',
    'the key is session.user.accountIdentifier',
    "t.set('password', 'Kennwort ändern')",
    'login("bob", "administrator")',
    'auth=("user", "password")',
    'https://firstname.lastname@example.org',
    'my_session=active',
    'variable "region" {\n  default = "eu-central-1"\n}',
    '<label class="password">Forgotten?</label>',
    'getConnection(url, "root", "test")',
  ])('%s', (text) => expect(redact(text).text).toBe(text))
})
