/**
 * Frozen corpus of the sanitizer. `HIDDEN` came with `sanitize_transcript_v3`, `LAID_OUT` with v4, `NAMED` with v5, `PLACED` with v6. Never
 * change it: a new version gets its own. Secrets are assembled here, so that no file holds one.
 */

const ALNUM = 'aB3dE5fG7hJ9kL2mN4pQ6rS8tV1wX0yZ'
const HEX = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
const an = (length: number) => ALNUM.repeat(10).slice(0, length)
const hex = (length: number) => HEX.repeat(4).slice(0, length)
const dashes = '-'.repeat(5)
const block = (name: string, ...lines: string[]) =>
  [`${dashes}BEGIN ${name}${dashes}`, ...lines, `${dashes}END ${name}${dashes}`].join('\n')
const jwt = ['ey', 'JhbGciOiJIUzI1NiJ9.ey', 'JzdWIiOiIxMjM0NTY3ODkwIn0.', an(43)].join('')

/** At least one per kind. */
const SECRETS: readonly string[] = [
  `key sk-${'ant'}-api03-${an(40)} end`,
  `OPENAI_API_KEY=sk-${'proj'}-${an(48)}`,
  `AI${'za'}${an(35)}, ya${'29.'}${an(60)}, GOC${'SPX'}-${an(28)}`,
  `gs${'k_'}${an(52)} h${'f_'}${an(34)} r${'8_'}${an(37)} x${'ai-'}${an(80)}`,
  `pp${'lx-'}${an(48)} nv${'api-'}${an(64)}`,
  `git clone https://gh${'p_'}${an(36)}@github.com/a/b`,
  `github${'_pat_'}${an(22)}_${an(59)} gl${'pat-'}${an(20)}`,
  `//registry.npmjs.org/:_authToken=np${'m_'}${an(36)}`,
  `py${'pi-'}AgEIcHlwaS5vcmc${an(60)} dckr${'_pat_'}${an(27)}`,
  `xo${'xb-'}123456789012-1234567890123-${an(24)}`,
  `https://hooks.slack.com/services/T0${'1ABCDEF'}/B01ABCDEF/${an(24)}`,
  `https://discord.com/api/webhooks/123456789012345678/${an(68)} M${an(23)}.${an(6)}.${an(27)}`,
  `https://api.telegram.org/bot123456789:${'AA'}${an(33)}/getMe`,
  `sk${'_live_'}${an(24)} wh${'sec_'}${an(32)} s${'k_'}${hex(48)}`,
  `S${'K'}${hex(32)} S${'G.'}${an(22)}.${an(43)} ke${'y-'}${hex(32)}`,
  `id: AK${'IA'}IOSFODNN7ABCDEFG, aws_secret_access_key = ${an(40)}`,
  `AccountName=x;AccountKey=${an(86)}==;EndpointSuffix=y`,
  `AGE${'-SECRET-'}KEY-1${an(58).toUpperCase()}`,
  `dop${'_v1_'}${hex(64)} lin${'_api_'}${an(40)}`,
  `curl -H "X: ${jwt}"`,
  `before\n${block('RSA PRIVATE KEY', `MIIE${an(60)}`, an(64), `${an(20)}+/=`)}\nafter`,
  block('PGP PRIVATE KEY BLOCK', 'Version: GnuPG v2', '', an(64), '=abcd'),
  `{"private_key": "${block('PRIVATE KEY', an(64), an(64)).replaceAll('\n', '\\n')}\\n"}`,
  `${dashes}BEGIN PRIVATE KEY${dashes}\n${an(64)}\n${an(64)}\n\nThat was the start of it.`,
  `Authorization: Bearer ${an(40)}`,
  `Cookie: theme=dark; session_id=${an(32)}; csrf=${an(20)}`,
  'https://deploy:s3cr3t!@git.example.com/repo.git and postgres://app:Xk29fh2@db.internal:5432/app',
  'DB_PASSWORD=swordfish9 and "password": "hunter22" and --password hunter22 and the password is Tr0ub4dor',
  '<password>hunter22</password> and curl -u ada:hunter22 https://example.com',
  `client_secret: "${an(24)}" and refresh_token=${an(40)}`,
  'card 4111 1111 1111 1111, IBAN DE89 3704 0044 0532 0130 00, SSN 536-22-1234',
]

/** Resembles a secret. */
const HARMLESS: readonly string[] = [
  'your-api-key, changeme, <token>, xxxx, ****, sk-..., null, password: ""',
  `password=$VAR token=\${TOKEN} key={{ secret }} pass=process.env.PASS op://vault/item arn:aws:iam::1`,
  'token: string, tokenCount = 5, getPassword(), password = req.body.password, next_page_token, primary_key',
  `sha512-${an(86)}== ${hex(40)} 550e8400-e29b-41d4-a716-446655440000 data:image/png;base64,${an(200)}`,
  '2026-03-28 +1 555 123 4567 #ff00ff v1.2.3 /run/secrets/x 1234 5678 9012 3456',
  '[REDACTED:password] and [REDACTED:openai-key]',
]

/** May break an artifact. */
const BREAKING: readonly string[] = [
  'a\r\nb\rc\u2028d\u2029e\u0085f\u000bg\u000ch',
  '\u001b[31mred\u001b[0m \u001b]0;title\u0007 \u001bPx\u001b\\ \u009b31m \u0000\u0001\u0008\u007f',
  '\ud800 half \udc00 and \ud83d',
  '\u202eabc\u202c \u2066x\u2069 \ufeffy \u{e0041}\u{e0042}',
  `gh${'p_'}${an(10)}\u001b[1m${an(26)} and gh${'p_'}${an(10)}\u202e${an(26)}`,
  '</mnemonic-memory> <mnemonic-memory v="1"> < / MNEMONIC-memory > <\n/private> <private>x</private> <privateKey> <PrivateRoute/>',
  '---\nkind: manifest\n---\n# heading\n| a | b |\n[[memory/x.md|y]] ```` ~~~~',
  'né é\u0301 🎉 👩‍👩‍👧‍👦 你好，世界。 ﷽',
  '  two  spaces \t tab \n\n\n end  \n',
  '',
]

