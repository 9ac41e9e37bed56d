/** init, install and uninstall as a person types them, on a machine of the test's own. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { run } from '../../src/cli/main.ts'
import type { Questions } from '../../src/cli/questions.ts'
import { binaryHome, SAMPLES } from '../helpers/run-binary.ts'

const SETTINGS = '{\n  // mine\n  "model": "opus"\n}\n'

/** A person with Claude Code, Codex and mail, and nothing on the PATH that could be told something. */
function person() {
  const { root, remove } = binaryHome()
  onTestFinished(remove)
  const user = join(root, 'user')
  const own: NodeJS.ProcessEnv = {
    ...{ PATH: join(root, 'empty'), HOME: user, TZ: 'UTC', NO_COLOR: '1' },
    ...{ MNEMONIC_HOME: join(user, '.mnemonic'), MNEMONIC_WORKSPACE: join(user, '.agents') },
  }
  mkdirSync(join(user, '.codex'), { recursive: true })
  mkdirSync(join(user, '.claude', 'projects'), { recursive: true })
  mkdirSync(join(user, 'Takeout', 'Mail'), { recursive: true })
  writeFileSync(join(user, '.claude', 'settings.json'), SETTINGS)
  cpSync(join(SAMPLES, 'claude-code'), join(user, '.claude', 'projects', 'samples'), { recursive: true })
  const mnemonic = async (argv: readonly string[], questions?: Questions) => {
    const written = { out: '', err: '' }
    const restore = become(own)
    try {
      const code = await run(argv, {
        stdout: { write: (text) => (written.out += text) },
        stderr: { write: (text) => (written.err += text) },
        env: own,
        isTTY: { stdin: questions !== undefined, stdout: false, stderr: false },
        signal: () => new AbortController().signal,
        questions: questions && (async () => questions),
      })
      return { code, ...written }
    } finally {
      restore()
    }
  }
  const files = () =>
    Object.fromEntries(
      readdirSync(user, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.parentPath.includes('projects'))
        .map(({ parentPath, name }) => [join(parentPath, name).slice(user.length + 1), readFileSync(join(parentPath, name), 'latin1')]),
    )
  return { user, mnemonic, files, read: (path: string) => readFileSync(join(user, path), 'utf8') }
}

/** Variable by variable, so that the system itself knows them: an environment that only this process has leaves the home folder the real one. */
function become(env: NodeJS.ProcessEnv): () => void {
  const before = { ...process.env }
  const set = (values: NodeJS.ProcessEnv) => {
    for (const name of Object.keys(process.env)) if (!(name in values)) delete process.env[name]
    for (const [name, value] of Object.entries(values)) if (value !== undefined) process.env[name] = value
  }
  set(env)
  if (homedir() !== env.HOME) throw new Error(`the home folder would be ${homedir()}`)
  return () => set(before)
}

/** Answers in order; what is asked is kept. Undefined leaves. */
function answers(given: readonly (boolean | string[] | undefined)[]): Questions & { asked: string[] } {
  const left = [...given]
  const asked: string[] = []
  const next = (question: string) => {
    asked.push(question)
    return left.shift()
  }
  return {
    asked,
    yes: async (question) => next(question) as boolean | undefined,
    which: async (question) => next(question) as string[] | undefined,
  }
}

it('installs, lists, and takes out again, in text and in JSON', async () => {
  const { mnemonic, files, read } = person()
  const before = files()
  const dry = await mnemonic(['install', 'claude-code', '--dry-run'])
  expect(dry).toMatchObject({ code: 0, out: expect.stringContaining('+') })
  expect(files()).toEqual(before)
  expect((await mnemonic(['install', 'claude-code', 'codex'])).out).toMatch(/Claude Code: installed[\s\S]*Codex: installed/)
  expect(read('.claude/settings.json')).toMatch(/bin\.[jt]s'? hook claude-code prompt"/)
  const listed = JSON.parse((await mnemonic(['install', '--json'])).out)
  expect(listed.harnesses.filter(({ installed }: { installed: boolean }) => installed).map(({ name }: { name: string }) => name)).toEqual([
    'claude-code',
    'codex',
  ])
  expect(JSON.parse((await mnemonic(['install', 'codex', '--json'])).out).reports).toMatchObject([{ name: 'codex', changed: false }])
  expect(JSON.parse((await mnemonic(['uninstall', 'claude-code', 'codex', '--json'])).out).reports).toMatchObject([
    { changed: true },
    { changed: true },
  ])
  expect(files()).toEqual(before)
})

it('an invalid file is named with its line, and nothing is changed in any harness', async () => {
  const { user, mnemonic, files } = person()
  writeFileSync(join(user, '.codex', 'config.toml'), 'model = "a"\nbroken\n')
  const before = files()
  const { code, err } = await mnemonic(['install', 'claude-code', 'codex'])
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('config.toml, line 2') })
  expect(files()).toEqual(before)
  const listed = await mnemonic(['uninstall'])
  expect(listed.code).toBe(0)
  expect(listed.err).toContain('config.toml, line 2')
})

it('an unknown name and --purge with a name are usage errors', async () => {
  const { mnemonic } = person()
  expect(await mnemonic(['install', 'emacs'])).toMatchObject({ code: 2, err: expect.stringContaining('Known: claude-code') })
  expect(await mnemonic(['uninstall', 'codex', '--purge'])).toMatchObject({ code: 2 })
  expect(await mnemonic(['install', 'codex', '--plugin', '/x'])).toMatchObject({ code: 2 })
})

