/**
 * Signature of an error: its telling lines without variable parts (paths, numbers, hashes, times, addresses, ids). Equal errors match by
 * one lookup. Redacted; linear time; reads only both ends of a text.
 */
import { shortHash } from '../../core/hash.ts'
import { redact, redactVisible } from '../../core/redact.ts'
import { linesThatMatter } from '../../ledgers/deeds/lines.ts'
import { plain } from '../../ledgers/deeds/result.ts'

export interface ErrorLine {
  readonly line: string
  readonly signature: string
}

/** Bump if any rule here changes: signatures are stored. */
export const SIGNATURE_VERSION = 'signature-2'

const END_LENGTH = 24_000
const LONGEST_LINE = 240
const LONGEST_NORMAL = 200
const MOST_LINES = 6
const SHORTEST = 8

const EMPTY =
  /^(?:[^\p{L}\p{N}<#]*(?:exit(?:ed)?(?: with)?(?: code| status)?:? ?-?#|fail(?:ed|ure)?:?|error:?|<tool_use_error>|\[[\w:.-]+\] ERROR task failed|(?:error:? )?task failed|# issues?:?|# (?:errors?|problems?|failed|failing|failures?|tests? failed)\b.{0,60}|(?:FAIL|ok|---|===|PASS)\b\s*(?:<path>|[\w./-]+)?\s*(?:#\S*|\(cached\)|\[(?:build|setup) failed\])?|make(?:\[#\])?: \*\*\* .{0,80}|npm (?:ERR!|error)(?: code \w+| errno .*| (?:path|command|A complete log).*)?|E {3}|Traceback \(most recent call last\):|\* [\w-]+: #|Errors?:|ELIFECYCLE.*|The command .{0,80} exited.*|command exited.*|.{0,80}\bexit(?:ed)? (?:status|code|with code) #)[^\p{L}\p{N}]*)$/iu
const FRAME =
  /^\s*(?:at .{1,200}:\d+|File ".{1,200}", line \d|\S{1,200}\.\w{1,5}:\d+ \+0x|goroutine \d+ \[|--> \S{1,200}:\d+|[\w./*()-]{1,160}\(0x[0-9a-f].{0,100}\)|created by \S)/
const HISTORY = /^\[[^\]]{1,120} [0-9a-f]{7,40}\] |^[*|\\/ ]{0,12}(?:commit )?[0-9a-f]{7,40} |Merge pull request #\d+|^https?:\/\/\S+$/
const NOISE =
  /\b(?:INFO|DEBUG|TRACE|WARN(?:ING)?)\b|\blevel=(?:info|debug|warn)|^(?::\d+: )?:? ?# |Sibling tool call errored|Cancelled: parallel tool call|\[Request interrupted|^hint: |^(?:npm )?warn(?:ing)?\b/i
/** Without a complaint, this may be a test's log line. */
const LOGGED_AT = /^\s{0,8}[^\s:]{1,200}\.\w{1,8}:\d{1,7}: /
const COMPLAINT =
  /\b(?:error|fail(?:ed|ure|s)?|cannot|can't|could not|should|unable to|invalid|undefined|denied|refused|timed? ?out|not found|unexpected|missing|mismatch|expected|want(?:ed)?|got|duplicate|unused|must|panic)\b|[=!]= /i
const FOREIGN_FRAME =
  /node_modules|node:internal|\(node:|<anonymous>$|site-packages|dist-packages|\/usr\/|\/pkg\/mod\/|\/go\/src\/|\.cargo\/|\/rustc\/|\/libexec\/|runtime[./]|testing\.|reflect\.|<frozen/
const NEEDS_PLACE =
  /nil pointer|null pointer|NullPointer|segmentation|cannot read propert|is not a function|undefined is not|'?NoneType'?|index out of (?:range|bounds)|deadlock|maximum call stack|stack overflow|assertion failed|unwrap\(\)|KeyError|IndexError|invalid memory address|unreachable/i

/** The most telling lines first, unique. Takes raw output with colours. */
export function errorLines(text: string, most = MOST_LINES): ErrorLine[] {
  // Redacts before stripping colours: only they may delimit a secret.
  const safe = redactVisible(plain(redact(bothEnds(withoutEcho(text))).text))
  const { lines } = linesThatMatter(safe, { all: true, output: true })
  const frame = projectFrame(safe)
  const telling: ErrorLine[] = []
  const weak: ErrorLine[] = []
  const seen = new Set<string>()
  for (const raw of lines) {
    const line = raw.replace(/<\/?tool_use_error>/g, '').trim()
    if (FRAME.test(line) || HISTORY.test(line) || NOISE.test(line)) continue
    if (LOGGED_AT.test(line) && !COMPLAINT.test(line)) continue
    const normal = normalLine(line)
    if (normal.length < SHORTEST || EMPTY.test(normal) || !/\p{L}{3}/u.test(normal)) continue
    const place = frame !== undefined && NEEDS_PLACE.test(line) ? ` @ ${frame}` : ''
    const signature = shortHash(16, SIGNATURE_VERSION, '\n', normal, place)
    if (seen.has(signature)) continue
    seen.add(signature)
    const found = { line: line.slice(0, LONGEST_LINE).toWellFormed(), signature }
    if (/^--- FAIL|^(?:FAIL|✗|✘|×|not ok)\b/.test(line)) weak.push(found)
    else telling.push(found)
  }
  return [...telling, ...weak].slice(0, most)
}

/** An edit tool echoes the text that it did not find. */
function withoutEcho(text: string): string {
  const at = text.trimStart().startsWith('<tool_use_error>') ? text.indexOf('\nString: ') : -1
  return at === -1 ? text : text.slice(0, at)
}

export function normalLine(line: string): string {
  // A test name may look like a path.
  const test = /^(?:--- FAIL: |FAIL\b:? +|✗ |✘ |× |not ok \d+ -? ?)([^\s(]{1,180})/.exec(line)?.[1]
  if (test !== undefined && !/^\S+\.(?:[a-z]+\/)|\.\w{1,4}$/.test(test)) return `failing ${test}`
  return line
    .slice(0, 2 * LONGEST_LINE)
    .replace(/^\(eval\):\d+: ?|^(?:\S*\/)?(?:ba|z|da)?sh: (?:line \d+: )?/, '')
    .replace(/^[^\s:(]{1,200}\.\w{1,8}(?::\d{1,7}){1,2}:? ?|^[^\s(]{1,200}\.\w{1,8}\(\d{1,7},\d{1,6}\): ?/, '')
    .replace(
      /\b\d{4}[-/]\d{2}[-/]\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?\b|\b\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?\b/g,
      '#',
    )
    .replace(/\b[a-z][a-z0-9+.-]{1,12}:\/\/([^\s/"'<>:]{1,100})[^\s"'<>)]*/gi, '<url $1>')
    .replace(/(?:\b[A-Za-z]:[\\/]|\\\\)[^\s"'`<>|:*?]+/g, '<path>')
    .replace(/(?<![\w<])(?:~|\.{1,2})?(?:\/?[\w.@+%-]+)?(?:\/[\w.@+%{}-]+){1,30}\/?(?::\d+){0,2}/g, (path) =>
      path.length > 3 ? '<path>' : path,
    )
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '#')
    .replace(/\b0x[0-9a-f]+\b|\b(?=[0-9a-f]*\d)[0-9a-f]{7,64}\b/gi, '#')
    .replace(/\b(?=\w*\d\w*\d)(?=\w*[A-Za-z])[A-Za-z0-9_]{16,64}\b/g, '#')
    .replace(/\d+(?:[.,]\d+)*(?:ns|µs|ms|s|m|h|[kKMG]i?B)?\b/g, '#')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, LONGEST_NORMAL)
}

function projectFrame(text: string): string | undefined {
  const python = [...text.matchAll(/^ {0,12}File "([^"\n]{1,200})", line \d+, in ([\w<>.]{1,80})/gm)]
    .filter(([line]) => !FOREIGN_FRAME.test(line))
    .at(-1)
  if (python !== undefined) return `${baseName(python[1] as string)} ${python[2]}`
  for (const [line, name, file] of text.matchAll(
    /^\s{0,20}at (?:async )?(?:([\w.$<>[\] ]{1,100}?) \()?([^\s():]{1,200}(?::[\\/][^\s():]{1,200})?):\d+/gm,
  ))
    if (!FOREIGN_FRAME.test(line)) return `${baseName(file as string)} ${name ?? ''}`.trim()
  for (const [, file] of text.matchAll(/^\s{1,12}(\/\S{1,200}\.(?:go|rs|c|cc|cpp)):\d+/gm))
    if (!FOREIGN_FRAME.test(file as string)) return baseName(file as string)
  return undefined
}

function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}

export function bothEnds(text: string): string {
  if (text.length <= 2 * END_LENGTH) return text
  const head = text.slice(0, END_LENGTH)
  const tail = text.slice(-END_LENGTH)
  const first = head.lastIndexOf('\n')
  const last = tail.indexOf('\n')
  // A single huge line: a cut word may be half a secret.
  const from = first === -1 ? head.slice(0, Math.max(0, head.lastIndexOf(' '))) : head.slice(0, first)
  return `${from}\n${last === -1 ? '' : tail.slice(last + 1)}`
}
