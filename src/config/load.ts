/** Never reads a file from a project or the current folder. */
import { homedir as systemHomedir } from 'node:os'
import { type ConfigFile, readConfigFile } from './config-file.ts'
import { VARIABLES } from './defaults.ts'
import { expandHome, type Paths } from './paths.ts'
import { configInvalid, type Problem } from './problem.ts'
import type { Config } from './schema.ts'
import { emptyTree, fromDotted, hasPath, type KeyPath, merge, type Tree } from './tree.ts'
import { type Finding, validate } from './validate.ts'

export interface LoadOptions {
  readonly paths: Paths
  readonly env?: NodeJS.ProcessEnv | undefined
  /** Nested or dotted: `{ 'memory.quiet_minutes': 30 }`. */
  readonly overrides?: Readonly<Record<string, unknown>> | undefined
  /** From `--agent`; the only place that may say `all`. */
  readonly agent?: string | undefined
  readonly homedir?: string | undefined
}

export interface LoadedConfig {
  readonly config: Config
  readonly warnings: string[]
}

/** Precedence: options, environment, file, defaults. Throws CONFIG_INVALID with every problem found. */
export function loadConfig(options: LoadOptions): LoadedConfig {
  const layers = readLayers(options)
  const tree = [layers.file?.tree ?? emptyTree(), layers.variables, layers.options].reduce(merge)
  const { config: parsed, findings } = validate(tree)
  const problems = [...findings.map((finding) => located(finding, layers)), ...misplacedAll(tree, layers, options.agent)]
  const [first, ...more] = problems
  if (first !== undefined || parsed === undefined) throw configInvalid([first as Problem, ...more])
  const { memorySearch: _, ...config } = parsed
  return {
    config: withExpandedPaths(config, options.homedir ?? systemHomedir()),
    warnings: [...modeWarnings(layers), ...ignoredKeys(tree, layers), ...plainHttp(config)],
  }
}

interface Layers {
  readonly path: string
  readonly file: ConfigFile | undefined
  readonly variables: Tree
  readonly options: Tree
}

function readLayers({ paths, env = process.env, overrides = {}, agent }: LoadOptions): Layers {
  const set = Object.entries(VARIABLES).flatMap(([key, name]) => {
    const value = env[name]?.trim()
    return value ? [[key, value]] : []
  })
  return {
    path: paths.config,
    file: readConfigFile(paths.config),
    variables: fromDotted(Object.fromEntries(set)),
    options: fromDotted(agent === undefined ? overrides : { ...overrides, agent }),
  }
}

/** Names the layer that set the key last: the user must fix it there. */
function located({ path, ...finding }: Finding, layers: Layers): Problem {
  for (let end = path.length; end > 0; end--) {
    const above = path.slice(0, end)
    if (hasPath(layers.options, above)) return { from: 'option', ...finding }
    if (hasPath(layers.variables, above)) return { from: VARIABLES[above.join('.')] ?? 'environment', ...finding }
    if (layers.file !== undefined && hasPath(layers.file.tree, above)) break
  }
  return { file: layers.path, line: layers.file?.lineOf(path), ...finding }
}

/** `all` is read-only: memories are written as one agent. */
function misplacedAll(tree: Tree, layers: Layers, agent: string | undefined): Problem[] {
  if (tree.agent !== 'all' || agent === 'all') return []
  const problem = 'cannot be "all": that is for --agent at the command line'
  return [located({ path: ['agent'], key: 'agent', value: '"all"', problem, fix: 'Name one agent, such as main.' }, layers)]
}

function modeWarnings({ file, path }: Layers): string[] {
  const mode = file?.mode ?? 0
  if ((mode & 0o066) === 0) return []
  const what = (mode & 0o022) === 0 ? 'read' : 'changed'
  return [`${path} can be ${what} by other users (mode ${mode.toString(8)}): chmod 600 ${path}`]
}

const IGNORED: readonly KeyPath[] = [
  ['memorySearch', 'experimental', 'sessionMemory'],
  ['memorySearch', 'sources'],
]

function ignoredKeys(tree: Tree, layers: Layers): string[] {
  return IGNORED.filter((path) => hasPath(tree, path)).map((path) => {
    const { file, line, from } = located({ path, problem: '', fix: '' }, layers)
    const where = file === undefined ? from : `${file}:${line}`
    return `${where}: ${path.join('.')} is ignored: session history is always indexed. Remove the key.`
  })
}

function plainHttp(config: Config): string[] {
  const addresses = { 'embedding.base_url': config.embedding.base_url, 'analyze.base_url': config.analyze.base_url }
  return Object.entries(addresses).flatMap(([key, value]) => {
    if (value === undefined) return []
    const { protocol, hostname } = new URL(value)
    const local = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
    return protocol === 'https:' || local ? [] : [`${key} sends text unencrypted to ${hostname}: use https`]
  })
}

function withExpandedPaths(config: Config, homedir: string): Config {
  const expand = (paths: readonly string[]) => paths.map((path) => expandHome(path, homedir))
  const sources = Object.entries(config.sources).map(([name, source]) =>
    'paths' in source ? [name, { ...source, paths: expand(source.paths) }] : [name, source],
  )
  return {
    ...config,
    sources: Object.fromEntries(sources) as Config['sources'],
    memory: { ...config.memory, paths: expand(config.memory.paths) },
    qmd: config.qmd.dir === undefined ? config.qmd : { ...config.qmd, dir: expandHome(config.qmd.dir, homedir) },
  }
}
