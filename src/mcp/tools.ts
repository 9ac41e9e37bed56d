/** The tools of the MCP server, each one call of the library. None of them writes; none waits for the sync. */
import { type CallToolResult, McpServer } from '@modelcontextprotocol/server'
import type { ZodType } from 'zod'
import { asMnemonicError, MnemonicError } from '../core/error.ts'
import { given } from '../core/given.ts'
import { escapeMarks, escapeMarksDeep, NOTICE } from '../core/marked-text.ts'
import { redactValues, redactVisible } from '../core/redact.ts'
import { packageVersion } from '../core/version.ts'
import { type Mnemonic, readForAgent, searchForAgent } from '../library/index.ts'
import { type Answered, lastAnswered } from './answered.ts'
import type { BackgroundSync } from './background-sync.ts'
import { TOOL_HINTS, toolHint } from './hints.ts'
import { listSessions } from './list-sessions.ts'
import { clientFolder } from './roots.ts'
import * as schemas from './schemas.ts'
import { memoryStatusText, type StatusText } from './text.ts'
import { toolInput } from './tool-input.ts'

const INSTRUCTIONS = `Recall what was said, done and decided before: session history (agents ledger) of this machine’s AI agents, messages, mail and meetings (events ledger), and documents of people.
Ask memory_search before you say that you do not know. Give 3 or 4 phrasings. Read more of a hit with memory_get.`

const READ_ONLY = { readOnlyHint: true, openWorldHint: false }

export interface ToolsOptions {
  readonly mnemonic: Mnemonic
  readonly sync: BackgroundSync
  /** For programs: each answer also as structured content, with its schema. A model would then read that in place of the text. */
  readonly structured?: boolean
  readonly now?: () => number
}

interface Tools extends Required<ToolsOptions> {
  readonly server: McpServer
  readonly answered: Answered
  readonly folder: () => Promise<string>
}

/** What a tool gives: the text, and the document that it was made of. */
interface Given {
  readonly text: string
  readonly document: object
}

export function mcpServer({ mnemonic, sync, structured = false, now = Date.now }: ToolsOptions): McpServer {
  const server = new McpServer({ name: 'mnemonic', title: 'Mnemonic', version: packageVersion() }, { instructions: INSTRUCTIONS })
  const tools: Tools = { server, mnemonic, sync, now, structured, answered: lastAnswered(), folder: clientFolder(server) }
  addMemorySearch(tools)
  addSessionSearch(tools)
  addMemoryGet(tools)
  addSessionList(tools)
  addMemoryStatus(tools)
  return server
}

interface Tool<T> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: ZodType<T>
  readonly output: ZodType
  readonly call: (request: Sent<T>) => Promise<Given>
}

function add<T>({ server, sync, structured }: Tools, { name, title, description, input, output, call }: Tool<T>): void {
  const tool = {
    title,
    description,
    inputSchema: toolInput(input),
    annotations: READ_ONLY,
    ...given({ outputSchema: structured ? output : undefined }),
  }
  server.registerTool(name, tool, async (request: unknown) => {
    sync.refresh()
    try {
      const { text, document } = await call(request as Sent<T>)
      const content: CallToolResult['content'] = [{ type: 'text', text }]
      // A program may hand the structure to a model: it may not hold what could pass for the end of marked text either.
      return structured ? { content, structuredContent: escapeMarksDeep(document) as Record<string, unknown> } : { content }
    } catch (thrown) {
      return refused(thrown)
    }
  })
}

function addMemorySearch(tools: Tools): void {
  const { mnemonic, now, answered, folder } = tools
  add(tools, {
    name: 'memory_search',
    title: 'Search memory',
    description:
      'Searches session history (agents ledger), messages, mail and meetings (events ledger) and documents for what was said, done or decided earlier. Of each hit: number, id, date, title, the sentences that answer.',
    input: schemas.memorySearchInput,
    output: schemas.memorySearchOutput,
    async call(request) {
      const answer = await mnemonic.memorySearch({ prefer_project: await folder(), ...request })
      answered.remember(
        answer.results.map(({ citation }) => citation),
        { about: answer.queries },
      )
      return { text: await searchForAgent(answer, { now: now(), hints: TOOL_HINTS }), document: { notice: NOTICE, ...answer } }
    },
  })
}

