/** Private keys in the layouts in which tools print files. Made here by chance, so that no file of the project holds one. */
import { describe, expect, it } from 'vitest'
import { seeded } from '../../test/helpers/hostile-text.ts'
import { redact } from './redact.ts'

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const random = seeded(3)
const material = (length: number) => Array.from({ length }, () => BASE64[Math.floor(random() * 64)]).join('')
const dashes = '-'.repeat(5)

function key(label: string, lengths: readonly number[], head: readonly string[] = []): string[] {
  return [`${dashes}BEGIN ${label}${dashes}`, ...head, ...lengths.map(material), `${dashes}END ${label}${dashes}`]
}

const KEYS = {
  OPENSSH: key('OPENSSH PRIVATE KEY', [70, 70, 70, 70, 26]),
  RSA: key('RSA PRIVATE KEY', [64, 64, 64, 64, 64, 64, 12]),
  EC: key('EC PRIVATE KEY', [64, 64, 36]),
  PGP: key('PGP PRIVATE KEY BLOCK', [64, 64, 64, 20, 5], ['Version: GnuPG v2', '']),
  PKCS8: key('PRIVATE KEY', [64]),
} satisfies Readonly<Record<string, string[]>>

type Layout = (lines: readonly string[]) => string
const each =
  (print: (line: string, n: number) => string, end = '\n'): Layout =>
  (lines) =>
    lines.map((line, i) => print(line, i + 1)).join(end)
const pad = (n: number) => String(n).padStart(6)
const html = (line: string) => line.replace(/[+/=]/g, (sign) => `&#x${sign.charCodeAt(0).toString(16)};`)

const LAYOUTS: Readonly<Record<string, Layout>> = {
  plain: each((line) => line),
  CRLF: each((line) => line, '\r\n'),
  CR: each((line) => line, '\r'),
  indented: each((line) => `      ${line}`),
  'the arrow of Read': each((line, n) => `${pad(n)}→${line}`),
  'cat -n': each((line, n) => `${pad(n)}\t${line}`),
  'nl with a space': each((line, n) => `${pad(n)}  ${line}`),
  'less -N': each((line, n) => `${pad(n)} ${line}`),
  'cat -A': each((line) => `${line}$`),
  'cat -A of CRLF': each((line) => `${line}^M$`),
  'cat -An': each((line, n) => `${pad(n)}\t${line}$`),
  'sed -n l': each((line) => `${line}$`),
  'grep -n': each((line, n) => `${n}:${line}`),
  'grep -C': each((line, n) => `${n}${n === 3 ? ':' : '-'}${line}`),
  'grep -rn': each((line, n) => `deploy/id_rsa:${n}:${line}`),
  'grep -rC': each((line, n) => `deploy/id_rsa-${n}-${line}`),
  'rg --vimgrep': each((line, n) => `id_rsa:${n}:1:${line}`),
  'git grep': each((line, n) => `HEAD:keys/id_rsa:${n}:${line}`),
  'git blame': each((line, n) => `^ab12cd3 (Ada 2026-02-05 10:30:00 +0100 ${pad(n)}) ${line}`),
  bat: each((line, n) => `${pad(n)} │ ${line}`),
  'bat in colours': each((line, n) => `\u001b[38;5;243m${pad(n)} │\u001b[0m \u001b[38;5;231m${line}\u001b[0m`),
  'colours of grep': each((line, n) => `\u001b[35mid_rsa\u001b[m\u001b[36m:\u001b[m\u001b[32m${n}\u001b[m:${line}`),
  box: (lines) => ['┌──────┐', ...lines.map((line) => `│ ${line.padEnd(72)} │`), '└──────┘'].join('\n'),
  'double box': each((line) => `║ ${line.padEnd(72)} ║`),
  'ASCII box': each((line) => `| ${line.padEnd(72)} |`),
  'a table': each((line, n) => `| ${n} | \`${line}\` |`),
  'added lines': each((line) => `+${line}`),
  'removed lines': each((line) => `-${line}`),
  'a merge': each((line) => `++${line}`),
  'plain diff': each((line) => `> ${line}`),
  quotes: each((line) => `> ${line}`),
  'nested quotes': each((line) => `> > ${line}`),
  backticks: each((line) => `\`${line}\``),
  fence: (lines) => ['```', ...lines, '```'].join('\n'),
  'a list': each((line) => `- ${line}`),
  'numbered list': each((line, n) => `${n}. ${line}`),
  'shell comments': each((line) => `# ${line}`),
  'line comments': each((line) => `// ${line}`),
  'block comment': each((line) => ` * ${line}`),
  'SQL comments': each((line) => `-- ${line}`),
  'JSON escape': each((line) => line, '\\n'),
  'JSON in JSON': each((line) => line, '\\\\n'),
  'JSON escape of CRLF': each((line) => line, '\\r\\n'),
  'JSON of PHP': each((line) => line.replaceAll('/', '\\/'), '\\n'),
  'lines of JSON': each((line) => `  "${line}",`),
  'joined strings': each((line) => `  "${line}\\n" +`),
  'strings of Python': each((line) => `    '${line}\\n'`),
  URL: (lines) => encodeURIComponent(lines.join('\n')),
  form: (lines) => encodeURIComponent(lines.join('\n')).replaceAll('%20', '+'),
  'line feeds of URLs': each((line) => line, '%0A'),
  'line feeds of HTML': each((line) => line, '&#10;'),
  'line feeds of XML': each((line) => line, '&#xA;'),
  'escaped HTML': each(html, '<br>'),
  'one line': each((line) => line, ' '),
  compose: each((line) => `web_1  | ${line}`),
  kubectl: each((line) => `[pod/api-7d9f8b6c5d-x2x4z/api] ${line}`),
  'log with a time': each((line) => `2026-02-05T10:30:00.123Z INFO  ${line}`),
  'GitHub Actions': each((line) => `2026-02-05T10:30:00.1234567Z ${line}`),
  journal: each((line) => `Feb 05 10:30:00 host deploy[123]: ${line}`),
  'JSON log': each((line) => `{"level":"info","time":1738751400000,"msg":"${line}"}`),
  psql: each((line) => ` ${line} +`),
  cursor: each((line, n) => `${n}|${line}`),
  'L12:': each((line, n) => `L${n}: ${line}`),
  prompt: each((line) => `... ${line}`),
  stderr: each((line) => `[stderr] ${line}`),
}

