import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { expandHome, resolvePaths } from './paths.ts'

const homedir = '/users/ada'

describe('resolvePaths', () => {
  it('without options and variables everything is in ~/.mnemonic and ~/.agents', () => {
    expect(resolvePaths({ env: {}, homedir })).toEqual({
      home: '/users/ada/.mnemonic',
      workspace: '/users/ada/.agents',
      database: '/users/ada/.mnemonic/mnemonic.db',
      config: '/users/ada/.mnemonic/config.yaml',
      models: '/users/ada/.mnemonic/models',
      logs: '/users/ada/.mnemonic/logs',
      memory: '/users/ada/.agents/memory',
    })
  })

  it('a home folder that is empty or relative is refused: the memory would depend on the current folder', () => {
    for (const none of ['', '.', 'ada', ' ']) {
      for (const env of [{}, { MNEMONIC_HOME: '/data/m', MNEMONIC_WORKSPACE: '/data/w' }]) {
        expect(() => resolvePaths({ env, homedir: none })).toThrowError(expect.objectContaining({ code: 'CONFIG_INVALID' }))
      }
    }
  })

  it('MNEMONIC_HOME moves the home', () => {
    expect(resolvePaths({ env: { MNEMONIC_HOME: '/data/m' }, homedir }).database).toBe('/data/m/mnemonic.db')
  })

  it('MNEMONIC_WORKSPACE wins over SIGNET_WORKSPACE, which wins over the default', () => {
    const both = { MNEMONIC_WORKSPACE: '/w/one', SIGNET_WORKSPACE: '/w/two' }
    expect(resolvePaths({ env: both, homedir }).memory).toBe('/w/one/memory')
    expect(resolvePaths({ env: { SIGNET_WORKSPACE: '/w/two' }, homedir }).memory).toBe('/w/two/memory')
  })

  it('an option wins over the variable', () => {
    const env = { MNEMONIC_HOME: '/env/home', MNEMONIC_WORKSPACE: '/env/work' }
    const paths = resolvePaths({ home: '/opt/home', workspace: '/opt/work', env, homedir })
    expect([paths.home, paths.workspace]).toEqual(['/opt/home', '/opt/work'])
  })

  it('an empty variable or option counts as unset', () => {
    const env = { MNEMONIC_HOME: '', MNEMONIC_WORKSPACE: '  ', SIGNET_WORKSPACE: '/w/two' }
    const paths = resolvePaths({ home: '', env, homedir })
    expect([paths.home, paths.workspace]).toEqual(['/users/ada/.mnemonic', '/w/two'])
  })

  it('~ is expanded and a relative path is made absolute', () => {
    const paths = resolvePaths({ env: { MNEMONIC_HOME: '~/m', MNEMONIC_WORKSPACE: 'work' }, homedir })
    expect([paths.home, paths.workspace]).toEqual(['/users/ada/m', resolve('work')])
  })
})

describe('expandHome', () => {
  it('expands ~ alone and before a slash, and nothing else', () => {
    expect(expandHome('~', homedir)).toBe(homedir)
    expect(expandHome('~/a/b', homedir)).toBe(join(homedir, 'a/b'))
    expect(expandHome('~bob/a', homedir)).toBe('~bob/a')
    expect(expandHome('/a/~/b', homedir)).toBe('/a/~/b')
  })
})
