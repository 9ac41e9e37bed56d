import { isAbsolute, plainPath } from '../../ledgers/deeds/path.ts'
import { type SimpleCommand, simpleCommands, type Word } from '../../ledgers/deeds/shell-words.ts'
import { type Purpose, purposeOf, taskName } from './purpose.ts'

export interface ProjectCommand {
  readonly purpose: Purpose
  /** Without variable parts: `go test <path> -run <name>`. */
  readonly form: string
  readonly typed: string
  /** Relative to the project; empty for its root. */
  readonly folder: string
  readonly environment: readonly string[]
  /** A later command in the same call hides its exit code. */
  readonly isMasked: boolean
}

const LONGEST = 160
const WRAPPERS = new Set('sudo time nice nohup command env exec then do else ! { if while until'.split(' '))
const LAUNCHERS =
  /^(?:npx|bunx|pnpx|uvx|(?:pnpm|yarn|npm|bun) (?:exec|dlx|x)|(?:uv|poetry|pipenv|hatch|pdm|rye) run|bundle exec|mise (?:exec|x)(?: \S+)? --|python3? -m|dotenv --|direnv exec \.|cross-env|bin\/|doppler run --)(?: (?:--?[a-z][\w-]*))*$/
const QUIET_FLAGS =
  /^(?:-v|-vv|--verbose|-q|--quiet|-s|--silent|-count=\d+|--color(?:=\w+)?|--no-color|-timeout=\S+|--timeout=\S+|--no-cov|-x|--tb=\w+|--reporter=\w+|-json|--no-header)$/
const FLAG_WITH_TIME = /^(?:-timeout|--timeout|-count|-parallel|-p|--maxWorkers|-j|--tail)$/
const NAME_FLAGS =
  /^(?:-run|-k|-t|-m|--grep|-g|--filter|--tests?|--testNamePattern|--test-name-pattern|-bench|--name|--example|-e|--gtest_filter|--testPathPattern|--only)$/
const NAME_FLAG_JOINED =
  /^(-run|-k|-t|--grep|--filter|--tests?|--testNamePattern|--test-name-pattern|-bench|--gtest_filter|--testPathPattern|-Dtest|-Dit\.test)=/

export function projectCommands(command: string, { root, folder }: { root: string | null; folder: string | null }): ProjectCommand[] {
  // `||` hides failures, and a loop runs with changing values.
  if (command.includes('||') || /(?:^|[\s;])(?:for|while|until)\s/.test(command)) return []
  const simple = simpleCommands(command)
  if (simple === undefined) return []
  const found: ProjectCommand[] = []
  let where: string | undefined = folder ?? root ?? ''
  const outer: (string | undefined)[] = []
  const exported: string[] = []
  for (const [i, one] of simple.entries()) {
    if (one.bracket === '(') outer.push(where)
    else if (one.bracket === ')') where = outer.pop()
    else {
      const words = withoutWrappers(one.words)
      const given = assignedIn(one.words, words.length)
      if (words[0]?.text === 'export' || words[0]?.text === 'set') exported.push(...assignedIn(words.slice(1), 0))
      if (words[0]?.text === 'cd') where = moved(words[1], where)
      else if (where !== undefined && !one.piped) {
        const made = made1(words, folderBelow(where, root), isMasked(simple, i, command))
        if (made !== undefined) found.push({ ...made, environment: [...new Set([...exported, ...given])].sort() })
      }
    }
  }
  return found
}

function isMasked(all: readonly SimpleCommand[], i: number, text: string): boolean {
  return all[i + 1]?.piped === true || (i < all.length - 1 && (text.includes(';') || text.includes('\n')))
}

function withoutWrappers(words: readonly Word[]): readonly Word[] {
  let i = 0
  for (; i < words.length; i += 1) {
    const { text } = words[i] as Word
    if (text === 'timeout') i += 1
    else if (!WRAPPERS.has(text) && !/^[A-Za-z_]\w{0,60}=/.test(text)) break
  }
  return words.slice(i)
}

function assignedIn(words: readonly Word[], rest: number): string[] {
  return words.slice(0, words.length - rest).flatMap(({ text }) => /^([A-Z_][A-Z0-9_]{1,60})=/.exec(text)?.[1] ?? [])
}

