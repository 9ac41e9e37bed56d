import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { expectLinear } from '../../test/helpers/redact-timing.ts'
import { redact, redactSensitiveText } from './redact.ts'
import { SHAPE_KINDS } from './redact-kinds.ts'

/** Secrets are put together here, so that no file of the project holds one. */
const ALNUM = 'aB3dE5fG7hJ9kL2mN4pQ6rS8tV1wX0yZ'
const HEX = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
const an = (length: number) => ALNUM.repeat(10).slice(0, length)
const hex = (length: number) => HEX.repeat(4).slice(0, length)
const low = (length: number) => an(length).toLowerCase()
const dashes = '-'.repeat(5)
const pem = (label: string, lines: string[]) => [`${dashes}BEGIN ${label}${dashes}`, ...lines, `${dashes}END ${label}${dashes}`].join('\n')
const base64Lines = [`MIIE${an(60)}`, an(64), `${an(20)}+/=`]
const jwt = ['ey', 'JhbGciOiJIUzI1NiJ9.ey', 'JzdWIiOiIxMjM0NTY3ODkwIn0.', an(43)].join('')

/** kind, secret, and the text around it with % for the secret. */
type Case = readonly [kind: string, secret: string, around?: string]

const SHAPES: readonly Case[] = [
  ['anthropic-key', `sk-${'ant'}-api03-${an(40)}_${an(30)}-${an(10)}AA`],
  ['openai-key', `sk-${an(48)}`, 'OPENAI=%'],
  ['openai-key', `sk-${'proj'}-${an(30)}_${an(40)}`, 'use "%" here'],
  ['openai-key', `sk-${'or'}-v1-${hex(64)}`],
  ['google-key', `AI${'za'}${an(35)}`, 'https://maps.example/api?key=%&v=3'],
  ['google-oauth', `ya${'29.'}${an(60)}`],
  ['google-oauth', `GOC${'SPX'}-${an(28)}`],
  ['groq-key', `gs${'k_'}${an(52)}`],
  ['huggingface-token', `h${'f_'}${an(34)}`],
  ['replicate-token', `r${'8_'}${an(37)}`],
  ['xai-key', `x${'ai-'}${an(80)}`],
  ['ai-provider-key', `pp${'lx-'}${an(48)}`],
  ['ai-provider-key', `nv${'api-'}${an(64)}`],
  ['github-token', `gh${'p_'}${an(36)}`, 'git clone https://%@github.com/a/b'],
  ['github-token', `gh${'o_'}${an(36)}`],
  ['github-token', `gh${'u_'}${an(36)}`],
  ['github-token', `gh${'s_'}${an(36)}`, 'line\\n%\\nline'],
  ['github-token', `gh${'r_'}${an(36)}`, 'q=token%3D%'],
  ['github-token', `github${'_pat_'}${an(22)}_${an(59)}`],
  ['gitlab-token', `gl${'pat-'}${an(20)}`],
  ['npm-token', `np${'m_'}${an(36)}`, '//registry.npmjs.org/:_authToken=%'],
  ['pypi-token', `py${'pi-'}AgEIcHlwaS5vcmc${an(60)}`],
  ['registry-token', `dckr${'_pat_'}${an(27)}`],
  ['slack-token', `xo${'xb-'}123456789012-1234567890123-${an(24)}`],
  ['slack-token', `xo${'xp-'}123456789012-1234567890123-${an(24)}`],
  ['slack-webhook', `T0${'1ABCDEF'}/B01ABCDEF/${an(24)}`, 'https://hooks.slack.com/services/%'],
  ['discord-webhook', `123456789012345678/${an(68)}`, 'https://discord.com/api/webhooks/%'],
  ['discord-token', `M${an(23)}.${an(6)}.${an(27)}`],
  ['telegram-token', `123456789:${'AA'}${an(33)}`, 'https://api.telegram.org/bot%/getMe'],
  ['telegram-token', `123456789:${'AA'}${an(33)}`],
  ['stripe-key', `sk${'_live_'}${an(24)}`],
  ['stripe-key', `rk${'_live_'}${an(24)}`],
  ['stripe-key', `wh${'sec_'}${an(32)}`],
  ['elevenlabs-key', `s${'k_'}${hex(48)}`],
  ['twilio-key', `S${'K'}${hex(32)}`],
  ['sendgrid-key', `S${'G.'}${an(22)}.${an(43)}`],
  ['mailgun-key', `ke${'y-'}${hex(32)}`],
  ['aws-access-key', `AK${'IA'}IOSFODNN7ABCDEFG`, 'id: %,'],
  ['aws-access-key', `AS${'IA'}IOSFODNN7ABCDEFG`],
  ['age-key', `AGE${'-SECRET-'}KEY-1${an(58).toUpperCase()}`],
  ['cloud-token', `dop${'_v1_'}${hex(64)}`],
  ['service-token', `lin${'_api_'}${an(40)}`],
  ['jwt', jwt, 'curl -H "X: %"'],
  ['authorization', an(40), 'Bearer %'],
]

