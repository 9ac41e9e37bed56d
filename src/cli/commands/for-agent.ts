import { given } from '../../core/given.ts'
import {
  type MemoryHit,
  type Mnemonic,
  mostRelevant,
  type ReadRequest,
  readForAgent,
  readSeveralForAgent,
  type SearchRequest,
  type SessionsRequest,
  searchForAgent,
  sessionsForAgent,
} from '../../library/index.ts'
import type { Cli } from '../cli.ts'
import { commandHints } from '../format/for-agent.ts'
import { rememberAnswer } from '../last-answer.ts'
import { ownCommand } from '../own-command.ts'

export async function searchForAgents(mnemonic: Mnemonic, cli: Cli, { filters = {}, ...request }: SearchRequest): Promise<0> {
  const { sources, ...others } = filters
  const personal = await mnemonic.personalIn(process.cwd())
  const all = await mnemonic.memorySearch({
    prefer_project: process.cwd(),
    personal,
    ...request,
    filters: others,
    ...given({ sources }),
  })
  const answer = request.limit === undefined && (request.by ?? 'hit') === 'hit' ? mostRelevant(all) : all
  const results = answer.results.map(({ match_line, ...hit }) => ({
    ...hit,
    ...given({ match_line: match_line === hit.start_line ? undefined : match_line }),
    id: (hit.turn_id === '' && hit.thread_id === '') || hit.kind === 'work' ? hit.citation : citedLines(hit),
  }))
  const text = await searchForAgent({ ...answer, results }, { now: Date.now(), hints: commandHints(ownCommand(cli.io)) })
  cli.out.answer(answer, () => text)
  await rememberAnswer(
    cli,
    mnemonic,
    answer.results.map(({ citation }) => citation),
    answer.queries,
    answer.results.map(({ match_line }) => match_line),
  )
  return 0
}

function citedLines({ id, start_line, end_line }: Pick<MemoryHit, 'id' | 'start_line' | 'end_line'>): string {
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

export async function showForAgents(mnemonic: Mnemonic, { io, out }: Cli, requests: readonly ReadRequest[]): Promise<0> {
  const hints = commandHints(ownCommand(io))
  const [request] = requests
  if (request === undefined || requests.length > 1) {
    const { budget } = request ?? {}
    const each = requests.map(({ budget: _budget, ...one }) => one)
    const { text, documents, failed } = await readSeveralForAgent(mnemonic, each, { budget, hints })
    out.answer({ kind: 'documents', documents, failed }, () => text)
    return 0
  }
  const { text, document } = await readForAgent(mnemonic, request, hints)
  out.answer({ kind: 'document', document }, () => text)
  return 0
}
