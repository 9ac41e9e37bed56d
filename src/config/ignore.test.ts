import { describe, expect, it } from 'vitest'
import { ignoreMatcher } from './ignore.ts'

const homedir = '/users/ada'
const matcher = (patterns: string[], platform: NodeJS.Platform = 'linux') => ignoreMatcher(patterns, { homedir, platform })

describe('ignoreMatcher', () => {
  it('without patterns nothing is ignored', () => {
    expect(matcher([])('/users/ada/work')).toBe(false)
  })

  it.each(['~/private', '~/private/', '~/private/**', '/users/ada/private', '/users/*/private'])(
    '%s ignores the folder and all below it',
    (pattern) => {
      const ignored = matcher([pattern])
      expect(ignored('/users/ada/private')).toBe(true)
      expect(ignored('/users/ada/private/')).toBe(true)
      expect(ignored('/users/ada/private/deep/er')).toBe(true)
      expect(ignored('/users/ada/private-not')).toBe(false)
      expect(ignored('/users/ada')).toBe(false)
      expect(ignored('/srv/private')).toBe(false)
    },
  )

  it('a pattern without a slash names a folder anywhere on the path', () => {
    const ignored = matcher(['scratch-*'])
    expect(ignored('/tmp/scratch-1')).toBe(true)
    expect(ignored('/tmp/scratch-1/src/deep')).toBe(true)
    expect(ignored('/tmp/my-scratch-1')).toBe(false)
    expect(ignored('scratch-9')).toBe(true)
  })

  it('a pattern with a slash that does not begin at the root names the end of any path', () => {
    const ignored = matcher(['clients/acme'])
    expect(ignored('/users/ada/clients/acme/api')).toBe(true)
    expect(ignored('/users/ada/clients/acme-two')).toBe(false)
    expect(ignored('/users/ada/acme')).toBe(false)
  })

  it('hidden folders are matched like others', () => {
    expect(matcher(['**/.secret'])('/users/ada/.secret/x')).toBe(true)
    expect(matcher(['/users/ada/*'])('/users/ada/.hidden')).toBe(true)
  })

  it('** ignores everything', () => {
    expect(matcher(['**'])('/anything')).toBe(true)
  })

  it('any of several patterns is enough', () => {
    const ignored = matcher(['~/a', 'b'])
    expect([ignored('/users/ada/a/x'), ignored('/y/b/x'), ignored('/c')]).toEqual([true, true, false])
  })

  it('a folder with brackets in its name can be written as it is', () => {
    expect(matcher(['/data/[work] (old)'])('/data/[work] (old)/x')).toBe(true)
    expect(matcher(['[work]'])('/data/[work]/x')).toBe(true)
  })

  it('a home folder with glob characters in its name is taken literally', () => {
    const ignored = ignoreMatcher(['~/p*'], { homedir: '/users/a(da)[1]', platform: 'linux' })
    expect(ignored('/users/a(da)[1]/private/x')).toBe(true)
    expect(ignored('/users/ada1/private')).toBe(false)
  })

  it('a leading ! is a character, not an exception', () => {
    expect(matcher(['!keep'])('/users/ada/other')).toBe(false)
  })

  it('case matters on Linux, and does not where the file system ignores it', () => {
    expect(matcher(['~/Private'])('/users/ada/private')).toBe(false)
    expect(matcher(['~/Private'], 'darwin')('/users/ada/private/x')).toBe(true)
  })

  it('Windows paths match with either slash', () => {
    const ignored = ignoreMatcher(['C:\\Work\\*', 'D:/x', '~/own'], { homedir: 'C:\\Users\\ada', platform: 'win32' })
    expect(ignored('c:\\work\\acme\\api')).toBe(true)
    expect(ignored('D:\\x\\y')).toBe(true)
    expect(ignored('C:\\Users\\ada\\own\\y')).toBe(true)
    expect(ignored('C:\\Users\\ada\\other')).toBe(false)
  })

  it('an empty project is never ignored', () => {
    expect(matcher(['**'])('')).toBe(false)
  })
})
