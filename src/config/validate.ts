/** Never prints a value that may be a secret. */
import { keysAt, nearest, nearestKeys } from './known-keys.ts'
import { type Problem, shown } from './problem.ts'
import { configSchema } from './schema.ts'
import { hasKeyPrefix, mayHoldSecret } from './secret-value.ts'
import { isMapping, type KeyPath, strings, type Tree, valueAt } from './tree.ts'

export interface Finding extends Omit<Problem, 'file' | 'from' | 'line'> {
  readonly path: KeyPath
}

type Parsed = NonNullable<ReturnType<typeof configSchema.safeParse>['data']>
type Issue = NonNullable<ReturnType<typeof configSchema.safeParse>['error']>['issues'][number]

const NAME_THE_VARIABLE =
  'Put the key into an environment variable and write the name of that variable, such as "api_key_env: OPENAI_API_KEY".'

/** Holds paths and globs: a folder may be called sk-learn-notes. */
const FREE_NAMES: ReadonlySet<string> = new Set(['ignore', 'memory', 'qmd', 'sources'])

export function validate(tree: Tree): { config: Parsed; findings: [] } | { config: undefined; findings: [Finding, ...Finding[]] } {
  const findings = new Map<string, Finding>()
  const add = (finding: Finding) => {
    const id = JSON.stringify(finding.path)
    if (!findings.has(id)) findings.set(id, finding)
  }
  for (const { path, value } of strings(tree)) {
    if (FREE_NAMES.has(String(path[0])) || !hasKeyPrefix(value)) continue
    add({ path, key: dotted(path), problem: 'looks like a key or token (its value is not shown)', fix: NAME_THE_VARIABLE })
  }
  const result = configSchema.safeParse(tree)
  for (const issue of result.error?.issues ?? []) for (const finding of describe(issue, tree)) add(finding)
  const [first, ...more] = findings.values()
  if (first !== undefined) return { config: undefined, findings: [first, ...more] }
  return { config: result.data as Parsed, findings: [] }
}

function describe(issue: Issue, tree: Tree): Finding[] {
  const path = issue.path as KeyPath
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(path, key))
  const key = dotted(path)
  if (issue.code === 'custom' && typeof issue.params?.fix === 'string') {
    return [{ path, key, problem: issue.message, fix: issue.params.fix }]
  }
  const value = valueAt(tree, path)
  const expected = issue.message
  if (mayHoldSecret(key)) {
    const fix = key.endsWith('base_url') ? 'Write it without a password; put a key into an environment variable.' : NAME_THE_VARIABLE
    return [{ path, key, problem: `must be ${expected} (its value is not shown)`, fix }]
  }
  const seen = shown(value)
  return [{ path, key, value: seen, problem: `is ${seen}, but must be ${expected}`, fix: fixFor({ path, issue, value }) }]
}

/** Never prints an unknown key's value: it may be a secret. */
function unknownKey(path: KeyPath, name: string): Finding {
  const key = dotted([...path, hasKeyPrefix(name) ? '(something like a key)' : name])
  return { path: [...path, name], key, problem: 'is not a known key', fix: knownInstead(path, name) }
}

function knownInstead(path: KeyPath, name: string): string {
  const near = nearestKeys(path, name)
  if (near.length === 0 || near.length > 3) {
    const here = keysAt(path).filter((known) => known !== 'memorySearch')
    return `Known here: ${here.join(', ')}.`
  }
  const note = near.some((known) => known.endsWith('api_key_env')) ? ' It takes the name of an environment variable, never the key.' : ''
  return `Did you mean ${near.join(' or ')}?${note}`
}

function fixFor({ path, issue, value }: { path: KeyPath; issue: Issue; value: unknown }): string {
  if (dotted(path) === 'ignore' && Array.isArray(value)) return 'Write the list under ignore.projects.'
  if (path[0] === 'sources' && path.length === 2 && typeof value === 'boolean') return `Write "${path[1]}: { enabled: ${value} }".`
  if (dotted(path).startsWith('owner.phones.')) return 'Write it with + and the country code, in quotes.'
  if (dotted(path) === 'owner.timezone' && typeof value === 'string') {
    const near = nearest(value.replace(/ /g, '_'), Intl.supportedValuesOf('timeZone'))
    if (near !== undefined) return `Did you mean ${near}?`
  }
  if (issue.code === 'invalid_value' && typeof value === 'string') {
    const near = nearest(value, issue.values.map(String))
    if (near !== undefined) return `Did you mean ${near}?`
  }
  if (issue.code === 'invalid_type' && issue.expected === 'string' && (typeof value === 'number' || typeof value === 'boolean')) {
    return `Put it in quotes: "${value}".`
  }
  if (issue.code === 'invalid_type' && issue.expected === 'array' && !isMapping(value))
    return 'Write a list: one line "- value" for each entry.'
  if (typeof path.at(-1) === 'number') return 'Change this entry or remove it.'
  const preset = valueAt(configSchema.parse({}) as Tree, path)
  return isMapping(preset) || preset === undefined
    ? 'Change it, or remove the key.'
    : `Change it, or remove the key for the default, ${shown(preset)}.`
}

function dotted(path: KeyPath): string {
  return path.join('.')
}
