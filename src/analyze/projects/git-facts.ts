import { isRecord, parsed } from '../../ledgers/deeds/json.ts'
import type { Fact } from './fact.ts'

export interface PrintedOutput {
  readonly command: string
  readonly text: string
}

const MOST = 60
const NAME = /^[\p{L}][\p{L}\p{M}\d .,'’_-]{0,60}$/u
const EMAIL = /^[^\s@<>]{1,80}@[^\s@<>]{1,80}$/
const BOT =
  /\[bot\]$|(?:^|[-_ ])bot$|^(?:copilot|dependabot|renovate|github-actions|claude|cursor|codex|gemini|devin|coderabbit)|pull-request-reviewer|noreply@anthropic/i

const foreign = (kind: Fact['kind'], key: string, value: string, detail?: Fact['detail']): Fact => ({
  ...{ kind, key, value, isForeign: true },
  ...(detail === undefined ? {} : { detail }),
})

export type PersonRole = 'author' | 'reviewer'

function person(name: string, role: PersonRole, { email = '', login = '' } = {}): Fact[] {
  const shown = name.trim() || login
  if ((!NAME.test(shown) && login === '') || [shown, login, email].some((text) => BOT.test(text))) return []
  if (email !== '' && !EMAIL.test(email)) return []
  const key = (email || login || shown).toLowerCase()
  return [foreign('person', key, shown, { role, ...(email === '' ? {} : { email }), ...(login === '' ? {} : { login }) })]
}

export function gitFacts({ command, text }: PrintedOutput): Fact[] {
  const facts: Fact[] = []
  if (/\bgit\b[^\n|;&]*\b(?:log|show|whatchanged)\b/.test(command)) facts.push(...loggedCommits(text), ...formattedCommits(command, text))
  if (/\bgit\b[^\n|;&]*\bshortlog\b/.test(command))
    for (const [, name = '', email = ''] of text.matchAll(/^\s+\d+\t([^<\n]+?)(?: <([^>\n]+)>)?$/gm))
      facts.push(...person(name, 'author', { email }))
  if (/\bgit\b[^\n|;&]*\bblame\b/.test(command))
    for (const [, name = ''] of text.matchAll(/^\^?[0-9a-f]{7,40} (?:\S+ +)?\((.+?) +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/gm))
      if (name.trim() !== 'Not Committed Yet') facts.push(...person(name, 'author'))
  facts.push(...madeCommits(command, text), ...branches(command, text))
  return unique(facts)
}

/** Long format: `commit HASH`, `Author: NAME <ADDRESS>`, then the subject. */
function loggedCommits(text: string): Fact[] {
  const facts: Fact[] = []
  const each =
    /^commit ([0-9a-f]{7,40})(?: \([^)\n]*\))?\n(?:Merge: .*\n)?Author: +([^<\n]+?) <([^>\n]+)>\n(?:(?:Date|Commit|AuthorDate|CommitDate): +.*\n)*\n {4}(.+)$/gm
  for (const [, hash = '', name = '', email = '', subject = ''] of text.matchAll(each)) {
    const author = person(name, 'author', { email })
    facts.push(...author)
    if (author.length > 0) facts.push(foreign('commit', hash.slice(0, 7), subject, { author: name.trim() }))
  }
  return facts
}

const PLACES: Readonly<Record<string, string>> = {
  ...{ '%H': '(?<hash>[0-9a-f]{40})', '%h': '(?<hash>[0-9a-f]{7,14})', '%an': '(?<name>[^\\n]+?)', '%aN': '(?<name>[^\\n]+?)' },
  ...{ '%ae': '(?<email>[^\\s@]+@\\S+?)', '%aE': '(?<email>[^\\s@]+@\\S+?)', '%s': '(?<subject>[^\\n]*?)' },
}

function formattedCommits(command: string, text: string): Fact[] {
  const format = /--(?:pretty|format)=(?:format:|tformat:)?(?:"([^"]{2,120})"|'([^']{2,120})'|(\S{2,120}))/.exec(command)
  const written = (format?.[1] ?? format?.[2] ?? format?.[3])?.split('%n', 1)[0]
  // The name must be followed by a separator that no name contains.
  if (written === undefined || !/%a[nN](?:$|[^ %\w]|%x09| [^%\w])/.test(written)) return []
  const used = new Set<string>()
  const pattern = written.replace(/%(?:x09|C\([^)]*\)|C\w+|[aci][a-zA-Z]|[A-Za-z])|[.*+?^${}()|[\]\\]/g, (part) => {
    if (part === '%x09') return '\\t'
    if (/^%C/.test(part)) return ''
    if (!part.startsWith('%')) return `\\${part}`
    const place = PLACES[part]
    if (place === undefined || used.has(part.toLowerCase())) return '[^\\n]*?'
    used.add(part.toLowerCase())
    return place
  })
  const facts: Fact[] = []
  let matched: RegExp
  try {
    matched = new RegExp(`^${pattern}$`, 'gm')
  } catch {
    return []
  }
  for (const { groups = {} } of text.slice(0, 50_000).matchAll(matched)) {
    const { name = '', email = '', hash, subject } = groups
    const author = person(name, 'author', { email })
    facts.push(...author)
    if (author.length > 0 && hash !== undefined && subject)
      facts.push(foreign('commit', hash.slice(0, 7), subject, { author: name.trim() }))
  }
  return facts
}

