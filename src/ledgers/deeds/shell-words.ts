/** Undefined if the command is unbalanced, because nothing is certain then. One pass. Pure. */
import { remembered } from '../../core/remembered.ts'

export interface Word {
  readonly text: string
  readonly plain: boolean
}

export interface SimpleCommand {
  readonly words: readonly Word[]
  readonly redirects: readonly { readonly append: boolean; readonly target: Word }[]
  readonly piped: boolean
  readonly bracket?: '(' | ')'
}

const LONGEST = 100_000
const DEEPEST = 20

/** Rules ask for the same command one after the other. */
export const simpleCommands = remembered(commandsOf, 200_000)

function commandsOf(command: string): readonly SimpleCommand[] | undefined {
  if (command.length > LONGEST) return undefined
  const reader = new Reader(command)
  return reader.read() ? reader.commands : undefined
}

class Reader {
  readonly commands: SimpleCommand[] = []
  private at = 0
  private words: Word[] = []
  private redirects: { append: boolean; target: Word }[] = []
  private piped = false
  private pending: 'write' | 'append' | 'skip' | undefined
  private readonly ends: { readonly text: string; readonly tabs: boolean }[] = []
  private readonly source: string

  constructor(source: string) {
    this.source = source
  }

  read(): boolean {
    while (this.at < this.source.length) {
      const from = this.at
      if (!this.step(this.source[from] as string) || this.at === from) return false // guarantee progress
    }
    this.end(false)
    return this.ends.length === 0
  }

  private step(char: string): boolean {
    const next = this.source[this.at + 1]
    if (char === ' ' || char === '\t' || char === '\r') this.at += 1
    else if (char === '\\' && next === '\n') this.at += 2
    else if (char === '\n') return this.newline()
    else if (char === '#') this.skipLine()
    else if (char === '>' || char === '<' || (char === '&' && next === '>')) return this.redirect(char)
    else if (/\d/.test(char) && (next === '>' || next === '<')) {
      this.at += 1
      return this.redirect(char === '1' ? '>' : char)
    } else if (char === '|' || char === ';' || char === '&') {
      const pipe = char === '|' && next !== '|'
      while (this.source[this.at] === char || (pipe && this.source[this.at] === '&')) this.at += 1
      this.end(pipe)
    } else if (char === '(' || char === ')') {
      this.end(false)
      this.commands.push({ words: [], redirects: [], piped: false, bracket: char })
      this.at += 1
    } else return this.word()
    return true
  }

  private end(pipe: boolean): void {
    if (this.words.length > 0 || this.redirects.length > 0)
      this.commands.push({ words: this.words, redirects: this.redirects, piped: this.piped })
    this.words = []
    this.redirects = []
    this.piped = pipe
  }

  private newline(): boolean {
    this.at += 1
    if (!this.skipHereDocuments()) return false
    this.end(false)
    return true
  }

  private skipHereDocuments(): boolean {
    for (const { text, tabs } of this.ends.splice(0)) {
      for (;;) {
        if (this.at >= this.source.length) return false
        const from = this.at
        this.skipLine()
        const line = this.source.slice(from, this.at)
        this.at += 1
        const plain = tabs ? line.replace(/^\t+/, '') : line
        // In a substitution, the closing bracket may follow the delimiter.
        if (plain === text || plain === `${text}\r`) break
      }
    }
    return true
  }

  private skipLine(): void {
    const end = this.source.indexOf('\n', this.at)
    this.at = end === -1 ? this.source.length : end
  }

  private redirect(first: string): boolean {
    const { source } = this
    if (source.startsWith('<<<', this.at)) {
      this.at += 3
      this.pending = 'skip'
    } else if (source.startsWith('<<', this.at)) {
      this.at += 2
      const tabs = source[this.at] === '-'
      if (tabs) this.at += 1
      return this.hereDocument(tabs)
    } else if (source[this.at] === '<') {
      this.at += source[this.at + 1] === '(' ? 1 : 1
      if (source[this.at] === '(') return this.word()
      this.pending = 'skip'
    } else {
      if (source[this.at] === '&') this.at += 1
      this.at += 1
      const append = source[this.at] === '>'
      if (append || source[this.at] === '|') this.at += 1
      if (source[this.at] === '&') {
        this.at += 1
        this.pending = 'skip' // >&2
      } else this.pending = first === '>' || first === '&' ? (append ? 'append' : 'write') : 'skip'
    }
    return true
  }

