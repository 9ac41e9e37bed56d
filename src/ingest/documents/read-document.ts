/** Reads the text of a document that somebody wrote, and makes it what may leave the disk: redacted, without private passages. */
import { isUtf8 } from 'node:buffer'
import { MnemonicError } from '../../core/error.ts'
import { cutMarked } from '../../core/marked-text.ts'
import { redactVisible } from '../../core/redact.ts'
import type { SourceUnit, UnitReader } from '../adapter.ts'

/** What is larger is data, not a note. */
const MOST_BYTES = 2 << 20

/** Undefined where there is no document: the file is gone or no plain file any more, or Mnemonic made it from what is indexed already. */
export async function readDocument({ path, size }: SourceUnit, reader: UnitReader): Promise<string | undefined> {
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

/** Private passages are cut first: a mark in place of a secret must not take their end with it. Lines stay where they are, but for what is cut. */
export function documentText(raw: string): string {
  const safe = redactVisible(cutMarked(raw))
  const rest = cutMarked(safe)
  return rest === safe ? safe : redactVisible(rest)
}

const MARKER_LINES = 20

/** Our marker is a line of its own near the top, before or after the frontmatter. */
function isRendered(raw: string): boolean {
  return raw
    .slice(0, 8192)
    .split('\n', MARKER_LINES)
    .some((line) => line.startsWith('<!-- mnemonic:'))
}