/** `[branch 1a2b3c4] Subject`, as `git commit` prints it. */
function madeCommits(command: string, text: string): Fact[] {
  if (!/\bgit\b[\s\S]*\b(?:commit|cherry-pick|revert)\b/.test(command)) return []
  return [...text.matchAll(/^\[([^\]\n]{1,120}?) (?:\(root-commit\) )?([0-9a-f]{7,40})\] (.+)$/gm)].flatMap(
    ([, branch = '', hash = '', subject = '']) => [
      foreign('commit', hash.slice(0, 7), subject, branch.startsWith('detached') ? {} : { branch, made: true }),
    ],
  )
}

const BRANCH = /^[\w][\w./@+-]{0,100}$/

function branches(command: string, text: string): Fact[] {
  const facts: Fact[] = []
  const add = (name: string, detail: Fact['detail'] = {}) => {
    if (BRANCH.test(name) && !/^[0-9a-f]{7,40}$/.test(name) && name !== 'HEAD') facts.push(foreign('branch', name, '', detail))
  }
  if (/\bgit\b/.test(command)) {
    for (const [, name = ''] of text.matchAll(/^On branch (\S+)$/gm)) add(name)
    for (const [, name = ''] of text.matchAll(/^Switched to (?:a new )?branch '([^'\n]+)'$/gm)) add(name)
    for (const [, name = ''] of text.matchAll(/(?:origin\/HEAD -> origin\/|HEAD branch: )(\S+?)(?=[,)\s]|$)/gm))
      add(name, { default: true })
  }
  return facts
}

/** `repository`: output about other repositories is ignored. */
export function hostFacts({ command, text }: PrintedOutput, repository: string | null): Fact[] {
  const named = /(?:--repo|-R)[ =]["']?([\w./-]+)|repos\/([\w.-]+\/[\w.-]+)\//.exec(command)
  const repo = named?.[1] ?? named?.[2]
  if (repo !== undefined && !repo.includes('$') && (repository === null || !repository.toLowerCase().endsWith(`/${lastTwo(repo)}`)))
    return []
  const facts: Fact[] = []
  const number = /\b(?:gh|glab) (?:pr|mr|issue) (?:view|diff|checkout|merge|edit|close|ready|checks)\s+(?:--?\S+\s+)*#?(\d{1,7})\b/.exec(
    command,
  )?.[1]
  const isIssue = /\b(?:gh|glab) issue\b/.test(command)
  for (const value of jsonValues(text)) facts.push(...objectFacts(value, { number, isIssue, command }))
  if (/\bgh (?:pr|issue) list\b/.test(command))
    for (const [, id = '', title = '', ...rest] of text.matchAll(/^(\d{1,7})\t([^\t\n]{3,200})\t([^\t\n]*)(?:\t([^\t\n]*))?/gm)) {
      const [one = '', two = ''] = rest
      const state = /^(?:OPEN|MERGED|CLOSED|DRAFT)$/.test(one) ? one : /^(?:OPEN|MERGED|CLOSED|DRAFT)$/.test(two) ? two : ''
      facts.push(
        foreign(
          isIssue ? 'issue' : 'pull',
          `#${id}`,
          title,
          given({ state: state.toLowerCase(), branch: !isIssue && one !== state ? one : '' }),
        ),
      )
    }
  if (/\bgh (?:pr|issue) view\b/.test(command) && /^title:\t/m.test(text)) {
    const field = (name: string) => new RegExp(`^${name}:\\t(.+)$`, 'm').exec(text)?.[1]?.trim() ?? ''
    const id = field('number') || number
    if (id && field('title') !== '')
      facts.push(
        foreign(
          isIssue ? 'issue' : 'pull',
          `#${id}`,
          field('title'),
          given({ state: field('state').toLowerCase(), author: field('author') }),
        ),
      )
    if (!isIssue) facts.push(...person('', 'author', { login: field('author') }))
    for (const [, login = ''] of field('reviewers').matchAll(/([\w-]+) \((?:Approved|Changes requested|Commented)\)/g))
      facts.push(...person('', 'reviewer', { login }))
  }
  if (/\bgh pr create\b/.test(command)) {
    const id = /\/pull\/(\d{1,7})\b/.exec(text)?.[1]
    const title = /(?:--title|-t)[ =]+(?:"((?:[^"\\]|\\.){3,200})"|'([^']{3,200})')/.exec(command)
    const branch = /(?:--head|-H)[ =]"?([\w./-]+)/.exec(command)?.[1] ?? ''
    if (id !== undefined && title !== null)
      facts.push(foreign('pull', `#${id}`, title[1] ?? title[2] ?? '', given({ state: 'open', branch })))
  }
  const merged = /\bgh pr merge\b/.test(command) ? (number ?? /[Mm]erged pull request \S*#(\d+)/.exec(text)?.[1]) : undefined
  if (merged !== undefined) facts.push(foreign('pull', `#${merged}`, '', { state: 'merged' }))
  return unique(facts).slice(0, MOST)
}