const STRUCTURES: readonly Case[] = [
  ['private-key', pem('RSA PRIVATE KEY', base64Lines), 'before\n%\nafter'],
  ['private-key', pem('PRIVATE KEY', base64Lines)],
  ['private-key', pem('EC PRIVATE KEY', base64Lines), 'key: |\n%\n'],
  ['private-key', pem('OPENSSH PRIVATE KEY', base64Lines)],
  ['private-key', pem('ENCRYPTED PRIVATE KEY', ['Proc-Type: 4,ENCRYPTED', 'DEK-Info: AES-256-CBC,00FF', '', ...base64Lines])],
  ['private-key', pem('PRIVATE KEY', base64Lines).replaceAll('\n', '\\n'), '{"type": "service_account", "private_key": "%\\n"}'],
  ['pgp-private-key', pem('PGP PRIVATE KEY BLOCK', ['Version: GnuPG v2', '', ...base64Lines, '=abcd'])],
  ['private-key', pem('PRIVATE KEY', base64Lines).split('\n').slice(0, 3).join('\n'), 'cut off:\n%'],
  ['private-key', `${dashes}BEGIN PRIVATE KEY${dashes}\n${an(64)}\n${an(9)}`, 'cut off inside a line:\n%'],
  ['private-key', `${dashes}BEGIN PRIVATE KEY${dashes}\n${an(64)}\n${an(64)}`, '%\n\nThat was the start of the key, I stopped there.'],
  ['url-password', 's3cr3t!', 'https://deploy:%@git.example.com/repo.git'],
  ['url-password', 'p@ss:w0rd', 'ftp://me:%@example.com'],
  ['database-password', 'Xk29fh2', 'postgres://app:%@db.internal:5432/app?sslmode=require'],
  ['database-password', 'pw/with/slash9', 'postgresql+asyncpg://app:%@db/app'],
  ['database-password', 'Xk29fh2', 'mongodb+srv://root:%@cluster0.mongodb.net'],
  ['database-password', 'Xk29fh2', 'REDIS_URL=redis://:%@cache:6379/0'],
  ['password', 'Xk29fh2', 'Server=db;Database=app;User Id=sa;Password=%;Encrypt=true'],
  ['azure-key', `${an(86)}==`, 'DefaultEndpointsProtocol=https;AccountName=x;AccountKey=%;EndpointSuffix=core.windows.net'],
  ['authorization', an(32), 'Authorization: Bearer %'],
  ['authorization', 'dXNlcjpodW50ZXIy', 'authorization: Basic %'],
  ['authorization', an(32), '{"Authorization": "Token %"}'],
  ['jwt', jwt, '{\\"Authorization\\":\\"Bearer %\\"}'],
  ['cookie', an(32), 'Cookie: theme=dark; sessionid=%; lang=en'],
  ['cookie', `s%3A${an(32)}`, "curl -H 'Cookie: connect.sid=%' https://example.com"],
  ['cookie', an(26), 'Set-Cookie: PHPSESSID=%; Path=/; HttpOnly; SameSite=Lax'],
]

