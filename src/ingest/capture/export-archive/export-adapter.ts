import { basename } from 'node:path'
import { given } from '../../../core/given.ts'
import { parseTimestamp } from '../../../core/time.ts'
import type { Adapter, SourceUnit, UnitReader } from '../../adapter.ts'
import { sourceFiles } from '../../walk.ts'
import { describeSource, type SourceName, type SourceOptions } from '../descriptions.ts'
import { HEAD_BYTES } from '../head.ts'
import { judge } from './documents.ts'
import { CONVERSATIONS, type ExportFormat } from './export-format.ts'
import { isZip, zipHead } from './export-head.ts'
import { readExport } from './read-export.ts'

export interface ExportOptions extends SourceOptions {
  /** Longer conversations are skipped and counted. */
  readonly mostBytes?: number
}

export function exportAdapter(name: SourceName, format: ExportFormat, { mostBytes, ...options }: ExportOptions): Adapter {
  const description = describeSource(name, options)
  return {
    ...description,
    discover: (asked) => sourceFiles(description.defaultPaths(), asked, (file) => /\.(?:json|zip)$/i.test(file)),
    recognises: (head, path) => recognises(head, path, format),
    age,
    read: (unit, since, reader) => readExport(unit, since, reader, { format, ...given({ limit: mostBytes }) }),
  }
}

function recognises(head: Buffer, path: string, format: ExportFormat): boolean {
  const isOurs = (begin: Buffer) => !['empty', 'foreign'].includes(judge(begin, format) as string)
  if (!isZip(head)) return isOurs(head)
  const documents = zipHead(head).filter(({ name }) => /\.json$/i.test(name))
  if (documents.some(({ begin }) => isOurs(begin))) return true
  // If images precede the documents, only the archive's name decides.
  return !documents.some(({ name }) => CONVERSATIONS.test(name)) && format.isArchiveName(basename(path))
}

const TIME = /"(?:update_time|updated_at)":\s*("[^"]{10,40}"|\d{9,16}(?:\.\d+)?)/g

/** Reads older exports first, so that the newest wins. */
async function age(unit: SourceUnit, reader: UnitReader): Promise<number> {
  const head = await reader.slice(unit.path, 0, HEAD_BYTES)
  const begin = isZip(head) ? zipHead(head).find(({ name }) => CONVERSATIONS.test(name))?.begin : head
  const times = [...(begin ?? head).toString('latin1').matchAll(TIME)].map((match) => parseTimestamp(JSON.parse(match[1] as string)) ?? 0)
  return times.length === 0 ? unit.mtimeMs : Math.max(...times)
}