function leftOf(lines: readonly string[], shown: string): string[] {
  const parts = lines.slice(1, -1).filter((line) => line.length >= 5 && !line.includes(':'))
  return parts.filter((line) => shown.includes(line) || shown.includes(line.slice(0, 16)) || shown.includes(line.slice(-16)))
}

describe.each(Object.entries(LAYOUTS))('a key in the layout %s', (_, layout) => {
  it.each(Object.entries(KEYS))('%s', (_, lines) => {
    const text = `before\n${layout(lines)}\nafter`
    const out = redact(text)
    expect(leftOf(lines, out.text)).toEqual([])
    expect(out.text).toMatch(/^before\n[\s\S]*\[REDACTED:(?:pgp-)?private-key\][\s\S]*\nafter$/)
    expect(redact(out.text)).toMatchObject({ text: out.text, spans: [] })
    for (const span of out.spans) expect(out.text.slice(span.outStart, span.outEnd)).toBe(`[REDACTED:${span.kind}]`)
  })

  it('without its last lines, as an output that was cut', () => {
    const lines = KEYS.RSA
    expect(leftOf(lines, redact(`before\n${layout(lines.slice(0, -2))}`).text)).toEqual([])
  })
})

it('a key whose first lines were cut off is found by its last', () => {
  const lines = KEYS.RSA
  for (const layout of ['plain', 'the arrow of Read', 'grep -C', 'added lines', 'bat']) {
    const out = redact(`before\n\n${LAYOUTS[layout]?.(lines.slice(2))}\nafter`).text
    expect(leftOf(lines, out), layout).toEqual([])
    expect(out).toMatch(/^before\n/)
    expect(out).toMatch(/\nafter$/)
  }
})