const NAMED: readonly Case[] = [
  ['password', 'hunter2', 'password=%'],
  ['password', 'hunter2', 'password: %\nuser: me'],
  ['password', 'correct-horse-9', '"password": "%"'],
  ['password', 'swordfish', "password: '%'"],
  ['password', 'swordfish', 'DB_PASSWORD=%\nDB_USER=me'],
  ['password', 'p&ss;w0rd', 'export PGPASSWORD=% '],
  ['password', 'hunter2', '{\\"password\\": \\"%\\", \\"user\\": 1}'],
  ['password', 'hunter2', 'mysql --password=% -u root'],
  ['password', 'hunter2', 'mysql --password % -u root'],
  ['password', 'hunter2', 'const dbPassword: string = "%"'],
  ['password', 'hunter2!', 'config["password"] = "%"'],
  ['password', 'hunter2', 'pw: %'],
  ['password', 'hunter2hunter2', 'user=me&pass=%&x=1'],
  ['password', 'hunter2', '**Password:** %'],
  ['password', 'hunter2', '**password**: `%`'],
  ['password', 's3cret', 'curl -s -u admin:% https://example.com'],
  ['secret', 'abc123def456', 'tool --api-key=% run'],
  ['secret', `0x${hex(64)}`, 'PRIVATE_KEY=%'],
  ['token', '550e8400-e29b-41d4-a716-446655440000', '//registry.npmjs.org/:_authToken=%'],
  ['password', 'hunter2', '<server><password>%</password></server>'],
  ['secret', 'abcd1234efgh', 'API key: %, ok?'],
  ['secret', 'abcd1234efgh', 'The secret key: %'],
  ['password', 'hunter2x', 'the password is %.'],
  ['secret', 'abcd1234efgh', 'api_key: "%"'],
  ['secret', an(32), 'apiKey = `%`'],
  ['secret', 'qwertyuiopasdfghjklzxcvbnm', 'API_KEY=%'],
  ['aws-secret-key', 'FAKE'.repeat(10), 'aws_secret_access_key = %'],
  ['secret', an(32), 'x-api-key: %'],
  ['secret', `django-insecure-${low(30)}`, "SECRET_KEY = '%'"],
  ['secret', hex(64), 'SECRET_KEY_BASE=%'],
  ['secret', an(30), 'client_secret=%&grant_type=x'],
  ['secret', an(40), 'ENCRYPTION_KEY=%'],
  ['secret', '550e8400-e29b-41d4-a716-446655440000', 'api_key=%'],
  ['aws-secret-key', `${an(20)}/${an(19)}`, 'aws_secret_access_key = %'],
  ['aws-secret-key', `${an(20)}/${an(19)}`, '"SecretAccessKey": "%"'],
  ['token', an(40), 'export FOO_TOKEN=%'],
  ['token', hex(40), 'auth_token: %'],
  ['token', `${an(300)}`, 'aws_session_token=%'],
  ['github-token', `gh${'p_'}${an(36)}`, 'GITHUB_TOKEN=%'],
  ['anthropic-key', `sk-${'ant'}-api03-${an(60)}`, '"api_key":"%"'],
  ['jwt', jwt, 'access_token: "%"'],
]

const NUMBERS: readonly Case[] = [
  ['credit-card', '4111 1111 1111 1111', 'card % exp 12/27'],
  ['credit-card', '4111-1111-1111-1111'],
  ['credit-card', '5555555555554444', 'my card is %.'],
  ['credit-card', '3782 822463 10005'],
  ['credit-card', '6011111111111117'],
  ['ssn', '123-45-6789', 'My SSN is %'],
  ['ssn', '123-45-6789', 'social security number: %'],
  ['iban', 'DE89 3704 0044 0532 0130 00', 'Pay to % please'],
  ['iban', 'PL61109010140000071219812874'],
  ['iban', 'GB29NWBK60161331926819', 'IBAN: %'],
]

const ALL = [...SHAPES, ...STRUCTURES, ...NAMED, ...NUMBERS]

function inContext([, secret, around = 'see % and go on']: Case): { text: string; start: number } {
  const start = around.lastIndexOf('%')
  return { text: around.slice(0, start) + secret + around.slice(start + 1), start }
}

describe('what is redacted', () => {
  it.each(ALL.map((entry) => ({ kind: entry[0], entry })))('case %#, $kind', ({ entry }) => {
    const [kind, secret, around = 'see % and go on'] = entry
    const { text, start } = inContext(entry)
    const result = redact(text)
    expect(result.text).toBe(`${around.slice(0, start)}[REDACTED:${kind}]${around.slice(start + 1)}`)
    expect(result.spans).toHaveLength(1)
    expect(result.spans[0]).toMatchObject({ kind, start, end: start + secret.length, outStart: start })
  })

  it('every kind of the table of shapes has a case', () => {
    const tested = new Set(ALL.map(([kind]) => kind))
    expect(SHAPE_KINDS.filter((kind) => !tested.has(kind))).toEqual([])
  })

  it('every kind is in the documentation', () => {
    const page = new URL('../../docs/redaction.md', import.meta.url)
    const text = existsSync(page) ? readFileSync(page, 'utf8') : ''
    expect([...new Set(ALL.map(([kind]) => kind))].filter((kind) => !text.includes(`\`${kind}\``))).toEqual([])
  })

  it('a quoted value runs to its own closing quote, over escaped ones', () => {
    expect(redact('"password": "say \\"hi\\" 22", "a": 1').text).toBe('"password": "[REDACTED:password]", "a": 1')
  })

  it('several secrets in one text are all found', () => {
    const text = ALL.map((entry) => inContext(entry).text).join('\n\n')
    const kinds = new Set(redact(text).spans.map((span) => span.kind))
    expect([...new Set(ALL.map(([kind]) => kind))].filter((kind) => !kinds.has(kind))).toEqual([])
  })

  it('a token as user and a password in one URL are both found', () => {
    const token = `gh${'p_'}${an(36)}`
    expect(redact(`https://${token}:x9y8z7w6@github.com`).text).toBe('https://[REDACTED:github-token]:[REDACTED:url-password]@github.com')
  })
})

