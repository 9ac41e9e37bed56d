/** Secrets that are named by the cell or the field before them: `| DB_PASSWORD | … |`, `name: DB_PASSWORD` with `value: …` after it. */
import { acceptsCell, acceptsQuoted, secretName } from './redact-assignment.ts'
import { type Match, matchShape } from './redact-kinds.ts'
import { isAlnum, isPlaceholder } from './redact-values.ts'

const LONGEST_NAME = 80
/** A cell that holds a name and nothing else, up to the line between the two cells. */
const NAME_CELL = /(?:^|[\n|│┃║\t])[ *`"']{0,8}([\w.-]{2,64})[ *`"']{0,40}$/
const VALUE_CELL = /[|│┃║\t][ \t]{0,40}(["'`]{0,1})([^\s"'`|│┃║]{4,512})\1[ \t]{0,200}(?=[|│┃║\r\n]|$)/y

/** The value in the cell that begins at the line at `at`. */
export function matchCell(text: string, at: number): Match | undefined {
  // Most tabs indent, and most bars are operators.
  if (text.charCodeAt(at) === 0x09 && !isAlnum(text.charCodeAt(at - 1))) return undefined
  VALUE_CELL.lastIndex = at
  const match = VALUE_CELL.exec(text)
  if (match === null) return undefined
  const [whole, quote = '', value = ''] = match
  const name = NAME_CELL.exec(text.slice(Math.max(0, at - LONGEST_NAME), at))?.[1]
  // A type of a union, in code.
  if (/^[A-Za-z_]\w*[,;)]$/.test(value)) return undefined
  const start = at + whole.indexOf(value, 1 + quote.length)
  return named(text, name, { value, start, isQuoted: quote !== '' })
}

/** The value may stand in an object of its own (`"value": {"stringValue": "…"}`), or below. */
export const VALUE_FIELD =
  /(?:parameter)?value["']?\s{0,4}[:=]\s{0,40}(?:\{\s{0,40}["']?\w{2,32}["']?\s{0,4}[:=]\s{0,4})?(\\{0,3}["']|)([^\s"',{}\]\\]{4,512})\1(?=[\s,}\]\\]|\/?>|$)/iy
const NAME_FIELD = /(?:^|[\s{,"'-])(?:parameter)?(?:name|key)["']?\s{0,4}[:=]\s{0,4}\\{0,3}["']?([\w.-]{2,64})\\{0,3}["']?,?\s{1,40}["']?$/i
const NAME_FIELD_LOOSE = /(?:^|[\s{,"'-])(?:parameter)?(?:name|key)["']?\s{0,4}[:=]\s{0,4}["']?([\w.-]{2,64})["']?,["']?$/i
/** A field of a form, whose type tells. */
const PASSWORD_INPUT = /<input\s[^<>]{0,100}type=["']?password["']?\s[^<>]{0,40}$/i

/** `value="X" name="db.password"`, `{"value": "X", "name": "DB_PASSWORD"}`. */
const NAME_AFTER = /^(?:\s{1,8}(?:name|key)=|,\s{0,24}\\{0,3}["']?(?:name|key)\\{0,3}["']?:\s{0,4})\\{0,3}["']([\w.-]{2,64})\\{0,3}["']/i

/** The value of a pair whose name is in the field before it, from the word value on. */
export function matchValueField(text: string, at: number): Match | undefined {
  VALUE_FIELD.lastIndex = at
  const match = VALUE_FIELD.exec(text)
  if (match === null) return undefined
  const before = text.slice(Math.max(0, at - LONGEST_NAME - 60), at)
  const [whole, quote = '', value = ''] = match
  const after = text.slice(at + whole.length, at + whole.length + LONGEST_NAME)
  const told = (NAME_FIELD.exec(before) ?? NAME_FIELD_LOOSE.exec(before) ?? NAME_AFTER.exec(after))?.[1]
  const name = told ?? (PASSWORD_INPUT.test(before) ? 'password' : undefined)
  const start = at + whole.length - value.length - quote.length
  return named(text, name, { value, start, isQuoted: quote !== '' })
}

const HTML_NAME = /([\w.-]{2,64})<\/t[dh]>\s{0,20}<t[dh](?:\s[^<>]{0,40})?$/i
const HTML_VALUE = />([^\s<>]{4,512})<\/t[dh]>/iy

/** What the HTML cell before this one names, from the end of the opening tag on. */
export function matchHtmlCell(text: string, at: number): Match | undefined {
  HTML_VALUE.lastIndex = at
  const value = HTML_VALUE.exec(text)?.[1]
  if (value === undefined) return undefined
  const name = HTML_NAME.exec(text.slice(Math.max(0, at - 160), at))?.[1]
  return named(text, name, { value, start: at + 1, isQuoted: false })
}

interface Cell {
  readonly value: string
  readonly start: number
  readonly isQuoted: boolean
}

function named(text: string, name: string | undefined, { value, start, isQuoted }: Cell): Match | undefined {
  const secret = name === undefined ? undefined : secretName(name)
  if (secret === undefined || isPlaceholder(value) || !acceptsCell(value, secret, isQuoted)) return undefined
  const end = start + value.length
  return { found: [{ kind: matchShape(text, start)?.found[0]?.kind ?? secret.kind, start, end }], next: end }
}

const ELEMENT_NAME = /<([A-Za-z][\w.:-]{1,63})(?:\s[\w:-]{1,20}="[^"<>]{0,160}"){0,4}$/
/** `<property name="password">`, and the key before the string of a property list. */
const NAMED_ELEMENT =
  /<[A-Za-z][\w.:-]{1,20}\s(?:[\w:-]{1,20}="[^"<>]{0,20}"\s){0,2}(?:name|key)=["']([\w.-]{2,40})["']$|<key>([\w.-]{2,40})<\/key>\s{0,8}<string$|\s(?:name|key)=["']([\w.-]{2,40})["'][^<>]{0,80}>\s{0,40}<value$/
const ELEMENT_TEXT = />(<!\[CDATA\[)?([^\s<>]{1,512}?)(?:\]\]>)?<\//y

/** `<password>hunter2</password>`, from the end of the opening tag on. */
export function matchElement(text: string, at: number): Match | undefined {
  ELEMENT_TEXT.lastIndex = at
  const [, mark = '', value] = ELEMENT_TEXT.exec(text) ?? []
  if (value === undefined) return undefined
  const start = at + 1 + mark.length
  const before = text.slice(Math.max(0, at - 256), at)
  const named = NAMED_ELEMENT.exec(before)
  const name = named?.[1] ?? named?.[2] ?? named?.[3] ?? ELEMENT_NAME.exec(before)?.[1]
  const secret = name === undefined ? undefined : secretName(name)
  if (secret === undefined || !acceptsQuoted(value, secret) || isPlaceholder(value)) return undefined
  const kind = matchShape(text, start)?.found[0]?.kind ?? secret.kind
  const end = start + value.length
  return { found: [{ kind, start, end }], next: end }
}
