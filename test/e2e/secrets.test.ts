/** `mnemonic secrets` through the binary: places of secrets, and never a value. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { claudeLog } from '../helpers/claude-log.ts'
import { seeded } from '../helpers/hostile-text.ts'
import { binaryHome } from '../helpers/run-binary.ts'
import { saidHome } from '../helpers/said-home.ts'
import { drawToken, secretPart, TOKEN_FORMATS } from '../helpers/token-kinds.ts'

it('lists kind and place of each secret, without its value', async () => {
  const home = binaryHome()
  const random = seeded(9)
  const token = drawToken('glpat-{20:w}', random)
  const lines = ['-----BEGIN ', drawToken('{64:b}', random), '-----END ']
  const key = [`${lines[0]}RSA PRIVATE KEY-----`, lines[1], `${lines[2]}RSA PRIVATE KEY-----`]
    .map((line, i) => `     ${i + 1}→${line}`)
    .join('\n')
  const log = claudeLog(join(home.root, 'claude', 'projects'), 'aaaaaaaa-0000-4000-8000-000000000001')
  log.turn(`please use ${token} for the upload`, `read:\n${key}`)
  log.turn(`again ${token} now`, 'done')
  await home.run('sync', '--adapter', 'claude-code')
  const json = await home.run('secrets', '--json')
  expect(json.stdout + json.stderr).not.toContain(token.slice(6, 18))
  expect(json.stdout).not.toContain(lines[1]?.slice(0, 20))
  const answer = JSON.parse(json.stdout) as {
    secrets: { kind: string; path: string; fingerprint: string }[]
    different: number
    total: number
  }
  expect(answer).toMatchObject({ total: 3, different: 2 })
  expect(answer.secrets.map(({ kind }) => kind).sort()).toEqual(['gitlab-token', 'gitlab-token', 'private-key'])
  expect(new Set(answer.secrets.map(({ path }) => path))).toEqual(new Set([log.path]))
  const only = await home.run('secrets', '--kind', 'private-key')
  expect(only.stdout).toContain('private-key')
  expect(only.stdout).not.toContain('gitlab-token')
  home.remove()
})

it('shows no token of any kind that grep -C printed in a line around a match', async () => {
  const home = binaryHome()
  const random = seeded(23)
  const drawn = Object.entries(TOKEN_FORMATS).map(([name, template]) => ({ name, template, token: drawToken(template, random) }))
  const log = claudeLog(join(home.root, 'claude', 'projects'), 'dddddddd-0000-4000-8000-000000000001')
  const lines = drawn.map(({ token }, i) => `src/keys.ts-${i + 10}-${token}\nsrc/other.ts-${i + 10}-nothing to see`)
  log.call('Bash', { command: 'grep -rC2 lighthouse src' }, `src/keys.ts:9:lighthouse\n${lines.join('\n')}`)
  log.turn('what did it print?', `This: \n${lines.join('\n')}`)
  await home.run('sync', '--adapter', 'claude-code')
  const found = [
    await home.run('sql', 'select result_json from agent_tool_calls', '--json'),
    await home.run('sql', 'select content from agent_messages', '--json'),
    await home.run('search', 'lighthouse', '--json'),
  ]
  for (const { stdout } of found) {
    expect(stdout).toContain('keys.ts-10-')
    expect(drawn.filter(({ template, token }) => stdout.includes(secretPart(template, token).slice(-10))).map(({ name }) => name)).toEqual(
      [],
    )
  }
  home.remove()
})

it('looks into titles, summaries, tool work and mail too, counts a secret once a place, and can be stopped', async () => {
  const random = seeded(19)
  const draw = () => drawToken('ghp_{36:a}', random)
  const [prompt, title, summary, mail] = [draw(), draw(), draw(), draw()]
  const session = 'cccccccc-0000-4000-8000-000000000001'
  const memory = await saidHome([{ session, folder: '/home/dev/atlas', texts: [`use ${prompt}, I said ${prompt}`, 'done'] }])
  const { home } = memory
  const line = { sessionId: session, cwd: '/home/dev/atlas', version: '2.1.7', userType: 'external', isSidechain: false }
  const added = [
    { ...line, type: 'custom-title', customTitle: `Rotate ${title}` },
    {
      ...line,
      type: 'system',
      subtype: 'compact_boundary',
      uuid: 'c1',
      parentUuid: null,
      logicalParentUuid: `${session}-1`,
      timestamp: '2026-02-01T11:00:00.000Z',
      content: 'Conversation compacted',
      compactMetadata: { trigger: 'auto', preTokens: 9 },
    },
    {
      ...line,
      type: 'user',
      uuid: 'c2',
      parentUuid: 'c1',
      isCompactSummary: true,
      timestamp: '2026-02-01T11:00:01.000Z',
      message: { role: 'user', content: `Summary: the token is ${summary}` },
    },
  ]
  const log = join(home.logs, '-home-dev-atlas', `${session}.jsonl`)
  writeFileSync(log, `${added.map((one) => JSON.stringify(one)).join('\n')}\n`, { flag: 'a' })
  const box = join(home.root, 'mail.mbox')
  writeFileSync(
    box,
    `From 1@x Mon Feb 02 10:00:00 +0000 2026\nMessage-ID: <m1@x.example>\nDate: Mon, 2 Feb 2026 10:00:00 +0000\nFrom: eve@x.example\nTo: me@x.example\nSubject: key\n\nTake ${mail} for now.\n`,
  )
  await memory.sync({ path: home.logs, adapters: ['claude-code'], embed: false })
  await memory.sync({ path: box, adapters: ['gmail'], embed: false })

  const all = await memory.secrets()
  expect(all.secrets.map(({ place }) => place).sort()).toEqual(['compaction', 'event', 'message', 'title'])
  expect(all).toMatchObject({ total: 4, different: 4 })
  expect(all.secrets.filter(({ session_id }) => session_id !== null).map(({ path }) => path)).toEqual([log, log, log])
  expect(JSON.stringify(all)).not.toMatch(/ghp_/)
  expect((await memory.secrets({ source: 'gmail' })).secrets).toMatchObject([{ place: 'event', source: 'gmail', session_id: null }])
  expect((await memory.secrets({ project: 'atlas' })).total).toBe(3)
  expect((await memory.secrets({ since: '2026-02-02' })).secrets.map(({ place }) => place)).toContain('event')
  expect((await memory.secrets({ agent: 'ops' })).total).toBe(0)
  const seen: number[] = []
  await memory.secrets({ onProgress: (event) => seen.push('done' in event ? event.done : 0) })
  expect(seen.at(-1)).toBeGreaterThan(3)
  await expect(memory.secrets({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'INTERRUPTED' })
})