const UNTOUCHED: Record<string, readonly string[]> = {
  'git and content hashes': [
    hex(40),
    hex(64),
    `commit ${hex(40)}`,
    `sha256:${hex(64)}`,
    `index ${hex(7)}..${hex(8)} 100644`,
    `md5=${hex(32)}`,
  ],
  UUIDs: [
    '550e8400-e29b-41d4-a716-446655440000',
    'session_id: 01926b6e-7c3a-7e6b-9a62-5f1d6f3b2c4d',
    'token_id=550e8400-e29b-41d4-a716-446655440000',
  ],
  'base64 images': [`![x](data:image/png;base64,iVBORw0KGgo${an(400)}AK${'IA'}IOSFODNN7ABCDEFG/ey${'JhbGciOi'}+sk)`],
  'integrity hashes': [`"integrity": "sha512-${an(86)}=="`, `integrity sha1-${an(27)}=`, `sha384-${an(64)}`],
  'package names': [
    'sk-learn',
    'scikit-learn-extra==0.3.0',
    '@scope/sk-password-token-kit',
    'hf_transfer',
    'npm_config_registry',
    'npm_lifecycle_event',
    'key-value',
    'xai-sdk',
    'pypi-server',
    'r8_core',
  ],
  'words with a prefix of a key': [
    'sk-something-that-goes-on-and-on-v2',
    'sk-',
    'a sk- prefix',
    'ghp_',
    'AKIA',
    'eyJ',
    'task-force',
    'sk-estimator-html-doc-link-icon',
  ],
  'CSS colours': ['color: #ff00aa', '--token-color: #1a2b3c4d', 'background:#abcdef'],
  code: [
    'const sk = makeKey()',
    'token: string',
    'password: string',
    'password?: string | undefined',
    'apiKey: string;',
    'tokenCount = 5',
    'max_tokens: 4096',
    'const token = tokens[0]',
    'getPassword()',
    'password = getPassword()',
    'password = req.body.password',
    'const password = await prompt("Password")',
    'password: z.string().min(8)',
    'password=password',
    'connect(user=user, password=pw)',
    'if (password === null) return',
    'secret := os.Getenv("SECRET")',
    'token = generate_token(32)',
    'token, err := parser.Next()',
    'type Token = { kind: TokenKind }',
    'Secret::new("x")',
    'password_hash = hash(pw)',
    'tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased-2024")',
    'pad_token="[PAD]"',
    'next_page_token: "CAUQAA1234567890abcdefgh"',
    'cache_key = "user:1234567890abcdef1234"',
    'primary_key=True',
    '<input type="password" name="password" />',
    'passwordField.value = ""',
    'keyCode == 13',
    "errors.password = 'too_short'",
    'a > b && password > limit',
    '<password>string</password>',
    '<td>password</td><td>x</td>',
    'PASS: 12 tests',
    'PASS: test_foo1',
    'monthly pass: $156.00',
    'pass: "passed"',
    'const pass = !this.result.issues',
    `Release GPG key: ${hex(40).toUpperCase()}`,
    'private_key: "_RSAPrivateKey"',
    'private_key: ed25519.Ed25519PrivateKey',
    'CHALLENGE_PASSWORD: "challengePassword"',
    'docker run -u 1000:1000 image',
    'access_token: string',
    'accessToken = response.data.token1',
    'the key: it must be unique1',
    'STENCIL_PASS_DEPTH_PASS: 0x0B96',
    `if (line === '${dashes}BEGIN PRIVATE KEY${dashes}') { read() } // until ${dashes}END PRIVATE KEY${dashes}`,
    `${dashes}BEGIN CERTIFICATE${dashes}\n${an(64)}\n${dashes}END CERTIFICATE${dashes}`,
    `${dashes}BEGIN PUBLIC KEY${dashes}\n${an(64)}\n${dashes}END PUBLIC KEY${dashes}`,
    `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5${an(40)} me@host`,
    'Authorization: Bearer $TOKEN',
    'Authorization: Bearer <token>',
    'Authorization: Basic authentication',
    'bearer authentication-of-long-distance-runners',
    'Cookie: theme=dark; lang=en',
    'document.cookie = "a=b"',
  ],
  placeholders: [
    'api_key: "your-api-key"',
    'API_KEY=your_api_key_here_123',
    'password=xxxxxxxx',
    'password: ********',
    'PASSWORD=changeme',
    'SECRET_KEY=<your secret>',
    'password: ""',
    'password: null',
    'token: undefined',
    'api_key = "sk-..."',
    'api_key = "sk-xxxxxxxxxxxxxxxxxxxxxxxx"',
    `ghp_${'x'.repeat(36)}`,
    'password: "Enter your password"',
    '"password": "Password"',
    'https://user:password@example.com',
    'https://user:<password>@example.com',
    `postgres://user:\${DB_PASS}@host/db`,
    'https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX',
  ],
  'references to variables and stores': [
    'api_key: process.env.OPENAI_API_KEY',
    `apiKey: "\${OPENAI_API_KEY}"`,
    'PASSWORD=$DB_PASSWORD',
    'password: {{ .Values.password }}',
    `token: \${{ secrets.GITHUB_TOKEN }}`,
    'api_key=os.environ["API_KEY"]',
    'password_file: /run/secrets/db_password',
    'DB_PASSWORD=/run/secrets/db_password',
    'PWD=/home/me/project1',
    'secret: arn:aws:secretsmanager:us-east-1:123456789012:secret:x',
    'token: op://vault/item/field1',
    '%PASSWORD%',
    'set PASSWORD=%DB_PASSWORD%',
  ],
  'phone numbers': ['+1 (555) 010-9999', '555-010-9999', '+49 170 1234567', '0412 345 678'],
  'dates, times and versions': [
    '2026-02-05T10:30:00.000Z',
    '1738751400000',
    '1738751400000000',
    '20260205103000',
    'v1.2.3-beta.4+build.5',
    '12.11.1',
  ],
  'numbers that fail their checksum': ['4111 1111 1111 1112', '4111111111111112', 'DE89 3704 0044 0532 0130 01', '1234 5678 9012 3456'],
  'numbers inside longer ones': [
    '41111111111111111111',
    `a${'4111111111111111'}`,
    '4111111111111111-1',
    '0.4111111111111111',
    '0000 4111 1111 1111 1111',
    '4111 1111 1111 1111 2222 3333',
    `id_${'5555555555554444'}`,
  ],
  'an SSN without its word': ['123-45-6789', 'part 123-45-6789'],
  'file paths': ['/home/me/.ssh/id_rsa', 'C:\\Users\\me\\token.txt', './secrets/api_key.json', 'src/auth/token.ts:12:5'],
  'ids of clusters and clouds': [
    'pod/api-7d9f8b6c5d-x2x4z',
    'i-0abcd1234efgh5678',
    'arn:aws:iam::123456789012:role/Admin',
    'projects/p/secrets/s/versions/1',
    'toolu_01A09q90qw90lq917835lq9',
    'msg_01XFDUDYJgAACzvnptvVoYEL',
    'call_abcDEF1234567890abcDEF12',
  ],
  markdown: [
    '**token**: the unit of text',
    '| key | value |\n|---|---|',
    '- [ ] rotate the password: see the wiki',
    '# Secret: a history',
    'password: see below',
  ],
  'what is redacted already': [
    '[REDACTED:x]',
    'password=[REDACTED:password]',
    'Authorization: Bearer [REDACTED:jwt]',
    '"api_key": "[REDACTED:secret]"',
    'https://a:[REDACTED:url-password]@b',
  ],
  URLs: [
    'https://example.com:8080/path@v1',
    'http://localhost:3000',
    'git@github.com:a/b.git',
    'https://a.example/x?page_token=abc&sort_key=name',
    'see http://a.example:80, mail me@example.com',
  ],
}

