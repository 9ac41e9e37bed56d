/** Reads and writes dossiers; never loses a person's edits. */
import { lstatSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { namesIn, readText, writeAtomicSync } from '../../core/atomic-file.ts'
import { MnemonicError } from '../../core/error.ts'
import { sha256 } from '../../core/hash.ts'
import type { Dossier } from './cited.ts'
import { headOf, renderDossier } from './render-dossier.ts'

export const DOSSIERS = 'dossiers'
export const HOWTOS = 'howto'
const FOLDERS = [DOSSIERS, HOWTOS] as const

export function folderFor(kind: string): (typeof FOLDERS)[number] {
  return kind === 'project-how-to' ? HOWTOS : DOSSIERS
}

export interface WrittenDossier {
  /** Relative to the workspace. */
  readonly path: string
  /** `kept`: a person edited the file, so the new one stands beside it. */
  readonly state: 'written' | 'unchanged' | 'kept'
  readonly backup: string | null
}

export function writeDossier(workspace: string, name: string, dossier: Dossier, { force = false } = {}): WrittenDossier {
  const place = folderFor(dossier.kind)
  const folder = folderOf(workspace, place)
  const text = renderDossier(dossier)
  const own = join(folder, `${name}.md`)
  const there = plainText(own)
  const at = (file: string) => `${place}/${file}`
  if (there === text) return { path: at(`${name}.md`), state: 'unchanged', backup: null }
  if (there === undefined || isOurs(there)) {
    writeAtomicSync(own, text)
    return { path: at(`${name}.md`), state: 'written', backup: null }
  }
  if (force) {
    const backup = `${name}.${sha256(there).slice(0, 8)}.bak`
    writeAtomicSync(join(folder, backup), there)
    writeAtomicSync(own, text)
    return { path: at(`${name}.md`), state: 'written', backup: at(backup) }
  }
  const beside = join(folder, `${name}.new.md`)
  const other = plainText(beside)
  if (other !== undefined && other !== text && !isOurs(other))
    throw new MnemonicError('USAGE', `${at(`${name}.md`)} and ${at(`${name}.new.md`)} were both edited`, {
      details: { path: at(`${name}.new.md`) },
      hint: 'Move one of them away, or give --force: it keeps a copy of the first and writes over it.',
    })
  if (other !== text) writeAtomicSync(beside, text)
  return { path: at(`${name}.new.md`), state: 'kept', backup: null }
}

export function dossierFiles(workspace: string): { readonly path: string; readonly text: string }[] {
  return FOLDERS.flatMap((place) => {
    const folder = folderOf(workspace, place)
    return namesIn(folder)
      .filter((name) => name.endsWith('.md'))
      .sort()
      .flatMap((name) => {
        const text = plainText(join(folder, name))
        return text === undefined || headOf(text) === undefined ? [] : [{ path: `${place}/${name}`, text }]
      })
  })
}

/** Includes backups and foreign files, but never symlinks or folders. */
export function everyFile(workspace: string): { readonly path: string; readonly text: string }[] {
  const isPlain = (path: string, kind: 'isFile' | 'isDirectory') => lstatSync(path, { throwIfNoEntry: false })?.[kind]() === true
  return FOLDERS.flatMap((place) => {
    const folder = join(workspace, place)
    return (isPlain(folder, 'isDirectory') ? namesIn(folder) : []).flatMap((name) => {
      const text = isPlain(join(folder, name), 'isFile') ? readText(join(folder, name)) : undefined
      return text === undefined ? [] : [{ path: `${place}/${name}`, text }]
    })
  })
}

export function removeDossier(workspace: string, path: string): void {
  rmSync(join(workspace, path), { force: true })
}

function isOurs(text: string): boolean {
  return headOf(text)?.edited === false
}

/** Rejects symlinks: they could lead out of the workspace. */
function plainText(path: string): string | undefined {
  const info = lstatSync(path, { throwIfNoEntry: false })
  if (info === undefined) return undefined
  if (!info.isFile())
    throw new MnemonicError('STORAGE_ERROR', `${path} is no plain file`, { details: { path }, hint: 'Move it away, then run it again.' })
  return readText(path)
}

function folderOf(workspace: string, place: string): string {
  const folder = join(workspace, place)
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new MnemonicError('STORAGE_ERROR', `${folder} is a link`, { details: { path: folder }, hint: 'Put a folder of its own there.' })
  return folder
}
