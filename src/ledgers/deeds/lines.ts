/** Key lines of a result: errors, failing tests, exit codes, stack frames, commits, pull requests. One pass. Pure. */

/** Cheap prefilter: must match every line that a rule below accepts. */
const HINT =
  /fail|err|exception|panic|fatal|traceback|exit|abort|killed|denied|refused|cannot|can't|unable|could not|not found|no such|not ok|unexpected|undefined|invalid|missing|conflict|timed? ?out|✗|✘|×|❌|goroutine|0x|[\w)]:\d|, line \d|\bcommit\b|[0-9a-f]{7}|\/pull|merge/i
/** A pipe may hide a failed command; these lines prove it. */
const FAILURE =
  /^\s{0,8}(?:--- FAIL|FAIL(?:ED)?\b|panic:|fatal(?: error)?:|Traceback \(most recent|npm (?:ERR!|error)|not ok \d|make(?:\[\d+\])?: \*\*\*|thread '[^']{0,80}' panicked|Segmentation fault|error(?:\[E\d+\])?:|Error:)|\bexit status [1-9]|exited with (?:code|status) [1-9]|\berror TS\d|: error:|(?:^|\s)(?:[1-9]\d{0,6}) (?:failed|failing|failures?)\b|^\s{0,4}[A-Z][A-Za-z]{0,60}(?:Error|Exception): /
const ERROR =
  /^\s{0,12}(?:ERROR\b|E {3}|✗|✘|×|❌|Uncaught|Unhandled|Killed|Aborted)|\b[A-Z]\w{0,60}(?:Error|Exception)\b|\bexit code:? {0,3}[1-9]|command not found|[Nn]o such file or directory|[Pp]ermission denied|\bE(?:NOENT|ACCES|CONNREFUSED|ADDRINUSE|PERM|EXIST|RESOLVE)\b|CONFLICT \(/
const FRAME =
  /^\s{1,20}at .{1,200}:\d+|^\s{0,12}File ".{1,200}", line \d|^\s{0,12}\S{1,200}\.(?:go|rs|c|cc|cpp):\d+ \+0x|^goroutine \d+ \[|^\s{1,12}--> \S{1,200}:\d+/
/** `file.go:12:3: message`: compilers and linters. Without a column it may be a test's log line. */
const PLACED = /^\s{0,8}[^\s:]{1,200}\.\w{1,8}:\d{1,7}:\d{1,6}:? |^\s{0,8}[^\s(]{1,200}\.\w{1,8}\(\d{1,7},\d{1,6}\): /
const LOGGED_AT = /^\s{0,8}[^\s:]{1,200}\.\w{1,8}:\d{1,7}: /
const COMPLAINT =
  /\b(?:error|fail(?:ed|ure|s)?|cannot|can't|could not|unable to|invalid|undefined|denied|refused|timed? ?out|not found|unexpected|missing|mismatch|conflict|expected|rejected)\b/i
const FINE = /^\s{0,8}(?:--- PASS|=== (?:RUN|PAUSE|CONT|NAME)|ok\s|PASS\b|✓|✔|√)/
const COMMITTED = /^\[[^\]]{1,120} [0-9a-f]{7,40}\] /
const LOGGED = /^[*|\\/ ]{0,12}commit ([0-9a-f]{40})\b/
/** At least one digit and one letter: neither a number nor a word. */
const ONE_LINE = /^[*|\\/ ]{0,12}(?=[a-f]{0,39}\d)(?=\d{0,39}[a-f])[0-9a-f]{7,40} (?:\([^)]{1,200}\) )?\S/
const PULL = /https?:\/\/[^\s"'<>)]{1,200}\/(?:pull|merge_requests|pull-requests)\/\d+|Merge pull request #\d+/

const LONGEST_LINE = 400
const MOST = 60
/** The first lines say what broke, the last how it ended. */
const MOST_FIRST = 40
const MOST_OF_MESSAGE = 12

export interface Matter {
  readonly lines: string[]
  readonly failure: boolean
}

export interface About {
  /** The call failed: every complaint counts. */
  readonly all: boolean
  /** Program output, not file content. */
  readonly output: boolean
}

export function linesThatMatter(text: string, { all, output }: About): Matter {
  const kept = new Kept()
  let failure = false
  let logged: string | undefined
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from)
    const to = end === -1 ? text.length : end
    const line = text.slice(from, Math.min(to, from + LONGEST_LINE))
    from = to + 1
    if (logged !== undefined && /^ {4}\S/.test(line)) {
      kept.add(`commit ${logged} ${line.trim()}`)
      logged = undefined
      continue
    }
    if (!HINT.test(line) || FINE.test(line)) continue
    const hash = LOGGED.exec(line)?.[1]
    if (hash !== undefined) logged = hash
    else if (COMMITTED.test(line) || PULL.test(line)) kept.add(line)
    else if (output || all) {
      const says = FAILURE.test(line)
      failure ||= says && output
      if (
        says ||
        ERROR.test(line) ||
        FRAME.test(line) ||
        PLACED.test(line) ||
        ONE_LINE.test(line) ||
        (all && (COMPLAINT.test(line) || LOGGED_AT.test(line)))
      )
        kept.add(line)
    } else if (ONE_LINE.test(line)) kept.add(line)
  }
  if (logged !== undefined) kept.add(`commit ${logged}`)
  const lines = kept.lines()
  return { lines: lines.length === 0 && all ? message(text) : lines, failure }
}

/** Unrecognised failure: a short text is the message, a long one ends with it. */
function message(text: string): string[] {
  const lines = text
    .slice(-20_000)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return lines.slice(-MOST_OF_MESSAGE).map((line) => line.slice(0, LONGEST_LINE).toWellFormed())
}

class Kept {
  private readonly first: string[] = []
  private last: string[] = []
  private readonly seen = new Set<string>()

  add(line: string): void {
    const plain = line.trim().toWellFormed()
    if (plain === '' || this.seen.has(plain)) return
    if (this.seen.size < 5_000) this.seen.add(plain)
    if (this.first.length < MOST_FIRST) this.first.push(plain)
    else {
      this.last.push(plain)
      if (this.last.length > 4 * MOST) this.last = this.last.slice(MOST_FIRST - MOST)
    }
  }

  lines(): string[] {
    return [...this.first, ...this.last.slice(MOST_FIRST - MOST)]
  }
}
