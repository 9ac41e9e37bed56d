import { cutMarked, hasMarked } from '../../core/marked-text.ts'
import { deedsOf } from '../../ledgers/deeds/deeds.ts'
import { type CallValues, openedParams, valuesOf } from '../../ledgers/deeds/json.ts'
import { resultOf, type ToolCall } from '../../ledgers/deeds/result.ts'
import { toolKind } from '../../ledgers/deeds/tools.ts'
import { cautions } from './cautions.ts'
import { projectCommands } from './commands.ts'
import type { Fact } from './fact.ts'
import { failureOf } from './failure.ts'
import { commandOf, fileOf, pathOf, unnumbered } from './file-content.ts'
import { flagTerms } from './flags.ts'
import { gitFacts, hostFacts, unique } from './git-facts.ts'
import { manifestFacts } from './manifests.ts'
import { assignedNames, documentedEnvironment, environmentNames, localServices } from './names-in-code.ts'
import { placeOfFile, rootOf, type SessionPlace } from './place-of-file.ts'
import { commentTerms, documentTerms, saidTerms } from './terms.ts'

export interface Place extends SessionPlace {
  readonly repository: string | null
}

const CODE =
  /\.(?:go|rs|py|rb|ts|tsx|js|jsx|mjs|cjs|mts|cts|java|kt|scala|swift|c|cc|cpp|h|hpp|cs|php|ex|exs|erl|clj|zig|lua|dart|sh|bash|vue|svelte|sql)$/
const CODE_PARAM = new RegExp(`"(?:file_?[pP]ath|path|target_file|filename)"\\s*:\\s*"[^"]*${CODE.source.slice(0, -1)}"`)
const DOCUMENT = /\.(?:md|mdx|rst|adoc|txt)$/
/** Plans and task notes describe the future. */
const DRAFT =
  /(?:^|\/)(?:plans?|todos?|drafts?|scratch|rfcs?|proposals?|requirements|tasks?|reviews?|CHANGELOG|TODO|TASK|REVIEW|NOTES)(?:\/|\.|-|$)/i
