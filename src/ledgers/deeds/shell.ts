/** Only effects that are certain: a word with a variable is no file. Pure. */
import { patchedFiles } from './patch.ts'
import { type FileAction, type FileDeed, isAbsolute, plainPath } from './path.ts'
import { type SimpleCommand, simpleCommands, type Word } from './shell-words.ts'

export interface ShellDeeds {
  readonly files: FileDeed[]
  readonly patterns: string[]
  readonly urls: string[]
  /** An error inside a listed file is no error, so output and file content are distinguished. */
  readonly shows: 'output' | 'files'
}

const PRINTS_FILES = new Set(
  'cat head tail sed awk grep egrep fgrep rg ag ack less more bat nl find fd ls tree wc diff jq strings xxd od sort uniq cut file stat du'.split(
    ' ',
  ),
)
const QUIET = new Set(
  'cd echo printf pwd export set true false sleep mkdir : pushd popd touch rm cp mv source . unset wait which type'.split(' '),
)
const READS = new Set('cat head tail less more bat nl'.split(' '))
const GREPS = new Set('grep egrep fgrep rg ag ack'.split(' '))
const GIT_PRINTS = new Set('show diff grep blame cat-file ls-files ls-tree status log reflog'.split(' '))
const BEFORE = new Set('sudo time nice nohup command env then do else ! { if while until exec'.split(' '))
const WITH_VALUE = /^-(?:[ABCmgtTfd]|-(?:include|exclude|exclude-dir|glob|type|max-count|context|after-context|before-context))$/
const FILE_NAME = /[^/]\.[A-Za-z0-9_]{1,12}$/
const NUMBER = /^\+?\d+$/

export function shellDeeds(command: string, folder: string | undefined): ShellDeeds {
  const deeds: Mutable = { files: patchedFiles(command, folder), patterns: [], urls: [], shows: 'files' }
  const commands = simpleCommands(command)
  if (commands === undefined) return { ...deeds, shows: 'output' }
  const outer: Where[] = []
  let where: Where = { folder, lost: false }
  for (const simple of commands) {
    if (simple.bracket === '(') outer.push(where)
    else if (simple.bracket === ')') where = outer.pop() ?? where
    else where = follow(simple, where, deeds)
  }
  return deeds
}

interface Mutable extends ShellDeeds {
  shows: 'output' | 'files'
}

/** Working folder; `lost` if it cannot be known. */
interface Where {
  readonly folder: string | undefined
  readonly lost: boolean
}

function follow(simple: SimpleCommand, where: Where, deeds: Mutable): Where {
  const words = withoutWrappers(simple.words)
  const program = programOf(words)
  const args = words.slice(1)
  if (program === 'cd' || program === 'pushd') return moved(args[0], where)
  const add = (word: Word | undefined, action: FileAction) => addFile(deeds, where, { word, action })
  for (const { append, target } of simple.redirects) add(target, append ? 'edit' : 'create')
  for (const { text } of words) if (/^https?:\/\/[^\s$]{4,}$/.test(text)) deeds.urls.push(text)
  if (!simple.piped && program !== '' && !QUIET.has(program) && !printsFiles(program, args)) deeds.shows = 'output'
  fileDeeds(program, args, add)
  if (GREPS.has(program)) grepDeeds(args, deeds, add)
  if (program === 'git' && args[0]?.text === 'grep') grepDeeds(args.slice(1), deeds, add)
  if (program === 'find' || program === 'fd') addPatterns(args, deeds)
  return where
}

function printsFiles(program: string, args: readonly Word[]): boolean {
  return PRINTS_FILES.has(program) || (program === 'git' && GIT_PRINTS.has(gitCommand(args)))
}

/** Skips `-C folder` and `-c name=value`. */
function gitCommand(args: readonly Word[]): string {
  let i = 0
  while (args[i]?.text.startsWith('-')) i += /^-[Cc]$/.test((args[i] as Word).text) ? 2 : 1
  return args[i]?.text ?? ''
}

function withoutWrappers(words: readonly Word[]): readonly Word[] {
  let i = 0
  for (; i < words.length; i += 1) {
    const { text } = words[i] as Word
    if (text === 'timeout') i += 1
    else if (!BEFORE.has(text) && !/^[A-Za-z_]\w{0,60}=/.test(text)) break
  }
  return words.slice(i)
}

