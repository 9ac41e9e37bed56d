/** The answers of `search`, `sessions` and `show` where an agent reads them: the text that MCP gives, with commands for hints. */
import { given } from '../../core/given.ts'
import {
  type MemoryHit,
  type Mnemonic,
  type ReadRequest,
  readForAgent,
  type SearchRequest,
  type SessionsRequest,
  searchForAgent,
  sessionsForAgent,
} from '../../library/index.ts'
import type { Cli } from '../cli.ts'
import { commandHints } from '../format/for-agent.ts'
import { rememberAnswer } from '../last-answer.ts'
import { ownCommand } from '../own-command.ts'

/** The folder that the agent works in prefers its project. An id names the lines, too: a turn may be long. */
export async function searchForAgents(mnemonic: Mnemonic, cli: Cli, { filters = {}, ...request }: SearchRequest): Promise<0> {
  const { sources, ...others } = filters
  const answer = await mnemonic.memorySearch({ prefer_project: process.cwd(), ...request, filters: others, ...given({ sources }) })
  const results = answer.results.map((hit) => ({
    ...hit,
    id: (hit.turn_id === '' && hit.thread_id === '') || hit.kind === 'work' ? hit.citation : citedLines(hit),
  }))
  const text = await searchForAgent({ ...answer, results }, { now: Date.now(), hints: commandHints(ownCommand(cli.io)) })
  cli.out.answer(answer, () => text)
  await rememberAnswer(
    cli,
    mnemonic,
    answer.results.map(({ citation }) => citation),
    answer.queries,
  )
  return 0
}

function citedLines({ id, start_line, end_line }: MemoryHit): string {
  return `${id}#L${start_line}-L${end_line}`
}

export async function sessionsForAgents(mnemonic: Mnemonic, cli: Cli, request: SessionsRequest & { readonly limit: number }): Promise<0> {
  const { sessions, total } = await mnemonic.sessionList(request)
  const next = total > sessions.length ? `There are more: --limit ${2 * request.limit}` : undefined
  const text = await sessionsForAgent(sessions, { from: 0, total, ...given({ next }) })
  cli.out.answer({ sessions, total }, () => text)
  await rememberAnswer(
    cli,
    mnemonic,
    sessions.map(({ session_id }) => session_id),
  )
  return 0
}

export async function showForAgents(mnemonic: Mnemonic, { io, out }: Cli, request: ReadRequest): Promise<0> {
  const { text, document } = await readForAgent(mnemonic, request, commandHints(ownCommand(io)))
  out.answer({ kind: 'document', document }, () => text)
  return 0
}