function addSessionSearch(tools: Tools): void {
  const { mnemonic, now, answered, folder } = tools
  add(tools, {
    name: 'session_search',
    title: 'Search sessions',
    description:
      'memory_search in session history (agents ledger) alone: conversations with AI agents. Takes the same query, queries and filters.',
    input: schemas.sessionSearchInput,
    output: schemas.sessionSearchOutput,
    async call(request) {
      const answer = await mnemonic.sessionSearch({ prefer_project: await folder(), ...request })
      answered.remember(
        answer.results.map(({ citation }) => citation),
        { about: answer.queries },
      )
      return { text: await searchForAgent(answer, { now: now(), hints: TOOL_HINTS }), document: { notice: NOTICE, ...answer } }
    },
  })
}

function addMemoryGet(tools: Tools): void {
  const { mnemonic, answered } = tools
  add(tools, {
    name: 'memory_get',
    title: 'Read',
    description:
      'Reads more of a hit, a turn of session history (agents ledger), a session (its outline), a document, MEMORY.md or what a [[wikilink]] names, up to a budget of tokens.',
    input: schemas.memoryGetInput,
    output: schemas.memoryGetOutput,
    async call({ id, path, ...part }) {
      const given = [id, path].flatMap((name) => name ?? [])
      const [name] = given
      if (name === undefined || given.length > 1) {
        throw new MnemonicError('USAGE', 'give either path or id', {
          details: { keys: ['id', 'path'] },
          hint: 'Each hit has a number and an id.',
        })
      }
      const { text, document } = await readForAgent(mnemonic, { ...answered.named(name), ...part }, TOOL_HINTS)
      return { text, document: { notice: NOTICE, ...document } }
    },
  })
}

function addSessionList(tools: Tools): void {
  const { mnemonic, answered } = tools
  add(tools, {
    name: 'session_list',
    title: 'List sessions',
    description: 'Lists the sessions of session history (agents ledger), newest first: id, date, project, title.',
    input: schemas.sessionListInput,
    output: schemas.sessionListOutput,
    call: (request) => listSessions(mnemonic, answered, request),
  })
}

function addMemoryStatus(tools: Tools): void {
  const { mnemonic, sync, now } = tools
  add(tools, {
    name: 'memory_status',
    title: 'Memory status',
    description: 'How much session history (agents ledger) is indexed, when it was last synced, and how the background sync went.',
    input: schemas.memoryStatusInput,
    output: schemas.memoryStatusOutput,
    async call() {
      const document = await statusOf(mnemonic, sync)
      return { document, text: memoryStatusText(document, now()) }
    },
  })
}

async function statusOf(mnemonic: Mnemonic, sync: BackgroundSync): Promise<StatusText> {
  const empty = { version: packageVersion(), last_sync: null, sessions: 0, turns: 0, documents: 0, chunks: 0, waiting_sessions: 0 }
  try {
    const { last_sync, agents, index } = await mnemonic.status()
    const { documents, chunks, waiting_sessions } = index
    return {
      ...empty,
      last_sync,
      sessions: agents.sessions,
      turns: agents.turns,
      documents,
      chunks,
      waiting_sessions,
      error: null,
      sync: redactValues(sync.state()),
    }
  } catch (thrown) {
    const { code, message } = asMnemonicError(thrown)
    return { ...empty, error: { code, message: redactVisible(message) }, sync: redactValues(sync.state()) }
  }
}

/** A request that cannot be answered is an answer that says why, and what to do. */
function refused(thrown: unknown): CallToolResult {
  const { code, message, hint } = asMnemonicError(thrown)
  const text = `${code}: ${redactVisible(message)}${hint === undefined ? '' : `\nTry: ${toolHint(redactVisible(hint))}`}`
  return { content: [{ type: 'text', text: escapeMarks(text) }], isError: true }
}

/** JSON knows keys that are absent, but none that are there and undefined. */
export type Sent<T> = T extends readonly unknown[] ? T : T extends object ? { [K in keyof T]: Sent<Exclude<T[K], undefined>> } : T