it('a purge takes the entries out first, then the home', async () => {
  const { user, mnemonic, files } = person()
  const before = files()
  await mnemonic(['install', 'claude-code', 'codex'])
  await mnemonic(['sources', 'enable', 'gmail'])
  const plan = JSON.parse((await mnemonic(['uninstall', '--json'])).out)
  expect(plan.kept.map(({ what }: { what: string }) => what)).toEqual(
    expect.arrayContaining(['the hooks of Claude Code', 'the MCP server of Codex', 'the configuration']),
  )
  expect((await mnemonic(['uninstall', '--purge', '--yes'])).code).toBe(0)
  expect(files()).toEqual(before)
  expect(existsSync(join(user, '.mnemonic'))).toBe(false)
})

describe('init', () => {
  it('without a terminal prints the plan and changes nothing', async () => {
    const { mnemonic, files } = person()
    const before = files()
    const { code, out, err } = await mnemonic(['init'])
    expect(code).toBe(0)
    expect(out).toMatch(/claude-code {2}\d+ files?, [\d.]+ .?B\n/)
    expect(out).toContain('gmail        off; mnemonic sources enable gmail')
    expect(err).toContain('mnemonic init --yes')
    expect(JSON.parse((await mnemonic(['init', '--json'])).out)).toMatchObject({
      done: null,
      plan: { auto_publish: false, personal: [{ name: 'gmail', enabled: false }] },
    })
    expect(files()).toEqual(before)
  })

  it('leaving at any question leaves everything as it was', async () => {
    const { mnemonic, files } = person()
    const before = files()
    const full = [['claude-code'], true, true, true]
    for (let i = 0; i < full.length; i++) {
      expect(await mnemonic(['init'], answers(full.slice(0, i)))).toMatchObject({
        code: 130,
        err: expect.stringContaining('nothing was changed'),
      })
      expect(files()).toEqual(before)
    }
  })

  it('does what was answered, and shows something of the person’s own history that can be opened', async () => {
    const { mnemonic, read } = person()
    const questions = answers([['claude-code'], false, true, true])
    const { code, out } = await mnemonic(['init'], questions)
    expect(questions.asked).toEqual([
      'Install the memory into:',
      expect.stringMatching(/^Read gmail \(.*Takeout\/Mail\)\?/),
      expect.stringMatching(/^Hooks publish a session that ends/),
      'Import now?',
    ])
    expect(code).toBe(0)
    expect(read('.claude/settings.json')).toContain('hook claude-code stop')
    expect(read('.mnemonic/config.yaml')).toMatch(/memory:\n\s+auto_publish: true/)
    expect(read('.mnemonic/config.yaml')).not.toContain('gmail')
    const cite = /\[([0-9a-f]{6,}(?::\d+)?)\]/.exec(out)?.[1] ?? ''
    expect(out).toMatch(/Asked of your own history: \S/)
    expect((await mnemonic(['show', cite])).code).toBe(0)
    const command = /\$ mnemonic (decisions|show) ("?)(.+?)\2(?: --outline)?$/m.exec(out)
    expect((await mnemonic([command?.[1] ?? '', command?.[3] ?? ''])).out).not.toBe('')
  })

  it('speaks of no hooks where they were declined', async () => {
    const { mnemonic } = person()
    const questions = answers([[], false, false, false])
    expect((await mnemonic(['init'], questions)).code).toBe(0)
    expect(questions.asked.join(' ')).not.toMatch(/[Hh]ooks/)
    expect(questions.asked.join(' ')).toContain('Let each sync publish sessions that ended')
  })

  it('leaves Claude Code alone where it has the plugin, and says how that is removed', async () => {
    const { user, mnemonic, read } = person()
    const settings = '{ "enabledPlugins": { "mnemonic@mnemonic": true } }'
    writeFileSync(join(user, '.claude', 'settings.json'), settings)
    const { done } = JSON.parse((await mnemonic(['init', '--yes', '--json'])).out)
    expect(done.installed.map(({ name }: { name: string }) => name)).toEqual(['codex'])
    const { harnesses } = JSON.parse((await mnemonic(['install', '--json'])).out)
    expect(harnesses[0]).toMatchObject({ name: 'claude-code', installed: true, as_plugin: true })
    expect((await mnemonic(['uninstall', 'claude-code'])).out).toContain('\n  $ claude plugin uninstall mnemonic@mnemonic')
    expect(read('.claude/settings.json')).toBe(settings)
  })

  it('--yes installs and imports, but gives no consent', async () => {
    const { mnemonic, files } = person()
    const { done } = JSON.parse((await mnemonic(['init', '--yes', '--json'])).out)
    expect(done).toMatchObject({ enabled: [], auto_publish: false, sync: { totals: { imported: expect.any(Number) } } })
    expect(done.installed.map(({ name }: { name: string }) => name)).toEqual(['claude-code', 'codex'])
    expect(done.first_hit).toMatchObject({ question: expect.any(String), cite: expect.any(String) })
    expect(files()['.mnemonic/config.yaml']).toBeUndefined()
  })
})
