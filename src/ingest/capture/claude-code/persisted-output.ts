/** Outputs too long for the transcript. A transcript is untrusted: only files of the session's own folder are ever read for it. */
import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, resolve, sep } from 'node:path'
import type { UnitReader } from '../../adapter.ts'
import { fieldsOf, isFields, textOf } from '../fields.ts'
import { contentText } from './tool-result.ts'
import type { UnitNames } from './unit-names.ts'

const SAVED = /Full output saved to: ([^\n]+)/
/** The note stands at the beginning of a result; a mention further down is only text. */
const HEAD = 2000
const MOST = 16 * 1024 * 1024

/** The paths of whole outputs that `value`, a parsed line, points to, by the id of their call; undefined for none. */
export function persistedPaths(value: unknown): ReadonlyMap<string, string> | undefined {
  const content = isFields(value) && value.type === 'user' ? fieldsOf(value.message)?.content : undefined
  if (!Array.isArray(content)) return undefined
  let found: Map<string, string> | undefined
  for (const item of content) {
    const block = fieldsOf(item)
    const id = textOf(block?.tool_use_id)
    if (block?.type !== 'tool_result' || id === undefined) continue
    const text = contentText(block.content).slice(0, HEAD)
    const path = text.includes('<persisted-output>') ? SAVED.exec(text)?.[1]?.trim() : undefined
    if (path !== undefined) found = (found ?? new Map()).set(id, path)
  }
  return found
}

/** The outputs at these paths, by the same ids. */
export async function persistedOutputs(
  paths: ReadonlyMap<string, string>,
  names: UnitNames,
  reader: UnitReader,
): Promise<ReadonlyMap<string, string>> {
  const outputs = new Map<string, string>()
  for (const [id, path] of paths) {
    const output = await readBelow(path, names.sessionFolder, reader)
    if (output !== undefined) outputs.set(id, output)
  }
  return outputs
}

/** The text of a file that really lies below `folder`; undefined for every other path, and for a file that is gone. */
async function readBelow(path: string, folder: string, reader: UnitReader): Promise<string | undefined> {
  if (path.includes('\0')) return undefined
  try {
    const root = await realpath(folder)
    const real = await realpath(isAbsolute(path) ? path : resolve(root, path))
    if (!real.startsWith(root + sep)) return undefined
    const info = await stat(real)
    if (!info.isFile()) return undefined
    return (await reader.slice(real, 0, Math.min(info.size, MOST))).toString('utf8')
  } catch (error) {
    // The preview in the transcript stays; that the file is gone is normal.
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}
