/** Renames instead of overwriting; the owner deletes the copy. */
import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { notDone } from '../../core/atomic-file.ts'
import type { PublishContext } from '../publish/publish-context.ts'

export function putAside({ workspace, clock }: Pick<PublishContext, 'workspace' | 'clock'>, path: string): string | undefined {
  const file = join(workspace, path)
  if (!existsSync(file)) return undefined
  let at = clock()
  while (existsSync(`${file}.replaced-${at}`)) at += 1
  try {
    renameSync(file, `${file}.replaced-${at}`)
  } catch (error) {
    throw notDone('write', file, error)
  }
  return `${file}.replaced-${at}`
}
