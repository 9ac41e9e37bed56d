import { asMnemonicError } from '../../../core/error.ts'
import { estimateTokens } from '../../../core/estimate-tokens.ts'
import { given } from '../../../core/given.ts'
import { clip, oneLine, plural } from '../../../core/text.ts'
import { callArguments } from './call-arguments.ts'
import type { CallAnswer, ScriptCall } from './call-folder.ts'
import type { StagedWrites } from './staged-writes.ts'

export interface AgentSearchRequest {
  readonly question: string
  readonly limit: number
  readonly project?: string | undefined
  readonly after?: string | undefined
  readonly before?: string | undefined
}

export type AgentSearch = (request: AgentSearchRequest, signal: AbortSignal | undefined) => Promise<string>

export interface CallLimits {
  readonly calls: number
  readonly tokens: number
}

export interface CallCounts {
  searches: number
  writes: number
  refused: number
  /** Calls after the last allowed one. */
  late: number
  /** Estimated tokens printed by the scripts. */
  handedOut: number
}

const OPTIONS = ['--limit', '--project', '--after', '--before']
const MOST_HITS = 20
const HITS = 5
const LONGEST_ANSWER = 8_000
const LONGEST_QUESTION = 400
const LONGEST_ERROR = 300

export function agentCalls({
  limits,
  staged,
  search,
  handedOut,
  signal,
}: {
  readonly limits: CallLimits
  readonly staged: StagedWrites
  readonly search: AgentSearch
  readonly handedOut: number
  readonly signal: AbortSignal | undefined
}): { readonly counts: CallCounts; answer(call: ScriptCall): Promise<CallAnswer> } {
  const counts: CallCounts = { searches: 0, writes: 0, refused: 0, late: 0, handedOut }

  async function searched(args: readonly string[]): Promise<CallAnswer> {
    const asked = callArguments(args, OPTIONS)
    if (typeof asked === 'string') return refused(asked)
    const question = asked.words.join(' ').trim().slice(0, LONGEST_QUESTION)
    const limit = Number(asked.options.get('--limit') ?? HITS)
    if (question === '') return refused('say what to search for')
    if (!(Number.isInteger(limit) && limit >= 1 && limit <= MOST_HITS)) return refused(`-n is a number from 1 to ${MOST_HITS}`)
    const { options } = asked
    const more = given({ project: options.get('--project'), after: options.get('--after'), before: options.get('--before') })
    try {
      counts.searches += 1
      return { code: 0, text: `${clip(await search({ question, limit, ...more }, signal), LONGEST_ANSWER)}\n` }
    } catch (error) {
      // The agent can correct its filters; other errors do not end the run either.
      return refused(oneLine(asMnemonicError(error).message, LONGEST_ERROR))
    }
  }

  function refused(why: string): CallAnswer {
    counts.refused += 1
    return { code: 1, text: `refused: ${why}\n` }
  }

  return {
    counts,
    async answer({ script, args }) {
      const used = counts.searches + counts.writes + counts.refused
      if (used >= limits.calls || counts.handedOut >= limits.tokens) {
        counts.late += 1
        const why = used >= limits.calls ? plural(limits.calls, 'call') : plural(limits.tokens, 'token')
        return { code: 3, text: `refused: this run may use ${why}, and has. End it now.\n` }
      }
      if (script === 'search') {
        const said = await searched(args)
        counts.handedOut += estimateTokens(said.text)
        return said
      }
      const { text, refused: isRefused } = staged.write(args)
      counts[isRefused ? 'refused' : 'writes'] += 1
      counts.handedOut += estimateTokens(text)
      return { code: isRefused ? 1 : 0, text }
    },
  }
}
