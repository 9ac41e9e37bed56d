/** Secrets that a place tells: a line of a network device, an argument of a call, a query, an encoded name, a sentence. */
import { describe, expect, it } from 'vitest'
import { redact } from './redact.ts'

const WORD = ['River', '98Pm', 'T2'].join('')
const KEY = 'aB3dE5fG7hJ9kL2mN4pQ6rS8tV1wX0yZ'
const HEX = '0a1b2c3d4e5f60718293a4b5c6d7e8f9'

describe('a place tells a secret', () => {
  it.each([
    `AUTH ${WORD}`,
    `127.0.0.1:6379> AUTH default ${WORD}`,
    `ACL SETUSER ada on >${WORD} ~* +@all`,
    `enable secret 0 ${WORD}`,
    `username ada privilege 15 password 7 ${HEX}`,
    `snmp-server community ${WORD} RO`,
    ` neighbor 10.0.0.1 password ${WORD}`,
    `crypto isakmp key ${WORD} address 10.0.0.1`,
    `SELECT pgp_sym_encrypt('hello', '${WORD}');`,
    `select aes_decrypt(c, '${WORD}') from t`,
    `jwt.sign(payload, '${KEY}')`,
    `crypto.createHmac('sha256', '${KEY}')`,
    `new PDO("mysql:host=a", "root", "${WORD}");`,
    `new ethers.Wallet("0x${HEX}${HEX}")`,
    `x: &db-password ${WORD}`,
    `password: &p ${WORD}`,
    `password: !!str ${WORD}`,
    `cfg.password = [[${WORD}]]`,
    `char password[32] = "${WORD}";`,
    `Dim password As String = "${WORD}"`,
    `vercel deploy --prod -t ${KEY}`,
    `doctl auth init -t ${KEY}`,
    `"args": ["--password", "${WORD}"]`,
    `["mysql", "-uroot", "-p${WORD}"]`,
    `bw unlock ${WORD}`,
    `yes ${WORD} | passwd ada`,
    `https://maps.example.org/js?key=${HEX}&v=1`,
    `http://localhost:3000/callback?code=${KEY}&state=x`,
    `grant_type=authorization_code&code=${KEY}&redirect_uri=x`,
    `ada:${WORD}@db.example.org:5432`,
    `password%3D${WORD}`,
    `%7B%22password%22%3A%22${WORD}%22%7D`,
    `kind: Secret\ndata:\n  app.conf: ${KEY}`,
    `data:\n  app.conf: ${KEY}\nkind: Secret`,
    `{"ParameterKey":"DbPassword","ParameterValue":"${WORD}"}`,
    `<input type="password" value="${WORD}">`,
    `{{ env "DB_PASSWORD" | default "${WORD}" }}`,
    `user\tpassword\nada\t${WORD}`,
    `Password:\n${WORD}\n`,
    `API Key\n${KEY}\n`,
    `use password ${WORD}`,
    `creds are ada:${WORD}`,
    `das Kennwort lautet ${WORD}`,
    `la contraseña es ${WORD}`,
    `密码是${WORD}`,
    `пароль ${WORD}`,
    `acme_${KEY}`,
  ])('%j', (text) => {
    const out = redact(text).text
    for (const secret of [WORD, KEY, HEX]) expect(out).not.toContain(secret)
    expect(out).toContain('[REDACTED:')
    expect(redact(out)).toMatchObject({ text: out, spans: [] })
  })

  it.each([
    'AUTH required for /v2/users',
    'enable password policy',
    'username ada role admin1',
    'neighbor 10.0.0.1 password policy',
    `createHash('sha256').update('page-12')`,
    `jwt.verify(token, publicKey2)`,
    'docker run --user 1000:1000 -t node:20',
    'docker build -t registry.example.org/team/service:release-2026-02-01 .',
    'vercel dev -t 3000',
    '["--password", "--token"]',
    'https://example.org/?key=title&code=200',
    'https://example.org/?code=E_NOT_FOUND',
    'kind: ConfigMap\ndata:\n  mode: production1',
    `<input type="text" value="${WORD}">`,
    'sig != stringEndArchive64Locator',
    'UNRESERVED_TOKEN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"',
    'use password hashing with Argon2id',
    'password for the account is stored in passwordHashV2Column',
    `cache key ${HEX}`,
    `chunk_${HEX}`,
    'user_id_of_the_longest_name_that_is_here',
    'import a from "x:y1@1.2.3"',
  ])('and %j tells none', (text) => expect(redact(text)).toMatchObject({ text, spans: [] }))
})
