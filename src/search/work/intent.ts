/**
 * Whether a query asks for tool work: a quoted phrase, an error, a file, a command, a commit hash, an identifier. A plain question that
 * mentions one is a question.
 */
import { cutQuery } from '../query-text.ts'

export type WorkIntent = 'phrase' | 'error' | 'file' | 'command' | 'hash' | 'name'

const HASH = /^(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}$/
const ERROR =
  /\b(?:fatal|panic|error(?:\[\w{1,10}\])?|\w{0,60}(?:Error|Exception)|npm ERR!|FAIL(?:ED)?|warning|E[A-Z]{4,12}):? ?[:(]|\bexit(?:ed)? (?:status|code|with (?:code|status)) \d|^\s{0,8}at .{1,200}:\d+:\d+|\.\w{1,8}:\d+(?::\d+)?\b|\bline \d+, in \b|\berror TS\d|Traceback \(most|command not found|[Nn]o such file or directory|[Pp]ermission denied|segmentation fault|--- FAIL/
/** Neither `and/or` nor `v1.2` is a file. */
const FILE =
  /^[~.\w@-]{0,80}(?:[\\/][\w.@+-]{1,100}){0,30}[\\/]?[\w@+-]{1,100}\.(?:[a-z]{1,4}|[a-z]{1,4}\d|json\w?|yaml|toml|proto|swift|scala|kotlin|gradle|mdx|jsx|tsx|html|scss|less|vue|astro|sql|lock|plist|properties)$/i
const PATH =
  /^(?:[~.]{0,2}[\\/])?[\w.@+-]{1,100}(?:[\\/][\w.@+-]{1,100}){2,30}[\\/]?$|^(?:~|\.{1,2})?[\\/][\w.@+-]{1,100}(?:[\\/][\w.@+-]{1,100}){1,30}$/
const SITE = /^[\w-]{1,60}\.(?:com|org|net|io|dev|ai|app|eg|ie|etc)$/i
const PROGRAM =
  /^(?:git|gh|npm|npx|pnpm|yarn|bun|deno|node|python3?|pip3?|uv|pytest|cargo|rustc|go|make|cmake|docker|kubectl|helm|terraform|curl|wget|ssh|scp|rsync|grep|rg|sed|awk|find|cat|ls|rm|mkdir|chmod|tar|brew|apt|apt-get|systemctl|psql|sqlite3|mise|vitest|jest|tsc|eslint|biome|ruff|mypy|golangci-lint|swift|xcodebuild|gradle|mvn|bundle|rails|rake|composer|php|dotnet|aws|gcloud|az|sudo)$/
const SUBCOMMAND =
  /^(?:add|apply|bisect|blame|branch|build|bundle|checkout|cherry-pick|ci|clean|clone|commit|compose|config|create|diff|exec|fetch|fmt|generate|get|init|install|lint|list|log|logs|merge|mod|mv|pr|ps|publish|pull|push|rebase|reflog|remote|reset|restore|revert|rm|run|show|start|stash|status|switch|tag|test|tidy|tool|up|update|vet|worktree|-\S+|\.{0,2}\/\S+)$/
/** `get_user_name`, `getUserName`, `Foo::bar`. */
const NAME = /[\p{L}\p{N}]_+[\p{L}\p{N}]|\p{Ll}\p{Lu}|[\p{L}\p{N}]::[\p{L}\p{N}]/u
const MOST_BESIDE = 2
const LONGEST_COMMAND = 12

export function workIntent(query: string): WorkIntent | undefined {
  const { quoted, tokens } = cutQuery(query)
  if (quoted.some(({ words }) => words.length > 0)) return 'phrase'
  const words = tokens.map((token) => token.replace(/^[("'`[]+|[)"'`,;:!?\]]+$/g, ''))
  const asks = /\?\s*$/.test(query)
  if (words.length <= 1 + MOST_BESIDE && words.some((word) => HASH.test(word))) return 'hash'
  if (!asks && ERROR.test(query) && !isFileWithLine(words)) return 'error'
  if (words.length <= 1 + MOST_BESIDE && words.some(isFile)) return 'file'
  const [program = '', next = ''] = words
  if (!asks && words.length >= 2 && words.length <= LONGEST_COMMAND && PROGRAM.test(program) && SUBCOMMAND.test(tokens[1] ?? next))
    return 'command'
  if (words.length > 0 && words.length <= 1 + MOST_BESIDE && words.every((word) => NAME.test(word))) return 'name'
  return undefined
}

/** The intent of the question itself, or of most phrasings. */
export function sharedIntent(queries: readonly string[]): WorkIntent | undefined {
  const intents = queries.map(workIntent)
  const asking = intents.filter((intent) => intent !== undefined)
  return intents[0] ?? (asking.length > queries.length / 2 ? asking[0] : undefined)
}

export function filesIn(query: string): string[] {
  return cutQuery(query)
    .tokens.map((token) => withoutLine(token.replace(/^[("'`[]+|[)"'`,;:!?\]]+$/g, '')))
    .filter(isFile)
}

function isFile(word: string): boolean {
  const name = withoutLine(word)
  return (FILE.test(name) && !SITE.test(name)) || PATH.test(name)
}

function withoutLine(word: string): string {
  return word.replace(/(?::\d{1,7}){1,2}$/, '')
}

/** `explain.go:357` alone is a place in a file. */
function isFileWithLine(words: readonly string[]): boolean {
  return words.length === 1 && isFile(words[0] as string)
}