function programOf(words: readonly Word[]): string {
  const text = words[0]?.text ?? ''
  return text.slice(text.lastIndexOf('/') + 1)
}

function moved(to: Word | undefined, where: Where): Where {
  if (to === undefined || !to.plain || to.text === '-') return { folder: where.folder, lost: true }
  const path = plainPath(to.text, where.folder)
  return path === undefined || path.startsWith('..')
    ? { folder: where.folder, lost: true }
    : { folder: path, lost: where.lost && !isAbsolute(to.text) }
}

function addFile(deeds: Mutable, where: Where, { word, action }: { word: Word | undefined; action: FileAction }): void {
  if (!word?.plain || (where.lost && !isAbsolute(word.text)) || word.text.startsWith('-')) return
  const path = plainPath(word.text, where.folder)
  if (path !== undefined && !path.endsWith('/')) deeds.files.push({ path, action })
}

type Add = (word: Word | undefined, action: FileAction) => void

function fileDeeds(program: string, args: readonly Word[], add: Add): void {
  const names = args.filter(({ text }) => text !== '' && !text.startsWith('-'))
  const has = (option: RegExp) => args.some(({ text }) => option.test(text))
  if (READS.has(program)) for (const word of names) if (!NUMBER.test(word.text)) add(word, 'read')
  if (program === 'touch') for (const word of names) add(word, 'create')
  if (program === 'tee') for (const word of names) add(word, has(/^(?:-a|--append)$/) ? 'edit' : 'create')
  if (program === 'sed') {
    const files = has(/^(?:-e|--expression|-f)/) ? [] : names.slice(1)
    for (const word of files) add(word, has(/^(?:-[a-zA-Z]{0,4}i|--in-place)/) ? 'edit' : 'read')
  }
  if (program === 'rm' && !has(/^-[a-zA-Z]{0,4}[rR]|^--recursive/)) for (const word of names) add(word, 'delete')
  if (program === 'cp' || program === 'mv') move(names, program === 'mv' ? 'delete' : 'read', add)
  if (program === 'git') gitDeeds(args, add)
}

/** The target is a file, not a folder, if it looks like a file name. */
function move(names: readonly Word[], first: FileAction, add: Add): void {
  const [from, to] = names
  if (names.length !== 2 || from === undefined || to === undefined || !FILE_NAME.test(from.text)) return
  add(from, first)
  if (FILE_NAME.test(to.text)) add(to, 'create')
}

function gitDeeds(args: readonly Word[], add: Add): void {
  const [what, ...rest] = args
  const names = rest.filter(({ text }) => !text.startsWith('-'))
  if (what?.text === 'rm' && rest.every(({ text }) => text !== '-r' && text !== '--cached')) for (const word of names) add(word, 'delete')
  if (what?.text === 'mv') move(names, 'delete', add)
  if (what?.text === 'restore' && rest.every(({ text }) => text !== '--staged'))
    for (const word of names) if (FILE_NAME.test(word.text)) add(word, 'edit')
}

/** The first non-option is the pattern; words that look like file names are files. */
function grepDeeds(args: readonly Word[], deeds: Mutable, add: Add): void {
  let pattern = false
  for (let i = 0; i < args.length; i += 1) {
    const word = args[i] as Word
    if (word.text === '-e' || word.text === '--regexp') {
      pattern = true
      i += 1
      const value = args[i]?.text
      if (value) deeds.patterns.push(value)
    } else if (WITH_VALUE.test(word.text)) i += 1
    else if (word.text.startsWith('-') || word.text === '') continue
    else if (!pattern) {
      pattern = true
      deeds.patterns.push(word.text)
    } else if (FILE_NAME.test(word.text)) add(word, 'read')
  }
}

function addPatterns(args: readonly Word[], deeds: Mutable): void {
  for (const [i, { text }] of args.entries())
    if (/^-i?(?:name|path|regex|wholename)$/.test(text)) {
      const value = args[i + 1]?.text
      if (value) deeds.patterns.push(value)
    }
}
