/** A token that a narrow terminal or an editor broke into two lines. Only starts that hardly anything else has, and only where both parts make a token. */
import { hasTellingStart, type Match, matchShape } from './redact-kinds.ts'
import { hasDigit, hasRandomRun } from './redact-values.ts'

const BROKEN = /([\w.+/=-]{4,256})\\?\r?\n[ \t]{0,16}([\w.+/=-]{4,256})/y

/** `whole` is the token that the first line alone is: what goes on below is then a part of it only where it looks made by chance. */
export function matchWrapped(text: string, at: number, whole: Match | undefined): Match | undefined {
  if (!hasTellingStart(text, at)) return whole
  BROKEN.lastIndex = at
  const match = BROKEN.exec(text)
  if (match === null) return whole
  const [all, first = '', second = ''] = match
  const kind = matchShape(first + second, 0)
  const end = kind?.found[0]?.end ?? 0
  const goesOn = whole === undefined ? hasDigit(second) : hasRandomRun(second, 16)
  if (kind === undefined || end <= first.length || !goesOn || (whole !== undefined && whole.next !== at + first.length)) return whole
  const below = at + all.length - second.length
  // The next of a list, or a word of which only the beginning fits: redacted as one, the rest of it would stay.
  if (hasTellingStart(text, below) || matchShape(second, 0) !== undefined || /^\w/.test(second.slice(end - first.length))) return whole
  const parts = [
    { start: at, end: at + first.length },
    { start: below, end: below + end - first.length },
  ]
  return { found: parts.map((part) => ({ kind: kind.found[0]?.kind ?? 'token', ...part })), next: below + end - first.length }
}
