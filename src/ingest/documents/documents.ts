/** The documents that people wrote, as a source: markdown of the workspace and of `memory.paths`, mirrored as they are now. */
import { isUtf8 } from 'node:buffer'
import { MnemonicError } from '../../core/error.ts'
import type { Tombstones } from '../../tombstones/tombstones.ts'
import type { Adapter, ReadItem, SourceUnit, UnitReader } from '../adapter.ts'
import { unitName } from '../sync-state.ts'
import { agentOf, type DocumentRoot } from './document-roots.ts'
import { isForgottenCopy } from './forgotten-copy.ts'
import { listDocuments, type WalkOptions } from './list-documents.ts'

/** Their name as a source. */
export const DOCUMENTS = 'memory'

export interface DocumentsOptions extends WalkOptions {
  readonly roots: readonly DocumentRoot[]
  /** Copies that Mnemonic wrote for you, such as exports: what is in them is indexed already. */
  readonly copies?: () => Promise<readonly string[]>
  readonly tombstones?: () => Promise<Tombstones | undefined>
}

export function documents({ roots, copies = async () => [], tombstones = async () => undefined, ...options }: DocumentsOptions): Adapter {
  return {
    name: DOCUMENTS,
    rewritten: true,
    mirrors: 'document',
    defaultPaths: () => roots.map(({ path }) => path),
    async *discover(asked) {
      if (asked.path !== undefined) return
      const exclude = [...options.exclude, ...(await copies())]
      yield* await listDocuments(roots, { ...options, exclude }, asked)
    },
    recognises: () => false,
    async *read(unit, _, reader): AsyncGenerator<ReadItem, void, undefined> {
      const text = await readDocument(unit, reader)
      if (text === undefined) return
      const forgotten = await tombstones()
      if (forgotten !== undefined && isForgottenCopy(text, forgotten)) throw leftOut(unit.path, FORGOTTEN)
      const path = unitName(unit)
      yield { type: 'document', record: { path, agentId: agentOf(path, text), timestamp: Math.round(unit.mtimeMs), text } }
    },
  }
}

const FORGOTTEN = 'it is an old copy of something that was forgotten; remove the file'

/** What is larger is data, not a note. */
const MOST_BYTES = 2 << 20

/** Undefined where there is no document: the file is gone or no plain file any more, or Mnemonic made it from what is indexed already. */
async function readDocument({ path, size }: SourceUnit, reader: UnitReader): Promise<string | undefined> {
  if (size > MOST_BYTES) throw leftOut(path, `larger than ${MOST_BYTES >> 20} MB`)
  const bytes = await reader.plain(path, MOST_BYTES + 1)
  if (bytes === undefined) return undefined
  if (bytes.length > MOST_BYTES) throw leftOut(path, `larger than ${MOST_BYTES >> 20} MB`)
  if (!isUtf8(bytes)) throw leftOut(path, 'not UTF-8 text')
  const raw = bytes.toString('utf8').replace(/^\uFEFF/, '')
  return isRendered(raw) ? undefined : raw
}

function leftOut(path: string, why: string): MnemonicError {
  return new MnemonicError('VALIDATION_ERROR', `${path} is left out: ${why}`, { details: { path, reasons: [why] } })
}

const MARKER_LINES = 20

/** Our marker is a line of its own near the top, before or after the frontmatter. */
function isRendered(raw: string): boolean {
  return raw
    .slice(0, 8192)
    .split('\n', MARKER_LINES)
    .some((line) => line.startsWith('<!-- mnemonic:'))
}
