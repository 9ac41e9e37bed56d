import { escapeMarks, markMemory, NOTICE } from '../../core/marked-text.ts'
import { plural } from '../../core/text.ts'
import type { FilesAnswer, TouchedFile } from '../../library/index.ts'
import { table } from './layout.ts'
import { printable } from './printable.ts'
import { localTime } from './quantity.ts'

const TIME = '2026-09-14 08:16'.length
const DAY = '2026-09-14'.length
/** Least terminal width for the time of day. */
const TIMES = 110
/** Below this terminal width, no title. */
const NARROW = 72
const GAPS = 8
const SHARE_OF_PATH = 0.6
const LEAST = 12

export function formatFiles({ files }: FilesAnswer, width: number): string {
  if (files.length === 0) return ''
  const longest = (texts: readonly string[]) => Math.max(...texts.map((text) => text.length))
  if (width < NARROW) return narrow(files, width, longest)
  const done = files.map(actionsOf)
  const when = width < TIMES ? DAY : TIME
  const fixed = when + longest(done) + longest(files.map(({ id }) => id)) + GAPS
  const room = Math.max(width - fixed, 2 * LEAST)
  const path = Math.max(LEAST, Math.min(longest(files.map(({ file }) => file)), Math.floor(room * SHARE_OF_PATH)))
  return table(
    [{ title: 'last' }, { title: 'done' }, { title: 'file' }, { title: 'session', max: Math.max(LEAST, room - path) }, { title: 'id' }],
    files.map((touched, i) => [
      localTime(touched.last_at).slice(0, when),
      done[i] as string,
      endOf(printable(touched.file), path),
      printable(touched.session_title ?? ''),
      printable(touched.id),
    ]),
  )
}

function narrow(files: readonly TouchedFile[], width: number, longest: (texts: readonly string[]) => number): string {
  const done = files.map((touched) => actionsOf(touched).split(', ')[0] as string)
  const path = Math.max(LEAST, width - DAY - longest(done) - longest(files.map(({ id }) => id)) - 6)
  return table(
    [{ title: 'last' }, { title: 'done' }, { title: 'file' }, { title: 'id' }],
    files.map((touched, i) => [
      localTime(touched.last_at).slice(0, DAY),
      done[i] as string,
      endOf(printable(touched.file), path),
      printable(touched.id),
    ]),
  )
}

export function filesForAgent({ files, total }: FilesAnswer): string {
  if (files.length === 0) return 'no file was touched'
  const seen = new Set<string>()
  const lines = files.map((touched, i) => {
    const known = seen.has(touched.session_id)
    seen.add(touched.session_id)
    const facts = [
      touched.id,
      touched.last_at.slice(0, 10),
      `${actionsOf(touched)}:`,
      touched.file,
      ...(known ? [] : [touched.session_title ?? '']),
    ]
    return `${i + 1}. ${escapeMarks(printable(facts.join(' ')).replace(/\s+/g, ' ').trim())}`
  })
  const more = total > files.length ? `, ${total} in all: raise --limit, or give a glob` : ''
  return `${plural(files.length, 'file')}${more}. ${NOTICE}\n${markMemory(lines.join('\n'))}\nMore of one: mnemonic show 1 --tools`
}

function actionsOf({ read, edited, created, deleted }: TouchedFile): string {
  const times = (word: string, n: number) => (n === 0 ? [] : [n === 1 ? word : `${word} ${n}×`])
  const changed = [...times('created', created), ...times('edited', edited), ...times('deleted', deleted)]
  return changed.length > 0 ? changed.join(', ') : times('read', read).join('')
}

function endOf(path: string, max: number): string {
  return path.length <= max ? path : `…${path.slice(path.length - max + 1)}`
}