  private hereDocument(tabs: boolean): boolean {
    while (this.source[this.at] === ' ') this.at += 1
    const word = this.takeWord(0)
    if (word === undefined || word.text === '') return false
    this.ends.push({ text: word.text, tabs })
    return true
  }

  private word(): boolean {
    const word = this.takeWord(0)
    if (word === undefined) return false
    if (this.pending === 'write' || this.pending === 'append') this.redirects.push({ append: this.pending === 'append', target: word })
    else if (this.pending === undefined) this.words.push(word)
    this.pending = undefined
    return true
  }

  private takeWord(depth: number): Word | undefined {
    let text = ''
    let plain = true
    for (; this.at < this.source.length; ) {
      const char = this.source[this.at] as string
      // Shells split only at these; other white space is part of a word.
      if (/[ \t\r\n;|&<>)]/.test(char) || (char === '(' && text === '')) break
      if (char === "'") {
        const end = this.source.indexOf("'", this.at + 1)
        if (end === -1) return undefined
        text += this.source.slice(this.at + 1, end)
        this.at = end + 1
      } else if (char === '"') {
        const quoted = this.takeQuoted(depth)
        if (quoted === undefined) return undefined
        text += quoted.text
        plain &&= quoted.plain
      } else if (char === '\\') {
        if (this.source[this.at + 1] !== '\n') text += this.source[this.at + 1] ?? ''
        this.at += 2
      } else if (char === '$' || char === '`' || char === '(') {
        const from = this.at
        if (!this.skipSubstitution(depth)) return undefined
        text += this.source.slice(from, this.at)
        plain = false
      } else {
        if (/[*?[{]/.test(char)) plain = false
        text += char
        this.at += 1
      }
    }
    if (text === '' && plain && this.source[this.at] === '(') this.at += 1
    return { text, plain }
  }

  private takeQuoted(depth: number): Word | undefined {
    let text = ''
    let plain = true
    this.at += 1
    while (this.at < this.source.length) {
      const char = this.source[this.at] as string
      if (char === '"') {
        this.at += 1
        return { text, plain }
      }
      if (char === '\\') {
        const next = this.source[this.at + 1] ?? ''
        text += /["\\$`]/.test(next) ? next : `\\${next}`
        this.at += 2
      } else if (char === '$' || char === '`') {
        const from = this.at
        if (!this.skipSubstitution(depth)) return undefined
        text += this.source.slice(from, this.at)
        plain = false
      } else {
        text += char
        this.at += 1
      }
    }
    return undefined
  }

  /** Skips `$NAME`, `${…}`, `$(…)`, `` `…` `` or `(…)`. */
  private skipSubstitution(depth: number): boolean {
    if (depth >= DEEPEST) return false
    const char = this.source[this.at]
    const next = this.source[this.at + 1]
    if (char === '`') {
      const end = this.source.indexOf('`', this.at + 1)
      this.at = end + 1
      return end !== -1
    }
    if (char === '$' && next !== '(' && next !== '{') {
      this.at += 1
      return true
    }
    const close = next === '{' && char === '$' ? '}' : ')'
    this.at += char === '$' ? 2 : 1
    return this.skipTo(close, depth + 1)
  }

  private skipTo(close: string, depth: number): boolean {
    const outer = this.ends.splice(0)
    while (this.at < this.source.length) {
      const char = this.source[this.at] as string
      if (char === close) {
        this.at += 1
        this.ends.push(...outer)
        return true
      }
      if (char === '\n') {
        this.at += 1
        if (!this.skipHereDocuments()) return false
      } else if (char === "'") {
        const end = this.source.indexOf("'", this.at + 1)
        if (end === -1) return false
        this.at = end + 1
      } else if (char === '"') {
        if (this.takeQuoted(depth) === undefined) return false
      } else if (char === '\\') this.at += 2
      else if (char === '$' || char === '`' || char === '(') {
        if (!this.skipSubstitution(depth)) return false
      } else if (this.source.startsWith('<<', this.at) && !this.source.startsWith('<<<', this.at)) {
        this.at += 2
        const tabs = this.source[this.at] === '-'
        if (tabs) this.at += 1
        if (!this.hereDocument(tabs)) return false
      } else this.at += 1
    }
    return false
  }
}
