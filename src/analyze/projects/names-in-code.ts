/** Environment variables and addresses named in code and commands. Never values. */
import type { Fact } from './fact.ts'
import { purposesIn } from './purpose-of-variable.ts'

const READS_ENV =
  /(?:os\.(?:Getenv|LookupEnv)\(|os\.environ(?:\.get)?[[(]|os\.getenv\(|process\.env\.|process\.env\[|import\.meta\.env\.|Deno\.env\.get\(|ENV(?:\.fetch\(|\[)|System\.getenv\(|env::var(?:_os)?\(|std::getenv\(|Environment\.GetEnvironmentVariable\(|t\.Setenv\(|env!\()\s*["'`]?([A-Z][A-Z0-9_]{2,60})\b/g
/** A constant that holds a variable name: `LogLevelEnvVar = "APP_LOG_LEVEL"`. */
const NAMES_ENV =
  /\b\w*(?:EnvVar|EnvName|EnvKey|ENV_VAR|ENV_NAME|ENV_KEY)\w*\s*(?:string\s*)?(?::=|=|:)\s*["'`]([A-Z][A-Z0-9_]{2,60})["'`]/g
const COMMON =
  /^(?:PATH|HOME|USER|USERNAME|SHELL|TERM|PWD|OLDPWD|LANG|LC_\w+|TMPDIR|TEMP|TMP|EDITOR|VISUAL|PAGER|LESS|CI|DEBUG|HOSTNAME|LOGNAME|DISPLAY|XDG_\w+|SSH_\w+|GIT_\w+|GH_\w+|GO(?:PATH|ROOT|OS|ARCH|FLAGS|CACHE|BIN|MODCACHE|EXPERIMENT)?|CGO_\w+|NODE_ENV|NODE_OPTIONS|NODE_PATH|PYTHON\w*|VIRTUAL_ENV|RUST\w*|CARGO\w*|JAVA_HOME|RAILS_ENV|RACK_ENV|NO_COLOR|FORCE_COLOR|COLUMNS|LINES|PS1|IFS|FOO|BAR|BAZ|TEST|EOF|APPDATA|USERPROFILE|LOCALAPPDATA|SYSTEMROOT|COMSPEC)$/

export function environmentNames(text: string): Fact[] {
  if (!/env/i.test(text)) return []
  const names = new Set([...text.matchAll(READS_ENV)].map(([, name = '']) => name))
  if (/Env(?:Var|Name|Key)|ENV_(?:VAR|NAME|KEY)/.test(text)) for (const [, name = ''] of text.matchAll(NAMES_ENV)) names.add(name)
  const own = [...names].filter((name) => !COMMON.test(name))
  const purposes = own.length === 0 ? new Map<string, string>() : purposesIn(text, own, 'code')
  return own.map((key) => variable(key, purposes.get(key), 'comment'))
}

const variable = (key: string, purpose: string | undefined, from: 'comment' | 'document'): Fact => ({
  ...{ kind: 'env', key, value: purpose ?? '', isForeign: true },
  ...(purpose === undefined ? {} : { detail: { from } }),
})

/** `APP_TRACE=out ./app`: names of two words only. Excludes variables of a script. */
export function assignedNames(command: string): Fact[] {
  const names = new Set(
    [...command.matchAll(/(?:^|[\n;&|(]\s*|\benv )([A-Z][A-Z0-9]*_[A-Z0-9_]{1,50})=[\w./:@-]{1,60} +(?=[\w./])/g)].map(
      ([, name = '']) => name,
    ),
  )
  return [...names].filter((name) => !COMMON.test(name)).map((key) => ({ kind: 'env', key, value: '' }))
}

export function documentedEnvironment(text: string): Fact[] {
  if (!/environment variable|env(?:ironment)? vars?\b/i.test(text)) return []
  const names = new Set(
    [...text.matchAll(/`(?:export )?([A-Z][A-Z0-9]*_[A-Z0-9_]{1,50})(?:=[^`\n]{0,60})?`/g)].map(([, name = '']) => name),
  )
  const own = [...names].filter((name) => !COMMON.test(name))
  const purposes = own.length === 0 ? new Map<string, string>() : purposesIn(text, own, 'document')
  return own.map((key) => variable(key, purposes.get(key), 'document'))
}

const LOCAL = /\bhttps?:\/\/(localhost|127\.0\.0\.1|0\.0\.0\.0)(?::(\d{2,5}))\b/g
const LISTENS =
  /(?:listening|running|started|ready|serving|available|local:)[^\n]{0,60}?https?:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0):(\d{2,5})\b/gi

export function localServices(command: string, output: string): Fact[] {
  const ports = new Set<string>()
  for (const [, port = ''] of output.matchAll(LISTENS)) ports.add(port)
  if (/\b(?:curl|http|wget)\b/.test(command)) for (const [, , port = ''] of command.matchAll(LOCAL)) ports.add(port)
  return [...ports].map((port) => ({ kind: 'service', key: `localhost:${port}`, value: `localhost:${port}`, isForeign: true }))
}