it('what only names the lines of a key stays, in code and in prose', () => {
  const [begin, end] = [`${dashes}BEGIN PRIVATE KEY${dashes}`, `${dashes}END PRIVATE KEY${dashes}`]
  for (const text of [
    `const BEGIN = '${begin}'\nconst isKey = (text: string) => text.startsWith(BEGIN)\nconst END = '${end}'`,
    `     1→  if (line === '${begin}') {\n     2→    return readUntil('${end}')\n     3→  }`,
    `The first line is ${begin}, then base64 of the key, then ${end}.`,
    `${begin}\n<the key>\n${end}`,
  ])
    expect(redact(text)).toMatchObject({ text, spans: [] })
})

describe('a secret of several lines is found behind what a tool puts before lines', () => {
  const word = ['sword', 'fish9'].join('')
  it.each<[string, string]>([
    ['.netrc', `machine git.example\n  login ada\n  password ${word}`],
    ['a value below its name', `db_password:\n  ${word}\nhost: a`],
    ['a pair', `- name: DB_PASSWORD\n  value: ${word}`],
    ['a column', `| user | password |\n|---|---|\n| ada | ${word} |`],
    ['a command that goes on below', `docker login \\\n  -u ada \\\n  -p ${word} r.example`],
    ['sshpass', `set -e\nsshpass -p ${word} ssh ada@host`],
    ['mysql', `set -e\nmysql -uroot -p${word} shop`],
    ['7z', `set -e\n7z x -p${word} a.7z`],
  ])('%s', (_, text) => {
    for (const layout of [
      'the arrow of Read',
      'cat -n',
      'grep -n',
      'grep -rn',
      'bat',
      'added lines',
      'quotes',
      'compose',
      'GitHub Actions',
      'cursor',
    ]) {
      const shown = LAYOUTS[layout]?.(text.split('\n')) ?? ''
      expect(redact(shown).text, layout).not.toContain(word)
    }
  })

  it('also where the command stands alone behind the arrow', () => {
    for (const command of [
      `sshpass -p ${word} ssh a@b`,
      `mysql -uroot -p${word} shop`,
      `7z x -p${word} a.7z`,
      `machine h login a password ${word}`,
    ])
      expect(redact(`     1→${command}`).text).not.toContain(word)
  })
})

describe('a PuTTY key', () => {
  const body = [64, 64, 64, 64, 32].map(material)
  const ppk = [
    'PuTTY-User-Key-File-3: ssh-ed25519',
    'Encryption: none',
    'Comment: laptop',
    'Public-Lines: 1',
    material(68),
    `Private-Lines: ${body.length}`,
    ...body,
    `Private-MAC: ${'0f'.repeat(32)}`,
  ]
  it.each(Object.entries(LAYOUTS))('has no private lines left: %s', (_, layout) => {
    const out = redact(`Here:\n${layout(ppk)}\nAnd so on.`).text
    for (const line of body) expect(out).not.toContain(line.slice(8, 24))
    expect(out).toContain('And so on.')
  })

  it('is only its private lines; words about them are no key', () => {
    expect(redact(ppk.join('\n')).text).toContain(ppk[4])
    const words = 'Private-Lines: 13 is the count of lines\nbelow the public part of the file'
    expect(redact(words).text).toBe(words)
  })
})