const CODE_SAYS =
  /[gG]etenv|environ|\.env\b|ENV[.[]|EnvVar|Setenv|LookupEnv|env::var|env!\(|(?:\/\/|#|\*) (?:[A-Z]\w+|An? [^\n]{2,40}|[A-Z][\w ]{2,40}s) (?:is|are|represents|describes|defines|holds|stores|contains|implements|provides|manages|identifies|means|refers to)\b|bug (?:where|in|that)|workaround|[Dd]o not use|[Nn]ever use/
const LONGEST_OUTPUT = 400_000
/** Our commands print memory, also of other projects. */
const OWN = /\b(?:mnemonic|cortex-(?:search|write|read))\b/
const SHELL_HINT =
  /git|gh |glab|cat |curl|http|run|test|lint|build|fmt|format|install|make|check|go |cargo|npm|yarn|pnpm|bun|py|ruff|black|mypy|bundle|rspec|rubocop|rake|rails|mvn|gradle|docker|tsc|deno|just|task|serve|start|dev|goreleaser|generate|vet|mix|dotnet|swift|php|composer/

export function needsFacts(tool: string | null, params: string | null): boolean {
  const kind = toolKind(tool)
  if (kind === 'shell') return SHELL_HINT.test(params ?? '')
  // Edits name nothing that reads do not.
  if (kind === 'create' || kind === 'edit') return !CODE_PARAM.test(params ?? '')
  if (kind === 'read') return true
  return /pull|issue|\bpr\b|merge_?request|commit/i.test(tool ?? '')
}

const TELLS =
  /\bgit\b[^\n]*\b(?:log|show|blame|shortlog|commit|cherry-pick|revert|status|checkout|switch|remote|push|pull|rebase|merge)\b|\bgh\b|\bglab\b|localhost|127\.0\.0\.1|\bcat [^|;&<>]+$|[A-Z]_[A-Z_]+=\S+ +\w/

export function factsOfCall(call: ToolCall, place: Place): Fact[] {
  const kind = toolKind(call.tool_name)
  if (kind === 'read' && CODE_PARAM.test(call.params_json ?? '') && !CODE_SAYS.test(call.result_json ?? '')) return []
  const values = valuesOf(call)
  if (kind === 'shell') return shellFacts(call, values, place)
  if (kind === 'read' || kind === 'create' || kind === 'edit') {
    const result = kind === 'read' ? resultOf(call, values.result) : undefined
    if (result?.failed || result?.refused || (kind !== 'read' && isFailed(call))) return []
    if (result !== undefined && CODE_PARAM.test(call.params_json ?? ''))
      return codeFacts(pathOf(openedParams(values.params)), result.text, place)
    return fileFacts(
      fileOf(call.tool_name, values, () => result?.text ?? ''),
      place,
    )
  }
  const result = resultOf(call, values.result)
  return result.failed || result.refused
    ? []
    : unique(hostFacts({ command: call.tool_name ?? '', text: result.text.slice(0, LONGEST_OUTPUT) }, place.repository))
}

function isFailed({ status }: ToolCall): boolean {
  return status === 'error' || status === 'failed' || status === 'cancelled' || status === 'rejected'
}

function codeFacts(named: string | undefined, text: string, place: Place): Fact[] {
  const path = named === undefined ? undefined : placeOfFile(named, place)
  if (path === undefined) return []
  const facts = environmentNames(text)
  const found = new Set<string>()
  for (const { index } of text.matchAll(DEFINING_COMMENT)) found.add(linesFrom(text, index, LINES_AROUND))
  for (const part of found) facts.push(...commentTerms(unnumbered(part).text, path))
  if (/[Ff]lags?\b[\w()]*\.\w+\(|add_argument\(|\.option\(/.test(text)) facts.push(...flagTerms(unnumbered(text).text, path))
  if (/\bbug (?:where|in which|that)|workaround for|\b(?:[Dd]o not|[Dd]on't|[Nn]ever|DO NOT|NEVER) use/.test(text))
    facts.push(...cautions(unnumbered(text).text, path, true))
  return unique(facts)
}

const LINES_AROUND = 5
const DEFINING_COMMENT =
  /(?<=^|\n) {0,8}(?:\d{1,6}(?:→|\t|: ?|\| ?))?[ \t]*(?:\/\/+!?|#|\*|--|;;) (?:[A-Z][A-Za-z0-9]{2,40}|An? [a-z][\w -]{2,40}|[A-Z][\w-]+(?: [\w-]+){1,2}) (?:is|are|represents|describes|defines|holds|stores|contains|implements|provides|manages|identifies|means|refers to|stands for) /g

function linesFrom(text: string, start: number, count: number): string {
  let end = start
  for (let i = 0; i < count && end !== -1; i += 1) end = text.indexOf('\n', end + 1)
  return text.slice(start, end === -1 ? text.length : end)
}

function fileFacts(file: ReturnType<typeof fileOf>, place: Place): Fact[] {
  const path = file === undefined ? undefined : placeOfFile(file.path, place)
  if (file === undefined || path === undefined) return []
  const text = hasMarked(file.text) ? cutMarked(file.text) : file.text
  const facts = manifestFacts({ path, text, isWhole: file.isWhole })
  if (CODE.test(path))
    facts.push(...environmentNames(text), ...commentTerms(text, path), ...flagTerms(text, path), ...cautions(text, path, true))
  else if (DOCUMENT.test(path) && !DRAFT.test(path)) {
    facts.push(...documentTerms(text, path), ...cautions(text, path, false), ...documentedEnvironment(text))
    const about = /(?:^|\/)README\.\w+$/i.test(path) && !path.includes('/') && file.isWhole ? firstParagraph(text) : undefined
    if (about !== undefined) facts.push({ kind: 'about', key: 'readme', value: about, detail: { file: path }, isForeign: true })
  }
  return facts
}

function firstParagraph(text: string): string | undefined {
  const paragraph = text
    .split(/\n\s*\n/)
    .slice(0, 12)
    .map((part) => part.trim())
    .find(
      (part) =>
        /^[\p{L}*_`[]/u.test(part) &&
        !/^(?:\[?!\[|\[[^\]]+\]\(|<|```)/.test(part) &&
        part.split(/\s+/).length >= 5 &&
        !part.startsWith('#'),
    )
  return paragraph?.replace(/\s+/g, ' ').slice(0, 300)
}

function shellFacts(call: ToolCall, values: CallValues, place: Place): Fact[] {
  const typed = commandOf(openedParams(values.params)) ?? ''
  const ran = (command: string) => projectCommands(command, { root: rootOf(place), folder: place.workspace_path ?? place.project })
  // Full analysis of a call is expensive, and most calls are lookups.
  if (!TELLS.test(typed) && ran(typed).length === 0) return []
  const result = resultOf(call, values.result)
  const deeds = deedsOf(call, values, result)
  if (result.refused || deeds.commands.length === 0) return []
  const facts: Fact[] = []
  const text = result.text.slice(0, LONGEST_OUTPUT)
  for (const command of deeds.commands) {
    if (OWN.test(command)) continue
    const isBackground =
      /^(?:Command (?:running|was manually) |Background )/i.test(text) || /running in (?:the )?background/i.test(text.slice(0, 300))
    const own = isBackground ? [] : ran(command)
    facts.push(...commandFacts(own, { failed: deeds.failed, text }))
    if (!leavesProject(command, place)) {
      const printed = { command, text: hasMarked(text) ? cutMarked(text) : text }
      facts.push(...assignedNames(command))
      if (/\bgit\b/.test(command)) facts.push(...gitFacts(printed))
      if (/\b(?:gh|glab)\b/.test(command)) facts.push(...hostFacts(printed, place.repository))
      if (!deeds.failed && /localhost|127\.0\.0\.1|0\.0\.0\.0/.test(command + text.slice(0, 20_000)))
        facts.push(...localServices(command, text.slice(0, 20_000)))
      const failure = deeds.failed ? failureOf(command, deeds.lines, own[0]) : undefined
      if (failure !== undefined) facts.push(failure)
    }
  }
  if (!deeds.failed)
    facts.push(
      ...fileFacts(
        fileOf(call.tool_name, values, () => text),
        place,
      ),
    )
  return unique(facts)
}

function leavesProject(command: string, place: Place): boolean {
  if (/\bgit init\b|\bmktemp\b|\bgit clone\b/.test(command)) return true
  const roots = [place.project, place.workspace_path].flatMap((root) => (root === null ? [] : [root.replace(/\/+$/, '')]))
  return [...command.matchAll(/\b(?:cd|pushd|git -C) +["']?((?:\/|~)[^\s"';&|]*|\.\.\/[^\s"';&|]*)/g)].some(
    ([, to = '']) => !roots.some((root) => to === root || to.startsWith(`${root}/`) || root.startsWith(`${to.replace(/\/+$/, '')}/.`)),
  )
}

const END_OF_OUTPUT = 6_000
const COMPLAINS = /\berrors?\b|\bfail|✗|✘|×|❌|\bcannot\b|exit(?:ed)? (?:code|status) [1-9]/i
const NO_COMPLAINT = /\b(?:0|no) (?:errors?|fail(?:ed|ures?|ing)?)\b|\b(?:errors?|failed|failures?): 0\b/gi

type Ran = ReturnType<typeof projectCommands>

function commandFacts(ran: Ran, { failed, text }: { failed: boolean; text: string }): Fact[] {
  // If several ran, the failed one is unknown.
  if (failed && ran.length !== 1) return []
  const isDoubtful = COMPLAINS.test(text.slice(-END_OF_OUTPUT).replace(NO_COMPLAINT, ''))
  return ran.flatMap(({ purpose, form, typed, folder, environment, isMasked }, step): Fact[] => {
    if (!failed && isMasked && isDoubtful) return []
    const detail = {
      state: failed ? 'failed' : 'passed',
      folder,
      ...(step === 0 ? {} : { step }),
      ...(environment.length === 0 ? {} : { env: environment.join(' ') }),
      ...(typed === form || typed.length > 200 ? {} : { typed }),
    }
    return [{ kind: 'command', key: purpose, value: form, detail }]
  })
}

export function factsOfMessage(content: string): Fact[] {
  return content.length > 60_000 ? [] : unique(saidTerms(content))
}
