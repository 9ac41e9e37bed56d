import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cursorSource, stateFile, transcriptLines, writeStore, writeTranscript } from '../../../test/helpers/sources/cursor.ts'
import { tempFolder } from '../../../test/helpers/store.ts'
import { commonFolder, folderOf } from './cursor/folder-uri.ts'
import { folderOfSlug } from './cursor/project-slug.ts'
import { cursor } from './cursor.ts'

const ID = 'dddddddd-2222-4222-8222-000000000004'

describe('the default paths of Cursor', () => {
  const paths = (platform: NodeJS.Platform, homedir: string, env = {}) => cursor({ platform, homedir, env }).defaultPaths()

  it('are those of Linux, macOS and Windows', () => {
    expect(paths('linux', '/home/dev')).toEqual([
      '/home/dev/.config/Cursor/User/globalStorage/state.vscdb',
      '/home/dev/.config/Cursor/User/workspaceStorage',
      '/home/dev/.cursor/chats',
      '/home/dev/.cursor/projects',
    ])
    expect(paths('darwin', '/Users/dev')[0]).toBe('/Users/dev/Library/Application Support/Cursor/User/globalStorage/state.vscdb')
    expect(paths('win32', 'C:\\Users\\dev', { APPDATA: 'D:\\Roaming' })).toEqual([
      'D:\\Roaming\\Cursor\\User\\globalStorage\\state.vscdb',
      'D:\\Roaming\\Cursor\\User\\workspaceStorage',
      'C:\\Users\\dev\\.cursor\\chats',
      'C:\\Users\\dev\\.cursor\\projects',
    ])
  })

  it('follow XDG_CONFIG_HOME and CURSOR_CONFIG_DIR, and still look into ~/.cursor', () => {
    const xdg = paths('linux', '/home/dev', { XDG_CONFIG_HOME: '/xdg' })
    expect(xdg[0]).toBe('/xdg/Cursor/User/globalStorage/state.vscdb')
    expect(xdg.slice(2)).toEqual(['/xdg/cursor/chats', '/xdg/cursor/projects', '/home/dev/.cursor/chats', '/home/dev/.cursor/projects'])
    expect(paths('linux', '/home/dev', { CURSOR_CONFIG_DIR: '/else' }).slice(2, 4)).toEqual(['/else/chats', '/else/projects'])
    expect(paths('darwin', '/Users/dev', { XDG_CONFIG_HOME: '/xdg' })[0]).toContain('/Users/dev/Library')
  })

  it('are searched for databases and transcripts, and for nothing else that is there', async () => {
    const home = tempFolder()
    const user = join(home, '.config', 'Cursor', 'User')
    for (const path of [['globalStorage'], ['workspaceStorage', 'w1']]) stateFile(join(user, ...path, 'state.vscdb')).close()
    writeFileSync(join(user, 'globalStorage', 'state.vscdb.backup'), 'x')
    writeTranscript(join(home, '.cursor'), ID, transcriptLines([{ prompt: 'a', answer: 'b', at: 0 }]))
    writeStore(join(home, '.cursor'), ID, [{ role: 'user', content: 'a' }])
    mkdirSync(join(home, '.cursor', 'projects', 'p', 'mcps'), { recursive: true })
    writeFileSync(join(home, '.cursor', 'projects', 'p', 'mcps', 'log.jsonl'), '{}\n')
    const found: string[] = []
    const adapter = cursor({ homedir: home, env: {}, platform: 'linux' })
    for await (const unit of adapter.discover({ warn: () => {} })) found.push(relative(home, unit.path))
    expect(found).toEqual([
      '.config/Cursor/User/globalStorage/state.vscdb',
      '.config/Cursor/User/workspaceStorage/w1/state.vscdb',
      expect.stringMatching(/^\.cursor\/chats\/[0-9a-f]{32}\/dddddddd.*\/store\.db$/),
      expect.stringMatching(/^\.cursor\/projects\/home-dev-atlas\/agent-transcripts\/dddddddd/),
    ])
  })

  it('a database is known by its tables, not by its name', async () => {
    const adapter = cursor({ paths: [] })
    const path = cursorSource.write(tempFolder(), 'one', [{ prompt: 'a', answer: 'b', at: 0 }])
    const { readFileSync } = await import('node:fs')
    expect(adapter.recognises(readFileSync(path).subarray(0, 65536), '/any/name.db')).toBe(true)
    expect(adapter.recognises(Buffer.from('SQLite format 3\0 CREATE TABLE ItemTable'), '/Code/User/state.vscdb')).toBe(false)
    expect(adapter.recognises(Buffer.from('SQLite format 3\0 CREATE TABLE ItemTable'), '/x/Cursor/User/w/state.vscdb')).toBe(true)
  })

  it('databases are read before stores, and stores before transcripts', async () => {
    const adapter = cursor({ paths: [] })
    const paths = ['/g/globalStorage/state.vscdb', '/w/h/state.vscdb', '/c/id/store.db', '/p/agent-transcripts/x/x.jsonl']
    const ages = await Promise.all(paths.map((path) => adapter.age?.({ path, size: 1, mtimeMs: 1 }, undefined as never, 'begin')))
    expect(ages).toEqual([...ages].sort())
    expect(new Set(ages).size).toBe(4)
  })
})

describe('folders', () => {
  it('are read from URIs and paths', () => {
    expect(folderOf('file:///home/a%20b/')).toEqual({ path: '/home/a b' })
    expect(folderOf('file:///C%3A/x')).toEqual({ path: 'C:/x' })
    expect(folderOf('file://server/share')).toEqual({ path: '//server/share' })
    expect(folderOf('vscode-remote://wsl%2BUbuntu/home/x')).toEqual({ path: '/home/x', remote: 'wsl+Ubuntu' })
    expect(folderOf('/home/100%')).toEqual({ path: '/home/100%' })
    expect(folderOf('untitled:Untitled-1')).toBeUndefined()
  })

  it('the folder that files have in common is none where it says nothing', () => {
    expect(commonFolder(['/home/dev/atlas/a.ts', '/home/dev/atlas/src/b.ts'])).toBe('/home/dev/atlas')
    expect(commonFolder(['/home/dev/a.ts', '/home/other/b.ts'])).toBeUndefined()
    expect(commonFolder([])).toBeUndefined()
    expect(commonFolder(['C:\\Users\\dev\\app\\a.ts', 'C:\\Users\\dev\\app\\b\\c.ts'])).toBe('C:\\Users\\dev\\app')
  })

  it('a slug is the folder that exists, dashes and all', () => {
    const root = tempFolder()
    mkdirSync(join(root, 'home', 'dev', 'my-app_two'), { recursive: true })
    mkdirSync(join(root, 'home', 'dev', 'my'), { recursive: true })
    expect(folderOfSlug('home-dev-my-app-two', root)).toBe(join(root, 'home', 'dev', 'my-app_two'))
    expect(folderOfSlug('home-dev-gone', root)).toBeUndefined()
    expect(folderOfSlug('empty-window', root)).toBeUndefined()
  })
})
