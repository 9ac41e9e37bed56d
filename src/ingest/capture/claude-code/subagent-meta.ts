/** The small file beside a subagent's transcript that says what it was started for. */
import { stat } from 'node:fs/promises'
import { cutMarkedDeep } from '../../../core/marked-text.ts'
import { parseJson } from '../../../core/nesting.ts'
import type { UnitReader } from '../../adapter.ts'
import { type Fields, fieldsOf } from '../fields.ts'
import { metaPath, type UnitNames } from './unit-names.ts'

const MOST = 64 * 1024

/** Undefined where there is none, or none that can be read: the transcript says enough without it. */
export async function subagentMeta(names: UnitNames, reader: UnitReader): Promise<Fields | undefined> {
  if (!names.agentFile) return undefined
  const path = metaPath(names)
  try {
    if (!(await stat(path)).isFile()) return undefined
    return fieldsOf(cutMarkedDeep(parseJson((await reader.slice(path, 0, MOST)).toString('utf8'))))
  } catch (error) {
    if (error instanceof SyntaxError || (error instanceof Error && 'code' in error)) return undefined
    throw error
  }
}
