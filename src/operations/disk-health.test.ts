import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqlite } from '../store/sqlite/open.ts'
import { diskHealth, LEAST_FREE_BYTES } from './disk-health.ts'
import { healthReport } from './health.ts'

let root: string
let folders: { home: string; workspace: string }
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'mnemonic-disk-'))
  folders = { home: join(root, 'home'), workspace: join(root, 'workspace') }
  mkdirSync(folders.home)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe('health of the disk', () => {
  it('is OK where there is room, and leaves nothing behind', async () => {
    expect(await diskHealth(folders)).toMatchObject({ status: 'OK' })
    expect(readdirSync(folders.home)).toEqual([])
  })

  it('is ERROR below the least that is needed, for home and for workspace, and says where', async () => {
    mkdirSync(folders.workspace)
    for (const [name, dir] of Object.entries(folders)) {
      const free = async (folder: string) => (folder === dir ? LEAST_FREE_BYTES - 1 : LEAST_FREE_BYTES)
      const found = await diskHealth(folders, free)
      expect(found).toMatchObject({ status: 'ERROR', message: expect.stringContaining(`the disk of the ${name} is full: 31 MB free`) })
      expect(found.hint).toContain('32 MB')
    }
    expect(await diskHealth(folders, async () => LEAST_FREE_BYTES)).toMatchObject({ status: 'OK' })
  })

  it('is ERROR in the whole report, also when the database opens', async () => {
    const store = await openSqlite({ path: join(folders.home, 'mnemonic.db'), clock: () => 1 })
    try {
      const report = await healthReport(async () => store, { clock: () => 1, folders, freeBytes: async () => 0 })
      expect(report.status).toBe('ERROR')
      expect(report.checks.find((check) => check.name === 'disk')).toMatchObject({ status: 'ERROR' })
      const broken = await healthReport(() => Promise.reject(new Error('no')), { clock: () => 1, folders, freeBytes: async () => 0 })
      expect(broken.checks.map(({ name, status }) => [name, status])).toEqual([
        ['database', 'ERROR'],
        ['disk', 'ERROR'],
      ])
    } finally {
      await store.close()
    }
  })

  it('is ERROR where a file cannot be written, whatever the disk says of itself', async () => {
    writeFileSync(join(folders.home, `.health-probe-${process.pid}`), '')
    await expect(diskHealth(folders)).rejects.toMatchObject({
      code: 'STORAGE_ERROR',
      message: expect.stringContaining('home cannot be written'),
    })
  })

  it('sees a small disk as it is', async (context) => {
    const mounted = join(root, 'small')
    mkdirSync(mounted)
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', mounted], { stdio: 'ignore' })
    } catch {
      context.skip('mounting is for root')
    }
    try {
      expect(await diskHealth({ home: mounted, workspace: mounted })).toMatchObject({ status: 'ERROR' })
      writeFileSync(join(mounted, 'fill'), Buffer.alloc((1 << 20) - 8192, 1))
      await expect(diskHealth({ home: mounted, workspace: mounted }, async () => LEAST_FREE_BYTES)).rejects.toThrow(/ENOSPC/)
      expect(readdirSync(mounted)).toEqual(['fill'])
    } finally {
      execFileSync('umount', [mounted])
    }
  })
})