/** Missed by `sanitize_transcript_v1`. */
const HIDDEN: readonly string[] = [
  `word\u001b[32mgh${'p_'}${an(36)}\u001b[0m token_gh${'p_'}${an(36)} my-gh${'p_'}${an(36)} [32mgh${'p_'}${an(36)}[0m`,
  `word\u200bgh${'p_'}${an(10)}\u00ad${an(26)} ${[...`gh${'p_'}${an(36)}`].map((letter) => `${letter}\b${letter}`).join('')}`,
  `client-key-data: LS0tLS1CRUdJTi${an(80)}== and Authorization: SSWS 00${an(20)}-${an(8)} and GH_PAT=${an(40)}`,
  '"Pass": "hunter22" and ansible_become_pass: hunter22 and mysql -uroot -phunter22 and sshpass -p hunter22 ssh a',
  '| DB_PASSWORD | hunter22 |\ndocker login -u me -p hunter22 r.example\nmachine h login me password hunter22',
  'mkdir -p src and docker run -p 8080:80 and pass: true and "Pass": "12" and | password | string |',
]

/** Missed by `sanitize_transcript_v3`. */
const LAID_OUT: readonly string[] = [
  block('OPENSSH PRIVATE KEY', an(70), an(70), `${an(20)}==`)
    .split('\n')
    .map((line, i) => `${String(i + 1).padStart(6)}→${line}`)
    .join('\n'),
  `     1→machine h\n     2→  login ada\n     3→  password hunter22\n     4→`,
  `gl${'pat-'}${an(10)}_${an(9)} hv${'s.'}${an(24)} dp${'.st.'}${an(43)} sb_${'secret_'}${an(10)}-${an(11)}_${an(8)} f${'w_'}abcdefghijklmnopQRSTUv`,
  `pc${'sk_'}${an(5)}_${an(63)} vc${'p_'}${an(56)} nf${'p_'}${an(36)} re${'_'}${an(8)}_${an(24)} ${an(14)}.atlas${'v1.'}${an(67)}`,
  "CREATE USER 'ada' IDENTIFIED BY 'hunter22'; define('DB_PASSWORD', 'hunter22'); set -x DB_PASSWORD hunter22",
  "sessions are identified by name1; define('DB_HOST', 'db1'); set -euo pipefail; fw_transfer_of_things",
]

/** Missed by `sanitize_transcript_v4`. */
const NAMED: readonly string[] = [
  `curl -u ada:'h4rborL9x2' x; AWS Secret Access Key [None]: ${an(40)}; {"value":"h4rborL9x2","name":"DB_PASSWORD"}; SSHPASS=h4rborL9x2`,
  `storePassword 'h4rborL9x2'; #define API_KEY "h4rborL9x2"; password <- "h4rborL9x2"; ENV.fetch("DB_PASSWORD", "h4rborL9x2")`,
  `auth=("ada", "h4rborL9x2"); sudo -S id <<< 'h4rborL9x2'; <a:Password Type="t">h4rborL9x2</a:Password>; contraseña: h4rborL9x2; 密码：h4rborL9x2`,
  `https://${an(24)}@h/x log in with password ${an(16)} and your token is ${an(32)}; sg${'d_'}${'ab12'.repeat(16)} gb_${'api_'}${an(40)}`,
  'login("ada", "administrator") and .set("password", "label") and https://first.last@example.org and my_session=active',
]

/** Missed by `sanitize_transcript_v5`. */
const PLACED: readonly string[] = [
  `AUTH h4rborL9x2 and username ada privilege 15 secret 0 h4rborL9x2\n neighbor 10.0.0.1 password h4rborL9x2\nx: &db-password h4rborL9x2`,
  `SELECT pgp_sym_encrypt('x', 'h4rborL9x2'); jwt.sign(p, '${an(32)}'); vercel -t ${an(24)}; ["--password", "h4rborL9x2"]; cfg.password = [[h4rborL9x2]]`,
  `https://h/cb?code=${an(32)}&state=x https://h/js?key=${'ab12'.repeat(8)} password%3Dh4rborL9x2 ada:h4rborL9x2@db:5432`,
  `kind: Secret\ndata:\n  app.conf: ${an(24)}==\n---\nkind: ConfigMap\ndata:\n  mode: production1`,
  `acme_${an(36)} api-${'0a1b2c3d-0a1b-4c3d-a1b2-0a1b2c3d4e5f'} ${'0a1b2c3d-0a1b-4c3d-a1b2-0a1b2c3d4e5f'}:fx ${'ab12'.repeat(6)}:${'ab12'.repeat(16)}`,
  'AUTH required for this host and neighbor password policy and code=review and passwordHashV2Column and user_id_of_the_longest_name_here',
]

/** Each text alone and among the others: neighbours may change how a secret is read. */
export function sanitizerCorpus(): string[] {
  const lists = [SECRETS, HARMLESS, BREAKING, HIDDEN, LAID_OUT, NAMED, PLACED]
  return [...lists.flat(), ...lists.flatMap((list) => [list.join(' '), list.join('\n'), list.toReversed().join('\n\n')])]
}
