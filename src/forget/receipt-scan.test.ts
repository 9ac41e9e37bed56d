import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { testHome } from '../../test/helpers/home.ts'
import type { ForgetReport } from './forget.ts'

const SECRET = 'Überfall auf "Kestrel"/9931'

async function world() {
  const home = testHome()
  const workspace = join(home.root, 'workspace')
  mkdirSync(workspace, { recursive: true })
  writeFileSync(
    join(home.logs, 'chat.jsonl'),
    ['What is planned?', `It is called ${SECRET}.`, 'And then?']
      .map((content, n) => `${JSON.stringify({ role: n % 2 ? 'assistant' : 'user', content, timestamp: '2026-02-05T10:30:00Z' })}\n`)
      .join(''),
  )
  const mnemonic = await home.open()
  await mnemonic.sync({ path: home.logs, embed: false })
  return { workspace, forget: async () => (await mnemonic.forget({ match: SECRET })) as ForgetReport }
}

const escaped = JSON.stringify(SECRET).slice(1, -1)

const FORMS: Readonly<Record<string, string | Buffer>> = {
  'plain.txt': SECRET,
  'capitals.txt': SECRET.toUpperCase(),
  'utf16-little.txt': Buffer.from(`before ${SECRET} after`, 'utf16le'),
  'utf16-big.txt': Buffer.from(`before ${SECRET} after`, 'utf16le').swap16(),
  'json.json': JSON.stringify({ note: SECRET }),
  'json-ascii.json': `{"note":"${escaped.replace('Ü', '\\u00dc')}"}`,
  'json-in-json.json': JSON.stringify({ note: JSON.stringify({ inner: SECRET }) }),
  'json-slash.json': `{"note":"${escaped.replaceAll('/', '\\/')}"}`,
  'url.txt': `https://example.test/?q=${encodeURIComponent(SECRET)}`,
  'form.txt': `q=${encodeURIComponent(SECRET).replaceAll('%20', '+')}`,
  'base64-0.txt': Buffer.from(`${SECRET} and more`).toString('base64'),
  'base64-1.txt': Buffer.from(`x${SECRET} and more`).toString('base64'),
  'base64-2.txt': Buffer.from(`xy${SECRET} and more`).toString('base64'),
  'base64url.txt': Buffer.from(`?>?${SECRET}`).toString('base64url'),
}

it('a file of another program is named in whatever form it holds the text', async () => {
  const { workspace, forget } = await world()
  writeFileSync(join(workspace, 'harmless.txt'), 'nothing of the kind')
  for (const [name, content] of Object.entries(FORMS)) writeFileSync(join(workspace, name), content)
  const report = await forget()
  expect(report.status).toBe('still_held')
  expect(report.still_held.map(({ path }) => path).sort()).toEqual(
    Object.keys(FORMS)
      .map((name) => join(workspace, name))
      .sort(),
  )
  expect(new Set(report.still_held.map(({ owner }) => owner))).toEqual(new Set(['other']))
})

it('a folder that cannot be read is named, and nothing is called gone', async () => {
  const { workspace, forget } = await world()
  // Too long for a path: not even root can open it.
  const [long, folder] = ['d'.repeat(250), process.cwd()]
  onTestFinished(() => {
    process.chdir(folder)
    execFileSync('rm', ['-rf', join(workspace, long)])
  })
  process.chdir(workspace)
  for (let depth = 0; depth < 20; depth += 1) {
    mkdirSync(long)
    process.chdir(long)
  }
  process.chdir(folder)
  const report = await forget()
  expect(report.scan.unreadable).toHaveLength(1)
  expect(report).toMatchObject({ status: 'still_held', still_held: [] })
})
