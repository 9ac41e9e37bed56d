/** What a session file's header says, taken into the memory of its reading before the first entry. */
import { type Fields, textOf } from '../fields.ts'
import type { Place } from './dialect.ts'
import type { ReadState } from './read-state.ts'

const FORKED: readonly string[] = ['parentSession', 'branchedFrom']
/** Fields that only headers of the first version had; a file that was converted keeps them. */
const OLD: readonly string[] = ['provider', 'modelId', 'thinkingLevel', 'branchedFrom']

export function takeHeader(header: Fields | undefined, state: ReadState, place: Place): void {
  if (header === undefined) return
  state.headerId = String(header.id)
  state.headerTime = String(header.timestamp)
  state.session = place.sessionOf(state.headerId)
  state.roots = [state.headerId]
  state.oldVersion = OLD.some((field) => field in header)
  const { version, cwd, title } = header
  const forked = FORKED.map((field) => textOf(header[field])).find((from) => from !== undefined)
  const context = {
    format_version: typeof version === 'number' ? version : 1,
    ...(forked === undefined ? {} : { forked_from: nameIn(forked) }),
    ...(textOf(header.provider) === undefined ? {} : { provider: header.provider }),
    ...(textOf(header.thinkingLevel) === undefined ? {} : { thinking_level: header.thinkingLevel }),
  }
  const model = textOf(header.modelId)
  const named = textOf(title)
  const folder = textOf(cwd)
  state.waiting = {
    context,
    raw: header,
    ...(model === undefined ? {} : { model }),
    ...(named === undefined ? {} : { title: named }),
    ...(folder === undefined ? {} : { cwd: folder }),
  }
}

/** `…/<time>_<session>.jsonl`, or the session's name itself. */
export function nameIn(path: string): string {
  const file = path.split(/[\\/]/).at(-1) ?? path
  return file.replace(/\.jsonl$/i, '').replace(/^\d{4}-\d{2}-\d{2}T[^_]*_/, '')
}