function moved(to: Word | undefined, where: string | undefined): string | undefined {
  if (to === undefined || !to.plain || to.text === '-') return undefined
  if (where === undefined && !isAbsolute(to.text)) return undefined
  const path = plainPath(to.text, where === '' ? undefined : where)
  return path?.startsWith('..') ? undefined : path
}

function folderBelow(where: string, root: string | null): string | undefined {
  if (root === null) return isAbsolute(where) ? undefined : where
  const base = root.replaceAll('\\', '/').replace(/\/+$/, '')
  const path = where.replaceAll('\\', '/').replace(/\/+$/, '')
  if (path === base || path === '') return ''
  return path.startsWith(`${base}/`) ? path.slice(base.length + 1) : isAbsolute(path) ? undefined : path
}

function made1(words: readonly Word[], folder: string | undefined, masked: boolean): Omit<ProjectCommand, 'environment'> | undefined {
  if (folder === undefined || words.length === 0 || words.length > 40) return undefined
  const texts = words.map(({ text }) => text)
  const start = launched(texts)
  const own = [programName(texts[start] ?? ''), ...texts.slice(start + 1)]
  if (own.includes('--help') || own.includes('-h') || own.includes('--version')) return undefined
  const purpose = purposeOf(own)
  if (purpose === undefined) return undefined
  const { form, isNarrow } = formOf(words, purpose, start)
  const typed = texts.join(' ')
  if (form.length > LONGEST || form.includes('\n')) return undefined
  const isTest = purpose === 'test' || purpose === 'unit test' || purpose === 'integration test'
  return { purpose: isTest && isNarrow === 'name' ? 'one test' : purpose, form, typed, folder, isMasked: masked }
}

function launched(texts: readonly string[]): number {
  for (let end = Math.min(4, texts.length - 1); end > 0; end -= 1) if (LAUNCHERS.test(texts.slice(0, end).join(' '))) return end
  return 0
}

function programName(text: string): string {
  return text.slice(text.lastIndexOf('/') + 1).replace(/\.(?:cmd|exe|bat)$/, '')
}

/** Replaces paths and test names by `<path>` and `<name>`, except for built or run targets. */
function formOf(words: readonly Word[], purpose: Purpose, start: number): { form: string; isNarrow: 'name' | 'path' | false } {
  const keepsPaths = /^(?:build|run|setup|release|generate|task)$/.test(purpose)
  const isTask = taskName([programName(words[start]?.text ?? ''), ...words.slice(start + 1).map(({ text }) => text)]) !== undefined
  const kept: string[] = []
  let isNarrow: 'name' | 'path' | false = false
  for (let i = 0; i < words.length; i += 1) {
    const { text, plain } = words[i] as Word
    const add = (word: string) => {
      if (kept.at(-1) !== word) kept.push(word)
    }
    if (i <= start || text === '') {
      if (text !== '') kept.push(text)
    } else if (purpose === 'run' && i > start + 2 && !text.startsWith('-')) {
      add('<args>')
      break
    } else if (QUIET_FLAGS.test(text)) continue
    else if (text === '-o' && words[i + 1] !== undefined) {
      i += 1
      kept.push('-o', '<path>')
    } else if (FLAG_WITH_TIME.test(text)) i += 1
    else if (!keepsPaths && NAME_FLAGS.test(text) && words[i + 1] !== undefined && !(isTask && text === '-t')) {
      i += 1
      kept.push(text)
      add('<name>')
      isNarrow = 'name'
    } else if (!keepsPaths && NAME_FLAG_JOINED.test(text)) {
      kept.push(`${NAME_FLAG_JOINED.exec(text)?.[1]}=<name>`)
      isNarrow = 'name'
    } else if (/[$`]|\$\(/.test(text) || (!plain && keepsPaths)) add('<value>')
    else if (!keepsPaths && isPath(text)) {
      add(text.includes('::') ? '<name>' : '<path>')
      isNarrow ||= text.includes('::') ? 'name' : 'path'
    } else kept.push(/\s/.test(text) ? JSON.stringify(text) : text)
  }
  return { form: kept.join(' '), isNarrow }
}

function isPath(text: string): boolean {
  if (text.startsWith('-') || /^\.?(?:\/\.\.\.|\/)?$/.test(text)) return false
  return text.includes('/') || text.includes('::') || /\.[a-z]{1,5}$/.test(text) || /[*?]/.test(text)
}