describe('what is left alone', () => {
  for (const [group, texts] of Object.entries(UNTOUCHED)) {
    it.each(texts.map((text) => [text]))(`${group}: %s`, (text) => {
      for (const around of [text, `see ${text} there`, `a\n${text}\nb`]) expect(redact(around)).toMatchObject({ text: around, spans: [] })
    })
  }
})

describe('the redactor', () => {
  it('gives the text back in mode off', () => {
    const text = 'password=hunter2'
    expect(redactSensitiveText(text, { mode: 'off' })).toBe(text)
    expect(redactSensitiveText(text, { mode: 'tools' })).toBe('password=[REDACTED:password]')
  })

  it('changes nothing in its own output', () => {
    for (const entry of ALL) {
      const once = redact(inContext(entry).text).text
      expect(redact(once)).toMatchObject({ text: once, spans: [] })
    }
  })

  it('changes nothing in its own output for random mixtures either', () => {
    const random = randomFrom(11)
    const joints = ['', ' ', '\n', '=', ': ', '"', '-', '_', '.', '/', '\\n', '%3D', '@', ';', '[REDACTED:x]', '--', '1', 'a']
    const parts = [...ALL.flatMap((entry) => [entry[1], inContext(entry).text]), ...Object.values(UNTOUCHED).flat()]
    for (let round = 0; round < 3_000; round++) {
      const text = Array.from({ length: 6 }, () => `${parts[random(parts.length)]}${joints[random(joints.length)]}`).join('')
      const once = redact(text)
      expect(redact(once.text).text, JSON.stringify(text)).toBe(once.text)
      expectConsistent(text, once)
    }
  })

  it('maps every offset of the output back to the raw text', () => {
    const text = `a password=hunter2 b ${jwt} ü😀 c`
    const { text: out, spans, toRaw } = redact(text)
    expect(spans.map((span) => text.slice(span.start, span.end))).toEqual(['hunter2', jwt])
    expect(spans.map((span) => out.slice(span.outStart, span.outEnd))).toEqual(['[REDACTED:password]', '[REDACTED:jwt]'])
    expect(toRaw(0)).toBe(0)
    expect(toRaw(out.length)).toBe(text.length)
    expect(toRaw(out.indexOf(' b '))).toBe(text.indexOf(' b '))
    expect(toRaw(out.indexOf('😀'))).toBe(text.indexOf('😀'))
    expect(toRaw((spans[0]?.outStart ?? 0) + 3)).toBe(spans[0]?.start)
  })

  it('handles the empty text and lone surrogates', () => {
    expect(redact('')).toMatchObject({ text: '', spans: [] })
    expect(redact('\ud800 password=hunter2 \udc00').text).toBe('\ud800 password=[REDACTED:password] \udc00')
  })

  // A quadratic scan of these would take minutes; the limit leaves a slow machine a hundred times what it needs.
  it.each([
    'sk-',
    'a',
    'eyJ',
    'eyJa.',
    `${dashes}BEGIN `,
    `${dashes}BEGIN PRIVATE KEY${dashes}\n`,
    'password=',
    'password="',
    "password: '",
    'token=',
    'token:\\"',
    '--token ',
    '://a:',
    'postgres://a:b/',
    'cookie=',
    'Cookie: a=b;',
    'cookie=a;',
    'authorization:',
    'Bearer ',
    '1',
    '4 ',
    '4111 ',
    'GB82 ',
    '=',
    '= ',
    '[REDACTED:',
    ';base64,',
    'M.',
    'xoxb-',
    'password is ',
    '-',
    '\\n',
    '%3D',
    'key=',
    '>',
    '<password>',
    '_auth=',
    '-u a:',
    'curl -u a:b\n',
    '**password**',
    'token=$',
    'string: string = ',
    ' ',
  ])('takes linear time on many of %j', expectLinear)
})

function randomFrom(start: number): (n: number) => number {
  let seed = start
  return (n) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * n)
  }
}

function expectConsistent(raw: string, { text, spans }: ReturnType<typeof redact>): void {
  let from = 0
  let out = ''
  for (const span of spans) {
    expect(span.start).toBeGreaterThanOrEqual(from)
    expect(span.end).toBeGreaterThan(span.start)
    out += raw.slice(from, span.start)
    expect(out.length).toBe(span.outStart)
    out += `[REDACTED:${span.kind}]`
    expect(out.length).toBe(span.outEnd)
    from = span.end
  }
  expect(out + raw.slice(from)).toBe(text)
}
