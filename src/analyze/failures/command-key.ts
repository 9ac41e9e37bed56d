/** Identifies "the same command": a shell command without output plumbing and quiet flags, or a tool with its file. */
import { shortHash } from '../../core/hash.ts'
import { redactVisible } from '../../core/redact.ts'
import { remembered } from '../../core/remembered.ts'
import { type SimpleCommand, simpleCommands } from '../../ledgers/deeds/shell-words.ts'

export interface CommandKey {
  readonly key: string
  readonly steps: readonly string[]
  readonly program: string
  /** Redacted, without plumbing. */
  readonly shown: string
  readonly words: readonly string[]
  readonly all: readonly (readonly string[])[]
}

const LONGEST_SHOWN = 300
const LONGEST_COMMAND = 20_000
const PLUMBING = new Set(
  'cd pushd popd echo printf export set unset source . true : pwd sleep tail head grep egrep fgrep rg tee sort uniq wc cat less more sed awk cut tr jq column ls which type date env [ [[ fi done esac local read return'.split(
    ' ',
  ),
)
const WRAPPERS = new Set('sudo time nice nohup command env exec then do else ! { if while until timeout'.split(' '))
const QUIET = /^(?:-v|-vv|--verbose|-q|--quiet|-s|--silent|-count=\d+|--color(?:=\w+)?|--no-color|-json|--no-header)$/
/** Exit codes of these are answers: no match, a difference, nothing there. */
const ASKS =
  /^(?:grep|egrep|fgrep|rg|ag|ack|test|\[|\[\[|diff|cmp|which|type|command|pgrep|pkill|kill|killall|ls|stat|find|fd|lsof|false|jq|read)$/
const ASKS_GIT = /^git (?:diff|grep|merge-base|show-ref|rev-parse|ls-files|cat-file|check-ignore|ls-remote|show|log|config)\b/

const safeText = remembered(redactVisible)

export function shellKey(command: string): CommandKey | undefined {
  if (command.length > LONGEST_COMMAND) return undefined
  const safe = safeText(command)
  const simple = simpleCommands(safe)
  const all = simple === undefined ? [] : mainSteps(simple)
  if (all.length === 0) {
    const plain = safe.trim().replace(/\s+/g, ' ')
    if (simple !== undefined || plain === '') return undefined
    const key = shortHash(16, 'shell\n', plain)
    return {
      key,
      steps: [key],
      program: (/^[\w./-]{1,40}/.exec(plain)?.[0] ?? '').toLowerCase(),
      shown: shownText(safe),
      words: [],
      all: [],
    }
  }
  const steps = [...new Set(all.map((words) => shortHash(16, 'shell\n', words.join(' '))))]
  const main = all.at(-1) as string[]
  return {
    key: steps.length === 1 ? (steps[0] as string) : shortHash(16, 'steps\n', steps.join(' ')),
    ...{ steps, program: programOf(main), shown: shownText(safe), words: main, all },
  }
}

export function toolKey(tool: string, target: string): CommandKey {
  const key = shortHash(16, 'tool\n', tool, '\n', target)
  return { key, steps: [key], program: tool, shown: safeText(`${tool} ${target}`).slice(0, LONGEST_SHOWN), words: [], all: [] }
}

/** A failure without a complaint is an answer. */
export function asksOnly(command: string): boolean {
  const simple = simpleCommands(command)?.filter(({ words }) => words.length > 0)
  if (simple === undefined || simple.length === 0) return false
  const last = simple.at(-1)?.words.map(({ text }) => text) ?? []
  const words = unwrapped(last)
  return (
    ASKS.test(baseName(words[0] ?? '')) || ASKS_GIT.test(words.join(' ').replace(/^(\S*\/)?git(?: -C \S+| --no-pager| -c \S+)*/, 'git'))
  )
}

function mainSteps(simple: readonly SimpleCommand[]): string[][] {
  return simple.flatMap(({ words, bracket }) => {
    if (bracket !== undefined || words.length === 0) return []
    const texts = withoutFolder(unwrapped(words.map(({ text }) => text)))
    const program = baseName(texts[0] ?? '')
    if (program === '' || PLUMBING.has(program)) return []
    return [
      [
        program,
        ...texts
          .slice(1)
          .filter((text) => !QUIET.test(text))
          .map(plainWord),
      ],
    ]
  })
}

/** `git -C folder status` equals `git status`, as after a `cd`. */
function withoutFolder(words: string[]): string[] {
  if (baseName(words[0] ?? '') !== 'git') return words
  let at = 1
  while (/^-[Cc]$/.test(words[at] ?? '') || /^--(?:no-pager|git-dir=|work-tree=)/.test(words[at] ?? ''))
    at += words[at]?.length === 2 ? 2 : 1
  return [words[0] as string, ...words.slice(at)]
}

/** Messages differ on every call. */
function plainWord(text: string): string {
  return text.includes('\n') || (text.length > 60 && text.includes(' ')) ? '<text>' : text
}

function unwrapped(texts: readonly string[]): string[] {
  let i = 0
  for (; i < texts.length; i += 1) {
    const text = texts[i] as string
    if (text === 'timeout') {
      while (texts[i + 1]?.startsWith('-')) i += 1
      i += 1
    } else if (!WRAPPERS.has(text) && !/^[A-Za-z_]\w{0,60}=/.test(text)) break
  }
  return texts.slice(i)
}

function programOf(words: readonly string[]): string {
  const [program = '', ...rest] = words
  const second = rest.find((word) => !word.startsWith('-'))
  const takesWord = !/^(?:node|python3?|bash|sh|zsh|ruby|cat|rm|cp|mv|mkdir|chmod|touch|ln|\S*\.sh)$/.test(program)
  if (!takesWord || second === undefined || !/^[a-z][\w:-]{0,30}$/.test(second)) return program
  const at = rest.indexOf(second)
  const third =
    /^(?:gh|npm|pnpm|yarn|bun|mise|cargo|docker|kubectl|uv|poetry|go|git)$/.test(program) &&
    /^(?:pr|issue|run|api|repo|compose|mod|stash|remote|tool)$/.test(second)
      ? rest[at + 1]
      : undefined
  return third !== undefined && /^[a-z][\w:-]{0,30}$/.test(third) ? `${program} ${second} ${third}` : `${program} ${second}`
}

export function shownCommand(command: string): string {
  return shownText(safeText(command.slice(0, LONGEST_COMMAND)))
}

function shownText(command: string): string {
  return command.replace(/\s+/g, ' ').trim().slice(0, LONGEST_SHOWN).toWellFormed()
}

function baseName(text: string): string {
  return text.slice(text.lastIndexOf('/') + 1).replace(/\.(?:cmd|exe|bat)$/i, '')
}
