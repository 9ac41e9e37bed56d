/** Regex sources (flag u). Alternatives must start differently or be one character long, against catastrophic backtracking. */
import { stripControls } from '../../core/text.ts'

const ESCAPED = '\\\\{1,64}'

/** Zero-width and bidirectional controls. */
const ZERO_WIDTH = '\\u00ad\\u034f\\u061c\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufe00-\\ufe0f\\ufeff\\u{e0000}-\\u{e01ef}'
const CONTROLS = '\\x00-\\x08\\x0e-\\x1a\\x1c-\\x1f\\x7f-\\x9a\\x9c-\\x9f'
/** No backslash at the end: a following JSON escape would be ambiguous. */
const CSI = '[0-?]*[ -\\/]*[@-\\[\\]-~]'
const SHORT = '[ -\\/]*[0-\\[\\]-~]?'
const STRING = '[^\\x07\\x1b\\x90-\\x9f]*(?:\\x07|\\x1b\\\\|\\x9c)'
const SEQUENCE = `\\x1b(?:\\[${CSI}|[\\]PX^_]${STRING}|${SHORT})|\\x9b(?:${CSI})?`

const CODES = '00(?:0[0-8ef]|1[0-9ac-f]|7f|[89][0-9a-f]|ad)|034f|061c|180e|200[b-f]|202[a-e]|206[0-9a-f]|fe0[0-9a-f]|feff'
const ESCAPED_STRING = `[^"\\\\]*(?:${ESCAPED}u0007|${ESCAPED}u001b${ESCAPED}(?!u))`
const ESCAPED_SEQUENCE = `u001b(?:\\[${CSI}|[\\]PX^_]${ESCAPED_STRING}|${SHORT})`
const IN_JSON = `${ESCAPED}(?:b|u(?:${CODES})|udb40${ESCAPED}ud[cd][0-9a-f]{2}|${ESCAPED_SEQUENCE})`

/** A single underscore or tilde belongs to the word. */
const EMPHASIS: Readonly<Record<string, string>> = {
  '*': '\\*',
  '`': '`',
  _: '_(?=_)|(?<=_)_(?!_)',
  '~': '~(?=~)|(?<=~)~(?!~)',
}

const SPACE = '[^\\S\\ufeff]'
const SPACE_IN_JSON = `${ESCAPED}(?:[nrtf]|u00(?:0[9a-d]|20|a0))`
const TAG = `<\\\\{0,64}\\/?[a-z!][^<>]{0,200}>`
const LINE_START = '(?<=(?:\\n|\\\\n)[ \\t#>|*+-]{0,12})(?:[#>|+-]|\\d{1,4}[.)])'

export interface Invisible {
  readonly within: string
  readonly between: string
}

/** Emphasis within the text is literal. */
export function invisibleIn(text: string): Invisible {
  const emphasis = Object.entries(EMPHASIS).flatMap(([sign, source]) => (text.includes(sign) ? [] : [source]))
  const hidden = [`[${ZERO_WIDTH}${CONTROLS}]`, SEQUENCE, IN_JSON, ...emphasis].join('|')
  const space = [SPACE, SPACE_IN_JSON, TAG].join('|')
  return { within: `(?:${hidden})*`, between: `(?:${hidden})*(?:${space})(?:${space}|${hidden}|${LINE_START})*` }
}

const ALL_ZERO_WIDTH = new RegExp(`[${ZERO_WIDTH}]`, 'gu')
const INLINE = /\\([\\`|[\]<>*])/g

/** A copied text may lack invisible characters and our escapes. */
export function visibleForms(text: string): string[] {
  const visible = stripControls(text).replace(ALL_ZERO_WIDTH, '')
  const forms = [text, visible, visible.replace(INLINE, '$1')]
  return [...new Set(forms)].filter((form) => form.trim() !== '')
}
