/** Prompts that a person picks in a harness to start or resume work. Returned memory is marked as data. */
import type { GetPromptResult } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { MnemonicError } from '../core/error.ts'
import { readForAgent, searchForAgent } from '../library/index.ts'
import { rememberHits } from './answered.ts'
import { short } from './fields.ts'
import { TOOL_HINTS } from './hints.ts'
import { refusedRequest } from './refusal.ts'
import type { Served } from './served.ts'

const RECALLED = 8
/** Token budgets of a resumed session: outline and end. */
const OUTLINE = 1500
const LAST = 2000

export function addPrompts(served: Served): void {
  const { server } = served
  const asking = (ask: () => Promise<string>) => async (): Promise<GetPromptResult> => {
    served.sync.refresh()
    try {
      return { messages: [{ role: 'user', content: { type: 'text', text: await ask() } }] }
    } catch (thrown) {
      throw refusedRequest(thrown)
    }
  }
  server.registerPrompt(
    'recall',
    {
      title: 'Recall',
      description: 'Answers a question from session history (agents ledger), messages and documents, with citations.',
      argsSchema: z.strictObject({ question: short }),
    },
    ({ question }) => asking(() => recall(served, question))(),
  )
  server.registerPrompt(
    'brief',
    { title: 'Brief', description: 'Where this project stands: what was done last, decisions that hold, what is open.' },
    asking(async () => briefed((await served.mnemonic.brief({ folder: await served.folder() })).text)),
  )
  server.registerPrompt(
    'handoff',
    {
      title: 'Take up a session',
      description: 'Goes on where a session ended: its outline and its last turn. Without one, the last session of this project.',
      argsSchema: z.strictObject({ session: short.optional() }),
    },
    ({ session }) => asking(() => handoff(served, session))(),
  )
}

async function recall({ mnemonic, answered, folder, now, personal }: Served, question: string): Promise<string> {
  const found = await mnemonic.memorySearch({
    ...{ query: question, limit: RECALLED, prefer_project: await folder(), personal: await personal() },
  })
  rememberHits(answered, [found])
  return [
    question,
    'Answer from memory, and cite the ids that say so. Read more with memory_get, search in other words with memory_search. If the memory does not say, say that.',
    await searchForAgent(found, { now: now(), hints: TOOL_HINTS }),
  ].join('\n\n')
}

function briefed(text: string): string {
  if (text === '') return 'The memory knows nothing of this project yet. Say so, then wait for the next task.'
  return `Say in a few sentences where this project stands and what is open, with the ids that say so. Then wait for the next task.\n\n${text}`
}

async function handoff({ mnemonic, folder, answered }: Served, named: string | undefined): Promise<string> {
  const session = named === undefined ? await lastSession(mnemonic, await folder()) : answered.named(named).name
  const outline = await readForAgent(mnemonic, { name: session, budget: OUTLINE }, TOOL_HINTS)
  const { id, kind, total_lines } = outline.document
  const last = kind === 'session' && total_lines > 0 ? `${id}:${total_lines}` : undefined
  return [
    'Go on where this session ended. Say first in three sentences what was asked, what was done and what is open; check files before you rely on them.',
    outline.text,
    ...(last === undefined ? [] : [(await readForAgent(mnemonic, { name: last, budget: LAST }, TOOL_HINTS)).text]),
  ].join('\n\n')
}

async function lastSession(mnemonic: Served['mnemonic'], folder: string): Promise<string> {
  const { sessions } = await mnemonic.sessionList({ project: folder, limit: 1 })
  const [session] = sessions
  if (session !== undefined) return session.session_id
  throw new MnemonicError('NOT_FOUND', 'no session of this project is known', {
    details: { folder },
    hint: 'Name one: session_list lists them.',
  })
}
