import type { ExtractedAlias } from '../../graph/extracted.ts'

export interface Identified {
  readonly type: 'project' | 'entity' | 'document' | 'person'
  readonly name: string
  readonly alias: Pick<ExtractedAlias, 'type' | 'value'>
  readonly start: number
  readonly end: number
}

const HAS_ANY = /[@/]|install|add |import|require|package|library/
const REPOSITORY =
  /(?:https?:\/\/|git@|ssh:\/\/git@)(?:www\.)?(?:github|gitlab|bitbucket|codeberg)\.(?:com|org)[/:]([\w-][\w.-]{0,38})\/([\w.-]{1,60}?)(?:\.git)?(?=[/#?\s)\]}>"'`,;:!]|\.(?:\s|$)|$)/g
const NO_OWNER = /^(?:orgs|topics|features|marketplace|settings|notifications|search|sponsors|about|apps|login|explore|users|enterprise)$/i
const INSTALL =
  /\b(?:npm (?:i|install|add)|pnpm (?:i|add|install)|yarn add|bun add|pip3? install|uv (?:add|pip install)|poetry add|cargo add|go get|gem install|brew install)((?: +-{1,2}[\w-]+)* +(?!-)[@\w][\w@./-]*(?:[=@^~<>]+[\w.*-]+)?)/g
const SPOKEN_PACKAGE = /`(@?[a-z][\w.-]{1,40}(?:\/[a-z][\w.-]{1,40})?)` (?:package|library|module|crate|gem|dependency)\b/g
/** Documents only; `files` covers touched code and settings. */
const FILE = /(?<![\w:/.-])@?((?:\.{0,2}\/)?(?:[\w@.-]+\/)+[\w@.-]+\.(?:mdx?|rst|adoc|txt|pdf|docx?|ipynb|tex))(?![\w/-])/g
const MAIL = /(?<![\w.+-])[\w][\w.+-]{0,63}@[a-z\d][a-z\d-]*(?:\.[a-z\d-]+)*\.[a-z]{2,12}(?![\w@-])/gi
const NO_MAIL =
  /^(?:no-?reply|do-?not-?reply|git|postmaster|mailer-daemon|info|support|admin|hello|contact|sales|team|help|test|user|someone|name|you|me)@|@(?:example|test|localhost|users\.noreply)/i

const NO_FILE =
  /(?:^|\/)(?:node_modules|vendor|target|dist|build|tmp|temp)\/|[\da-f]{8}-[\da-f]{4}-|[\da-f]{16}|(?:^|\/)(?=[a-f]*\d)[\da-f]{7,}[./]|\btest-session|^\/(?:tmp|var)\//i
/** Placeholders: "npm install package". */
const NO_PACKAGE =
  /^(?:package|packages|module|modules|library|formula|cask|name|dependency|dependencies|deps|plugin|tool|app|it|this|that|them|the|a|an|and|or|if|to|all|again|first|globally|locally|instead|manually|from|for|with|on|in|everything|something|foo|bar)$/i

export interface Wanted {
  readonly files: boolean
  readonly mails: boolean
}

export function identifiersIn(text: string, { files, mails }: Wanted): Identified[] {
  if (!HAS_ANY.test(text)) return []
  const found: Identified[] = []
  const add = (one: Omit<Identified, 'end'>, length: number) => found.push({ ...one, end: one.start + length })
  for (const { 0: whole, 1: owner = '', 2: name = '', index } of text.matchAll(REPOSITORY))
    if (!NO_OWNER.test(owner))
      add({ type: 'project', name, alias: { type: 'repository', value: `${owner}/${name}` }, start: index }, whole.length)
  for (const { 0: whole, 1: last = '', index } of text.matchAll(INSTALL)) {
    const name = last.trim().split(/\s+/).at(-1) ?? ''
    const plain = packageName(name)
    if (plain !== undefined && !NO_PACKAGE.test(plain))
      add(
        { type: 'entity', name: plain, alias: { type: 'package', value: plain }, start: index + whole.length - name.length },
        plain.length,
      )
  }
  for (const { 1: name = '', index } of text.matchAll(SPOKEN_PACKAGE))
    add({ type: 'entity', name, alias: { type: 'package', value: name }, start: index + 1 }, name.length)
  if (files)
    for (const { 0: whole, 1: said = '', index } of text.matchAll(FILE)) {
      const path = said.replace(/^(?:\.\/)+/, '')
      const start = index + whole.length - path.length
      if (!/:\/\//.test(text.slice(Math.max(0, index - 12), index + 1)) && !NO_FILE.test(path))
        add({ type: 'document', name: path.split('/').at(-1) ?? path, alias: { type: 'path', value: path }, start }, path.length)
    }
  if (mails)
    for (const { 0: address, index } of text.matchAll(MAIL))
      if (!NO_MAIL.test(address))
        add(
          { type: 'person', name: address.toLowerCase(), alias: { type: 'email', value: address.toLowerCase() }, start: index },
          address.length,
        )
  return found
}

function packageName(said: string): string | undefined {
  const name = said.replace(/(?<=.)[=@^~<>]+[\w.*-]*$/, '').replace(/[.,]+$/, '')
  return /^@?[a-z][\w.-]*(?:\/[\w.-]+)*$/i.test(name) && !/^(?:\.|\/)|\.(?:tgz|whl|git|txt)$/.test(name) && name.length > 1
    ? name
    : undefined
}
