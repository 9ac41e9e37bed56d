import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { guessOwner, resolveOwner } from './owner.ts'

let homedir: string
beforeEach(() => {
  homedir = mkdtempSync(join(tmpdir(), 'mnemonic-owner-'))
})
afterEach(() => rmSync(homedir, { recursive: true, force: true }))

const gitconfig = (text: string, file = '.gitconfig') => {
  mkdirSync(join(homedir, file, '..'), { recursive: true })
  writeFileSync(join(homedir, file), text)
}
const guess = (env: NodeJS.ProcessEnv = {}) => guessOwner({ env, homedir, timezone: 'Europe/Berlin' })

describe('guessOwner', () => {
  it('takes name and address from git, the zone from the system, and says so', () => {
    gitconfig('[core]\n\tname = no\n[user]\n\tname = Ada Lovelace\n\temail = Ada@Example.org\n[alias]\n\temail = x@y.z\n')
    expect(guess()).toEqual({
      name: 'Ada Lovelace',
      emails: ['ada@example.org'],
      timezone: 'Europe/Berlin',
      guessed: { name: 'git', emails: 'git', timezone: 'system' },
    })
  })

  it('without any git settings there is no name and no address', () => {
    expect(guess()).toEqual({ emails: [], timezone: 'Europe/Berlin', guessed: { timezone: 'system' } })
  })

  it('a zone that the system does not know becomes UTC', () => {
    for (const timezone of ['Etc/Unknown', 'Mars/Base', '']) {
      expect(guessOwner({ env: {}, homedir, timezone })).toEqual({ emails: [], timezone: 'UTC', guessed: {} })
    }
  })

  it('reads quotes, escapes, comments and continued lines as git does', () => {
    gitconfig('[USER] # me\n  Name = "Ada \\"The\\" L" ; note\n  email = ada@example.org   # mine\n')
    expect(guess()).toMatchObject({ name: 'Ada "The" L', emails: ['ada@example.org'] })
    gitconfig('[user]\nname = Ada \\\nLovelace\n[user "work"]\nname = No\n')
    expect(guess().name).toBe('Ada Lovelace')
    gitconfig('[user] name = Ada B\n')
    expect(guess().name).toBe('Ada B')
  })

  it('~/.gitconfig wins over the file in .config, and GIT_CONFIG_GLOBAL over both', () => {
    gitconfig('[user]\nname = Xdg\nemail = xdg@example.org\n', '.config/git/config')
    expect(guess().name).toBe('Xdg')
    gitconfig('[user]\nname = Home\n')
    expect(guess()).toMatchObject({ name: 'Home', emails: ['xdg@example.org'] })
    gitconfig('[user]\nname = Global\n', 'elsewhere')
    expect(guess({ GIT_CONFIG_GLOBAL: join(homedir, 'elsewhere') })).toMatchObject({ name: 'Global', emails: [] })
  })

  it('follows included files, and a file that includes itself ends', () => {
    gitconfig('[include]\n path = ~/dot/me\n path = missing\n')
    gitconfig('[user]\nname = Included\n[include]\npath = me\n', 'dot/me')
    expect(guess().name).toBe('Included')
  })

  it('a folder or garbage in place of the file is no error', () => {
    mkdirSync(join(homedir, '.gitconfig'))
    gitconfig('\0\xff[[[ = =\n[user\nname', '.config/git/config')
    expect(guess()).toMatchObject({ emails: [] })
  })

  it.each([
    'noreply@example.org',
    '1+ada@users.noreply.github.com',
    'root@host.local',
    'ada@localhost',
    'not an address',
    'root@example.org',
  ])('%s is not taken for an address of the owner', (address) => {
    gitconfig(`[user]\nemail = ${address}\n`)
    expect(guess().emails).toEqual([])
  })

  it('does not read the settings of a repository', () => {
    mkdirSync(join(homedir, '.git'))
    writeFileSync(join(homedir, '.git', 'config'), '[user]\nname = Mallory\nemail = m@evil.example\n')
    const before = process.cwd()
    process.chdir(homedir)
    try {
      expect(guess()).toMatchObject({ emails: [] })
      expect(guess().name).toBeUndefined()
    } finally {
      process.chdir(before)
    }
  })
})

describe('resolveOwner', () => {
  const options = () => ({ env: {}, homedir, timezone: 'Europe/Berlin' })

  it('guesses only what the configuration does not say', () => {
    gitconfig('[user]\nname = Ada\nemail = ada@example.org\n')
    const owner = { name: 'Countess', phones: ['+44 20 7946 0958'] }
    expect(resolveOwner({ owner }, options())).toEqual({
      name: 'Countess',
      timezone: 'Europe/Berlin',
      emails: ['ada@example.org'],
      phones: ['+44 20 7946 0958'],
    })
  })

  it('takes an empty list of addresses for none', () => {
    gitconfig('[user]\nemail = ada@example.org\n')
    expect(resolveOwner({ owner: { emails: [], phones: [], timezone: 'UTC' } }, options())).toEqual({
      name: undefined,
      timezone: 'UTC',
      emails: [],
      phones: [],
    })
  })

  it('names an address given twice once', () => {
    expect(resolveOwner({ owner: { emails: ['a@b.c', 'a@b.c'], phones: [] } }, options()).emails).toEqual(['a@b.c'])
  })
})
