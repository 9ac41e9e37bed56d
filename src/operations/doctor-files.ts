import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { freeBytes, nearestFolder, unlessGone } from './disk-space.ts'
import type { DoctorCheck } from './report.ts'

const LEAST_FREE = 512 * 1024 * 1024

/** Mode 0700, writable. */
export async function folderCheck(name: string, path: string): Promise<DoctorCheck> {
  const found = await unlessGone(stat(path))
  if (found === undefined) return { name, ok: true, found: `${path} (not there yet)` }
  if (!found.isDirectory()) return { name, ok: false, found: `${path} is no folder`, hint: `Move ${path} away.` }
  if (!(await canWrite(path)))
    return { name, ok: false, found: `${path} cannot be written`, hint: `Run chmod u+rwx ${path}, or choose another folder.` }
  return rights(name, path, { mode: found.mode, wanted: '700' })
}

/** Mode 0600. */
export async function fileCheck(name: string, path: string): Promise<DoctorCheck> {
  const found = await unlessGone(stat(path))
  if (found === undefined) return { name, ok: true, found: `${path} (not there yet)` }
  if (!found.isFile()) return { name, ok: false, found: `${path} is no file`, hint: `Move ${path} away.` }
  return rights(name, path, { mode: found.mode, wanted: '600' })
}

/** Enough for a sync and for a vacuum's copy. */
export async function diskCheck(home: string, databaseBytes: number): Promise<DoctorCheck> {
  const free = await freeBytes(await nearestFolder(home))
  const found = `${megabytes(free)} MB free`
  if (free >= Math.max(LEAST_FREE, databaseBytes)) return { name: 'disk', ok: true, found }
  return { name: 'disk', ok: false, found, hint: `Make room on the disk of ${home}, or point MNEMONIC_HOME to another one.` }
}

/** Never starts git: on a Mac without developer tools that opens a dialog. */
export async function gitCheck(env: NodeJS.ProcessEnv): Promise<DoctorCheck> {
  const names = process.platform === 'win32' ? ['git.exe', 'git.cmd'] : ['git']
  for (const folder of (env.PATH ?? '').split(delimiter).filter((part) => part !== '')) {
    for (const name of names) if (await isProgram(join(folder, name))) return { name: 'git', ok: true, found: join(folder, name) }
  }
  const hint = 'Git is optional. Its settings name the owner; without them set owner.name and owner.emails in config.yaml.'
  return { name: 'git', ok: true, found: 'not found', hint }
}

function rights(name: string, path: string, { mode, wanted }: { mode: number; wanted: string }): DoctorCheck {
  const bits = mode & 0o777
  if (process.platform === 'win32' || (bits & 0o077) === 0) return { name, ok: true, found: path }
  return { name, ok: false, found: `${path} is open to other users (mode ${bits.toString(8)})`, hint: `Run chmod ${wanted} ${path}` }
}

async function canWrite(path: string): Promise<boolean> {
  return access(path, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
}

async function isProgram(path: string): Promise<boolean> {
  const canRun = await access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
  return canRun && ((await unlessGone(stat(path)))?.isFile() ?? false)
}

function megabytes(bytes: number): string {
  return Math.round(bytes / 1024 / 1024).toLocaleString('en-US')
}