const lastTwo = (repo: string): string =>
  repo
    .toLowerCase()
    .replace(/\.git$/, '')
    .split('/')
    .slice(-2)
    .join('/')

const given = (fields: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''))

function jsonValues(text: string): unknown[] {
  const plain = text.trim().replace(/\nShell cwd was reset to .*$/, '')
  if (!/^[[{]/.test(plain) || plain.length > 500_000) return []
  const whole = parsed(plain)
  if (typeof whole === 'object' && whole !== null) return [whole]
  return plain
    .split('\n')
    .slice(0, 200)
    .flatMap((line) => (/^\{.*\}$/.test(line.trim()) ? [parsed(line.trim())] : []))
    .filter((value) => typeof value === 'object')
}

interface Around {
  readonly number: string | undefined
  readonly isIssue: boolean
  readonly command: string
}

function objectFacts(value: unknown, around: Around, depth = 0): Fact[] {
  if (Array.isArray(value))
    return depth > 2 ? [] : value.slice(0, MOST).flatMap((item) => objectFacts(item, { ...around, number: undefined }, depth + 1))
  if (!isRecord(value)) return []
  const { title, state, identifier } = value
  const facts: Fact[] = []
  const id = typeof value.number === 'number' ? String(value.number) : around.number
  if (typeof title === 'string' && title.length > 2) {
    if (typeof identifier === 'string' && /^[A-Z][A-Z0-9]{1,9}-\d{1,6}$/.test(identifier))
      facts.push(foreign('issue', identifier, title, given({ state: statusIn(value) })))
    else if (id !== undefined) {
      const branch =
        typeof value.headRefName === 'string'
          ? value.headRefName
          : isRecord(value.head) && typeof value.head.ref === 'string'
            ? value.head.ref
            : ''
      const isIssue =
        around.isIssue ||
        (branch === '' && !/\bpr\b|pull/.test(around.command) && value.pull_request === undefined && value.mergedAt === undefined)
      const status = (typeof value.mergedAt === 'string' ? 'merged' : typeof state === 'string' ? state : '').toLowerCase()
      facts.push(
        foreign(isIssue ? 'issue' : 'pull', `#${id}`, title, given({ state: status, branch, author: loginOf(value.author ?? value.user) })),
      )
    }
  }
  const base = value.baseRefName
  if (typeof base === 'string' && /^(?:main|master|develop|trunk|dev)$/.test(base))
    facts.push(foreign('branch', base, '', { default: true }))
  if (!around.isIssue) {
    if (typeof title === 'string' || value.headRefName !== undefined) facts.push(...account(value.author ?? value.user, 'author'))
    for (const review of Array.isArray(value.reviews) ? value.reviews : [])
      if (isRecord(review)) facts.push(...account(review.author, 'reviewer'))
    for (const commit of Array.isArray(value.commits) ? value.commits.slice(0, MOST) : [])
      if (isRecord(commit)) {
        const authors = Array.isArray(commit.authors) ? commit.authors.filter(isRecord) : []
        facts.push(...authors.flatMap((author) => account(author, 'author')))
        const [first] = authors
        if (typeof commit.oid === 'string' && typeof commit.messageHeadline === 'string' && typeof first?.name === 'string')
          facts.push(foreign('commit', commit.oid.slice(0, 7), commit.messageHeadline, { author: first.name }))
      }
    // A review comment on a pull request.
    if (typeof value.diff_hunk === 'string' || typeof value.pull_request_review_id === 'number')
      facts.push(...account(value.user, 'reviewer'))
  }
  return facts
}

function statusIn({ status, state }: Readonly<Record<string, unknown>>): string {
  for (const one of [status, state]) {
    if (typeof one === 'string') return one.toLowerCase()
    if (isRecord(one) && typeof one.name === 'string') return one.name.toLowerCase()
  }
  return ''
}

function loginOf(value: unknown): string {
  return isRecord(value) && typeof value.login === 'string' ? value.login : ''
}

function account(value: unknown, role: PersonRole): Fact[] {
  if (!isRecord(value) || value.is_bot === true || value.type === 'Bot') return []
  const text = (name: string) => (typeof value[name] === 'string' ? value[name] : '')
  const login = text('login')
  return login === '' && text('name') === '' ? [] : person(text('name'), role, { email: text('email'), login })
}

export function unique(facts: readonly Fact[]): Fact[] {
  const once = new Map<string, Fact>()
  for (const one of facts) {
    const key = `${one.kind}\n${one.key}\n${one.value}\n${one.detail?.role ?? ''}`
    const before = once.get(key)
    once.set(key, before === undefined ? one : { ...before, detail: { ...one.detail, ...before.detail } })
  }
  return [...once.values()].map((one) =>
    one.detail !== undefined && Object.keys(one.detail).length === 0 ? ({ ...one, detail: undefined } as unknown as Fact) : one,
  )
}
