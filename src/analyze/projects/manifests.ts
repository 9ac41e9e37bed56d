import { isRecord, parsed } from '../../ledgers/deeds/json.ts'
import type { Fact } from './fact.ts'

export interface Manifest {
  /** Relative to the project. */
  readonly path: string
  readonly text: string
  readonly isWhole: boolean
}

type Reader = (manifest: Manifest) => Fact[]

const VERSION = /^[\^~>=<! ]{0,4}v?\d[\w.+*-]{0,40}$/
const LONGEST_TASK = 200

const fact = (kind: Fact['kind'], key: string, value: string, detail?: Fact['detail']): Fact => ({
  ...{ kind, key, value, isForeign: true },
  ...(detail === undefined ? {} : { detail }),
})
const dependency = (name: string, version: string, ecosystem: string, dev = false): Fact[] =>
  /^[@\w][\w@./:-]{0,120}$/.test(name) ? [fact('dependency', name, version.trim().replace(/^["']|["']$/g, ''), { ecosystem, dev })] : []
const language = (name: string, version = ''): Fact => fact('language', name, version)
const tool = (name: string, version = ''): Fact => fact('tool', name, version)
const task = (name: string, value: string, runner: string): Fact =>
  fact('task', name, value.replace(/\s+/g, ' ').trim().slice(0, LONGEST_TASK), { runner })

const READERS: readonly (readonly [RegExp, Reader])[] = [
  [/(?:^|\/)package\.json$/, packageJson],
  [/(?:^|\/)go\.mod$/, goMod],
  [/(?:^|\/)Cargo\.toml$/, cargo],
  [/(?:^|\/)pyproject\.toml$/, pyproject],
  [/(?:^|\/)requirements[\w-]*\.(?:txt|in)$/, requirements],
  [/(?:^|\/)Gemfile$/, gemfile],
  [/(?:^|\/)\.?mise(?:\.local)?\.toml$/, mise],
  [/(?:^|\/)\.tool-versions$/, toolVersions],
  [/(?:^|\/)\.(?:nvmrc|node-version|python-version|ruby-version|java-version|go-version)$/, versionFile],
  [/(?:^|\/)rust-toolchain(?:\.toml)?$/, rustToolchain],
  [/(?:^|\/)(?:GNU)?[Mm]akefile$/, makefile],
  [/(?:^|\/)\.?[Jj]ustfile$/, justfile],
  [/(?:^|\/)pom\.xml$/, pom],
  [/(?:^|\/)build\.gradle(?:\.kts)?$/, gradle],
  [/(?:^|\/)(?:docker-)?compose(?:\.[\w-]+)?\.ya?ml$/, compose],
  [/(?:^|\/)Dockerfile(?:\.[\w-]+)?$/, dockerfile],
  [/(?:^|\/)\.env(?:\.[\w-]+)?\.?(?:example|sample|template|dist)$|(?:^|\/)\.env$|\.env\.(?:local|test|development)$/, envFile],
]

const CONFIGS: readonly (readonly [RegExp, string])[] = [
  [/(?:^|\/)\.golangci\.(?:ya?ml|toml|json)$/, 'golangci-lint'],
  [/(?:^|\/)\.?goreleaser\.ya?ml$/, 'GoReleaser'],
  [/(?:^|\/)(?:\.eslintrc(?:\.\w+)?|eslint\.config\.\w+)$/, 'ESLint'],
  [/(?:^|\/)(?:\.prettierrc(?:\.\w+)?|prettier\.config\.\w+)$/, 'Prettier'],
  [/(?:^|\/)biome\.jsonc?$/, 'Biome'],
  [/(?:^|\/)\.rubocop\.yml$/, 'RuboCop'],
  [/(?:^|\/)\.pre-commit-config\.yaml$/, 'pre-commit'],
  [/(?:^|\/)vitest\.config\.\w+$/, 'Vitest'],
  [/(?:^|\/)jest\.config\.\w+$/, 'Jest'],
  [/(?:^|\/)playwright\.config\.\w+$/, 'Playwright'],
  [/(?:^|\/)\.github\/workflows\/[\w-]+\.ya?ml$/, 'GitHub Actions'],
  [/(?:^|\/)\.gitlab-ci\.yml$/, 'GitLab CI'],
  [/(?:^|\/)\.circleci\/config\.yml$/, 'CircleCI'],
  [/(?:^|\/)renovate\.json5?$/, 'Renovate'],
  [/(?:^|\/)\.github\/dependabot\.ya?ml$/, 'Dependabot'],
]

export function manifestFacts(manifest: Manifest): Fact[] {
  const { path, text, isWhole } = manifest
  if (text.length > 200_000) return []
  const read = READERS.find(([name]) => name.test(path))?.[1]
  const config = CONFIGS.find(([name]) => name.test(path))?.[1]
  const facts = [...(read?.(manifest) ?? []), ...(config === undefined ? [] : [tool(config)])]
  return facts.map((one) => ({ ...one, detail: { ...one.detail, file: path, ...(isWhole ? { whole: true } : {}) } }))
}

function packageJson({ text, isWhole }: Manifest): Fact[] {
  const value = isWhole ? parsed(text) : undefined
  if (!isRecord(value)) return []
  const all = (name: string) => Object.entries(isRecord(value[name]) ? value[name] : {}).filter(([, item]) => typeof item === 'string')
  const manager = typeof value.packageManager === 'string' ? (/^(\w+)@/.exec(value.packageManager)?.[1] ?? 'npm') : 'npm'
  const dependencies = ['dependencies', 'devDependencies', 'peerDependencies'].flatMap((name) =>
    all(name).flatMap(([key, version]) => dependency(key, String(version), 'npm', name === 'devDependencies')),
  )
  const { node } = isRecord(value.engines) ? value.engines : {}
  return [
    language('Node.js', typeof node === 'string' ? node : ''),
    ...(dependencies.some(({ key }) => key === 'typescript')
      ? [language('TypeScript', dependencies.find(({ key }) => key === 'typescript')?.value)]
      : []),
    ...(typeof value.description === 'string' && value.description.length > 10 ? [fact('about', 'description', value.description)] : []),
    ...(typeof value.name === 'string' ? [fact('about', 'package', value.name)] : []),
    ...(manager === 'npm' ? [] : [tool(manager, /@([\d.]+)/.exec(String(value.packageManager))?.[1])]),
    ...dependencies,
    ...all('scripts').map(([name, command]) => task(name, String(command), `${manager} run`)),
  ]
}

function goMod({ text }: Manifest): Fact[] {
  const facts: Fact[] = []
  for (const line of text.split('\n')) {
    const module = /^module (\S+)$/.exec(line.trim())?.[1]
    const version = /^go (\d[\d.]*)$/.exec(line.trim())?.[1]
    const required = /^\s*(?:require )?([\w.-]+\.[a-z]{2,}\/\S+) (v\d\S*)(\s*\/\/ indirect)?\s*$/.exec(line)
    if (module !== undefined) facts.push(fact('about', 'module', module))
    if (version !== undefined) facts.push(language('Go', version))
    if (required !== null && required[3] === undefined) facts.push(...dependency(required[1] ?? '', required[2] ?? '', 'go'))
  }
  return facts
}

/** Reads `[section]` and `key = value` lines, the TOML subset of manifests. */
function sections(text: string): Map<string, (readonly [string, string])[]> {
  const found = new Map<string, (readonly [string, string])[]>()
  let name = ''
  const lines = text.split('\n')
  for (let i = 0; i < lines.length; i += 1) {
    const line = (lines[i] ?? '').trim()
    const header = /^\[{1,2}([^\]]+)\]{1,2}/.exec(line)?.[1]
    if (header !== undefined) name = header.replaceAll('"', '').trim()
    const pair = /^("[^"]+"|[\w.@/-]+)\s*=\s*(.+)$/.exec(line)
    if (header !== undefined || pair === null) continue
    let value = pair[2] ?? ''
    while (value.startsWith('[') && !/\]\s*(?:#.*)?$/.test(value) && i + 1 < lines.length) value += `\n${lines[++i]}`
    while (value.startsWith('"""') && !/"""\s*$/.test(value.slice(3)) && i + 1 < lines.length) value += `\n${lines[++i]}`
    found.set(name, [...(found.get(name) ?? []), [(pair[1] ?? '').replaceAll('"', ''), value] as const])
  }
  return found
}

const quoted = (value: string): string => /^["']{1,3}([\s\S]*?)["']{1,3}\s*(?:#.*)?$/.exec(value.trim())?.[1] ?? ''
/** `"1.2"` or `{ version = "1.2", … }`. */
const versionIn = (value: string): string => quoted(value) || (/\bversion\s*=\s*["']([^"']+)["']/.exec(value)?.[1] ?? '')

function cargo({ text }: Manifest): Fact[] {
  const parts = sections(text)
  const own = new Map(parts.get('package') ?? parts.get('workspace.package') ?? [])
  const description = quoted(own.get('description') ?? '')
  return [
    language('Rust', quoted(own.get('rust-version') ?? '')),
    ...(description === '' ? [] : [fact('about', 'description', description)]),
    ...(quoted(own.get('name') ?? '') === '' ? [] : [fact('about', 'package', quoted(own.get('name') ?? ''))]),
    ...[...parts].flatMap(([name, pairs]) =>
      /(?:^|\.)(?:dev-|build-)?dependencies$/.test(name)
        ? pairs.flatMap(([key, value]) => dependency(key.replace(/\.workspace$/, ''), versionIn(value), 'cargo', name.includes('dev-')))
        : [],
    ),
  ]
}

const PEP508 = /^([A-Za-z][\w.-]*)(?:\[[^\]]*\])?\s*((?:[=<>!~]=?|===)\s*[\w.*]+(?:\s*,\s*[=<>!~]=?\s*[\w.*]+)*)?/

function pythonDependency(text: string, dev = false): Fact[] {
  const found = PEP508.exec(text.trim())
  return found === null ? [] : dependency(found[1] ?? '', (found[2] ?? '').replaceAll(' ', ''), 'python', dev)
}

function pyproject({ text }: Manifest): Fact[] {
  const parts = sections(text)
  const project = new Map(parts.get('project') ?? [])
  const poetry = new Map(parts.get('tool.poetry') ?? [])
  const description = quoted(project.get('description') ?? poetry.get('description') ?? '')
  const listed = (value = '') => [...value.matchAll(/["']([^"'\n]+)["']/g)].map(([, item = '']) => item)
  const python =
    quoted(project.get('requires-python') ?? '') || quoted(new Map(parts.get('tool.poetry.dependencies') ?? []).get('python') ?? '')
  const tools = ['ruff', 'black', 'mypy', 'pytest', 'isort', 'pyright', 'uv', 'poetry', 'hatch', 'tox'].filter((name) =>
    [...parts.keys()].some((key) => key === `tool.${name}` || key.startsWith(`tool.${name}.`)),
  )
  return [
    language('Python', python),
    ...(description === '' ? [] : [fact('about', 'description', description)]),
    ...tools.map((name) => tool(name)),
    ...listed(project.get('dependencies')).flatMap((item) => pythonDependency(item)),
    ...[...parts].flatMap(([name, pairs]) => {
      if (/^(?:project\.optional-dependencies|dependency-groups)$/.test(name))
        return pairs.flatMap(([, value]) => listed(value).flatMap((item) => pythonDependency(item, true)))
      if (/^tool\.poetry(?:\.group\.[\w-]+)?\.(?:dev-)?dependencies$/.test(name))
        return pairs.flatMap(([key, value]) =>
          key === 'python' ? [] : dependency(key, versionIn(value), 'python', name !== 'tool.poetry.dependencies'),
        )
      return []
    }),
    ...(parts.get('tool.poe.tasks') ?? []).map(([name, value]) => task(name, quoted(value), 'poe')),
  ]
}

function requirements({ path, text }: Manifest): Fact[] {
  const dev = /dev|test|lint|doc/.test(path.slice(path.lastIndexOf('/') + 1))
  return [language('Python'), ...text.split('\n').flatMap((line) => (/^\s*(?:#|-|$)/.test(line) ? [] : pythonDependency(line, dev)))]
}

function gemfile({ text }: Manifest): Fact[] {
  return [
    language('Ruby', /^\s*ruby ["']([^"']+)["']/m.exec(text)?.[1]),
    ...[...text.matchAll(/^\s*gem ["']([\w-]+)["'](?:,\s*["']([^"']+)["'])?/gm)].flatMap(([, name = '', version = '']) =>
      dependency(name, version, 'ruby'),
    ),
  ]
}

const LANGUAGES: Readonly<Record<string, string>> = {
  ...{ go: 'Go', golang: 'Go', node: 'Node.js', nodejs: 'Node.js', python: 'Python', ruby: 'Ruby', rust: 'Rust', java: 'Java' },
  ...{ deno: 'Deno', bun: 'Bun', elixir: 'Elixir', erlang: 'Erlang', php: 'PHP', zig: 'Zig', dotnet: '.NET', kotlin: 'Kotlin' },
}

const toolOrLanguage = (name: string, version: string): Fact =>
  LANGUAGES[name] === undefined ? tool(name, version) : language(LANGUAGES[name], version === 'latest' ? '' : version)

function mise({ text, isWhole }: Manifest): Fact[] {
  const parts = sections(text)
  const tools = (parts.get('tools') ?? []).map(([name, value]) =>
    toolOrLanguage(name.replace(/^(?:npm|go|cargo|pipx|aqua|ubi):(?:.*\/)?/, ''), versionIn(value.replaceAll("'", '"'))),
  )
  const tasks = [...parts].flatMap(([name, pairs]) => {
    const called = /^tasks\.(.+)$/.exec(name)?.[1]
    const all = new Map(pairs)
    if (called !== undefined) return [task(called, commandIn(all.get('run') ?? ''), 'mise run')]
    return name === 'tasks' ? pairs.map(([key, value]) => task(key, commandIn(value), 'mise run')) : []
  })
  return [...(isWhole || parts.has('tools') ? tools : []), ...tasks]
}

function commandIn(value: string): string {
  const script = /^\s*(?:"""([\s\S]*?)"""|'''([\s\S]*?)''')/.exec(value)
  if (script !== null) return onlyCommand(script[1] ?? script[2] ?? '')
  const all = [...value.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'/g)].map(([, one, two]) => one ?? two ?? '')
  return (value.startsWith('[') ? all.join(' && ') : (all[0] ?? '')).replaceAll('\\"', '"').trim()
}

/** Empty for scripts of several commands: the task name must do. */
function onlyCommand(script: string): string {
  const lines = script.split('\n').map((line) => line.trim())
  const commands = lines.filter((line) => line !== '' && !/^(?:#|set -)/.test(line))
  return commands.length === 1 ? (commands[0] as string) : ''
}

function toolVersions({ text }: Manifest): Fact[] {
  return [...text.matchAll(/^([a-z][\w-]*) (\d\S*)/gm)].map(([, name = '', version = '']) => toolOrLanguage(name, version))
}

function versionFile({ path, text }: Manifest): Fact[] {
  const name = /\.(nvmrc|node|python|ruby|java|go)/.exec(path)?.[1] ?? ''
  const version = text.trim().split('\n', 1)[0] ?? ''
  return VERSION.test(version) ? [toolOrLanguage(name === 'nvmrc' ? 'node' : name, version)] : []
}

function rustToolchain({ text }: Manifest): Fact[] {
  return [language('Rust', /channel\s*=\s*"([^"]+)"/.exec(text)?.[1] ?? (VERSION.test(text.trim()) ? text.trim() : ''))]
}

function makefile({ text }: Manifest): Fact[] {
  const lines = text.split('\n')
  return lines.flatMap((line, i) => {
    const name = /^([a-zA-Z][\w-]{0,40}):(?![=:])/.exec(line)?.[1]
    if (name === undefined) return []
    const first = /^\t[@-]?(.+)$/.exec(lines[i + 1] ?? '')?.[1] ?? ''
    return [task(name, first, 'make')]
  })
}

function justfile({ text }: Manifest): Fact[] {
  const lines = text.split('\n')
  return lines.flatMap((line, i) => {
    const name = /^@?([a-zA-Z][\w-]{0,40})(?: [^:=]*)?:(?!=)/.exec(line)?.[1]
    return name === undefined || name === 'set' ? [] : [task(name, (lines[i + 1] ?? '').trim().replace(/^@/, ''), 'just')]
  })
}

function pom({ text }: Manifest): Fact[] {
  const java = /<(?:maven\.compiler\.(?:release|source)|java\.version)>([\d.]+)</.exec(text)?.[1]
  const each = [...text.matchAll(/<dependency>([\s\S]*?)<\/dependency>/g)].flatMap(([, body = '']) => {
    const part = (name: string) => new RegExp(`<${name}>([^<]+)</${name}>`).exec(body)?.[1]?.trim() ?? ''
    const version = part('version')
    return dependency(`${part('groupId')}:${part('artifactId')}`, version.startsWith('$') ? '' : version, 'maven', part('scope') === 'test')
  })
  return [language('Java', java), tool('Maven'), ...each]
}

function gradle({ path, text }: Manifest): Fact[] {
  const java = /(?:jvmToolchain\(|JavaLanguageVersion\.of\(|sourceCompatibility\s*=\s*(?:JavaVersion\.VERSION_)?['"]?)(\d+)/.exec(text)?.[1]
  const each = [
    ...text.matchAll(/^\s*(\w*[iI]mplementation|api|compileOnly|runtimeOnly)[ (]+["']([\w.-]+:[\w.-]+)(?::([\w.-]+))?["']/gm),
  ].flatMap(([, how = '', name = '', version = '']) => dependency(name, version, 'maven', how.startsWith('test')))
  const kotlin = path.endsWith('.kts') || /org\.jetbrains\.kotlin|kotlin\(/.test(text)
  return [
    ...(kotlin && /kotlin\("jvm"\)|kotlin\.jvm/.test(text) ? [language('Kotlin')] : [language('Java', java)]),
    tool('Gradle'),
    ...each,
  ]
}

function compose({ text }: Manifest): Fact[] {
  const facts: Fact[] = []
  let indent: number | undefined
  let name = ''
  let isServices = false
  for (const line of text.split('\n')) {
    const found = /^( *)([\w.-]+):\s*(.*)$/.exec(line)
    const depth = found?.[1]?.length ?? 0
    if (found !== null && depth === 0) isServices = found[2] === 'services'
    else if (found !== null && isServices && depth <= (indent ?? depth) && (found[3] ?? '') === '') {
      indent ??= depth
      name = found[2] ?? ''
    } else if (found !== null && isServices && found[2] === 'image' && name !== '')
      facts.push(fact('service', name, quotedOrPlain(found[3] ?? '')))
    const port = /^\s*-\s*["']?(?:[\d.]+:)?(\d{2,5}):\d{2,5}["']?\s*$/.exec(line)?.[1]
    if (port !== undefined && isServices && name !== '') facts.push(fact('service', name, `localhost:${port}`))
  }
  return facts
}

const quotedOrPlain = (value: string): string => value.trim().replace(/^["']|["']$/g, '')

function dockerfile({ text }: Manifest): Fact[] {
  const images = [...text.matchAll(/^FROM\s+(?:--\S+\s+)?([\w./-]+)(?::([\w.-]+))?/gim)]
  return [
    tool('Docker'),
    ...images.flatMap(([, name = '', version = '']) =>
      LANGUAGES[name] === undefined ? [] : [language(LANGUAGES[name], version.replace(/-.*$/, ''))],
    ),
  ]
}

function envFile({ text }: Manifest): Fact[] {
  return [...text.matchAll(/^\s*(?:#\s*)?(?:export )?([A-Z][A-Z0-9_]{2,60})=/gm)].map(([, name = '']) => fact('env', name, ''))
}