describe('a key of which a part was printed', () => {
  const end = `${dashes}END RSA PRIVATE KEY${dashes}`
  const lines = [64, 64, 30].map(material)
  it.each([
    ['JSON', JSON.stringify({ content: [...lines, end].join('\n') })],
    ['JSON in JSON', JSON.stringify(JSON.stringify({ content: [...lines, end].join('\n') }))],
    ['a URL', [...lines, end].join('%0A')],
    ['double line ends', [...lines, end].join('\n\n')],
    ['cat -A of CRLF', [...lines, end].map((line) => `${line}^M$`).join('\n')],
  ])('from the middle to its end: %s', (_, text) => {
    for (const line of lines) expect(redact(text).text).not.toContain(line.slice(4, 20))
  })

  it.each([
    ['syslog', (line: string) => `Feb  3 10:11:12 host app[1234]: ${line}`],
    ['kubectl logs', (line: string) => `[pod/web-6f4c/app] ${line}`],
    ['a table of HTML', (line: string) => `<tr><td class="code">${line}</td></tr>`],
    ['a chat', (line: string) => `10:11 <ada> ${line}`],
  ])('from its head with an empty line on: %s', (_, print) => {
    const head = [`${dashes}BEGIN RSA PRIVATE KEY${dashes}`, 'Proc-Type: 4,ENCRYPTED', 'DEK-Info: AES-256-CBC,0011', '', ...lines]
    const out = redact(`${head.map(print).join('\n')}\nThat was the file.`).text
    for (const line of lines) expect(out).not.toContain(line.slice(4, 20))
    expect(out).toContain('That was the file.')
  })
})

it('a whole key behind line numbers is one secret, from its first line to its last', () => {
  const text = (LAYOUTS['the arrow of Read'] as Layout)(KEYS.OPENSSH)
  const { spans, text: out } = redact(text)
  expect(spans).toHaveLength(1)
  expect(out).toBe(`${pad(1)}→[REDACTED:private-key]`)
})

describe('a key that was encoded once more', () => {
  const whole = (lines: readonly string[]) => `${lines.join('\n')}\n`
  const base64 = (lines: readonly string[]) => Buffer.from(whole(lines)).toString('base64')
  const wrapped = (text: string) => text.match(/.{1,76}/g)?.join('\n') ?? ''
  const AGE = `AGE-SECRET-KEY-1${'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L'.repeat(2).slice(0, 58)}`
  const PUTTY = ['PuTTY-User-Key-File-3: ssh-rsa', 'Encryption: none', 'Private-Lines: 3', ...[64, 64, 20].map(material)]

  it.each(Object.entries({ ...KEYS, PUTTY, AGE: [AGE] }))('%s', (_, lines) => {
    for (const text of [
      base64(lines),
      `id_rsa: ${base64(lines)}`,
      wrapped(base64(lines)),
      wrapped(base64(lines)).replace(/^/gm, '     7→'),
      base64(['# a comment before it', ...lines]),
      Buffer.from(whole(lines)).toString('base64url'),
      Buffer.from(whole(lines)).toString('hex'),
      encodeURIComponent(encodeURIComponent(whole(lines))),
    ]) {
      const { text: out } = redact(`before\n${text}\n\nafter, all is well`)
      const left = (text.match(/[A-Za-z0-9+/_-]{16}/g) ?? []).slice(4).filter((part) => out.includes(part))
      expect(left).toEqual([])
      expect(out).toContain('before\n')
      expect(out).toContain('after, all is well')
    }
  })

  it('a certificate, a public key and a text about keys are none', () => {
    for (const lines of [
      key('CERTIFICATE', [64, 64]),
      key('PUBLIC KEY', [64]),
      ['A PRIVATE KEY begins with dashes; keep it to yourself, and rotate it every year.'],
    ]) {
      expect(redact(base64(lines)).spans).toEqual([])
    }
  })

  it('many signs of one cost no more than their length', () => {
    const text = 'UFJJVkFURSBLRV'.repeat(40_000)
    const begun = performance.now()
    redact(text)
    expect(performance.now() - begun).toBeLessThan(4000)
  })
})

it('the lines of a PuTTY key are hidden whatever stands between them', () => {
  const lines = ['Private-Lines: 3', ...[64, 64, 20].map(material), `Private-MAC: ${'ab12'.repeat(16)}`]
  for (const text of [
    lines.map((line, i) => `${i + 1}\n${line}`).join('\n'),
    lines.map((line) => `keys/ada-${line}`).join('\n'),
    lines.flatMap((line) => (line.startsWith('P') ? [line] : (line.match(/.{1,20}/g) ?? []))).join('\n'),
  ])
    expect(lines.slice(1, 4).filter((line) => redact(text).text.includes(line.slice(0, 16)))).toEqual([])
})
