/** Never repeats the prompt. */
import { ownWords } from '../../../analyze/llm/drivers/command.ts'
import type { Ended } from '../../../analyze/llm/drivers/run-program.ts'
import { plainLine } from '../../../analyze/plain-line.ts'
import { given } from '../../../core/given.ts'
import { plural } from '../../../core/text.ts'
import type { AgentLimits } from './agent-limits.ts'
import { type AgentProgram, agentLabel } from './any-program.ts'

export interface RunFailure {
  readonly message: string
  readonly hint?: string
}

export interface FailedRun {
  readonly program: AgentProgram
  readonly limits: AgentLimits
  /** The harness's own error message. */
  readonly said: string | undefined
  readonly prompt: string
}

const LONGEST = 300

export function runFailure(ended: Ended, { program, limits, said, prompt }: FailedRun): RunFailure | undefined {
  const label = agentLabel(program)
  const failed = (message: string, hint?: string): RunFailure => ({ message, ...given({ hint }) })
  switch (ended.how) {
    case 'exited': {
      if (ended.code === 0 && said === undefined) return undefined
      const how = ended.code === 0 ? 'failed' : ended.code === null ? 'was ended by a signal' : `ended with code ${ended.code}`
      return failed(plainLine(`${label} ${how}${ownWords(said ?? ended.stderr, prompt)}`, LONGEST), 'Run it by hand: is it logged in?')
    }
    case 'missing':
      return failed(
        `${label} is not installed here: ${program.file} cannot be run (${ended.code})`,
        'Install it and log in, say where it is (write.agent_command), or set write.mode to model.',
      )
    case 'timeout':
      return failed(`${label} did not end within ${plural(limits.seconds, 'second')} and was ended`, 'Raise write.agent_seconds.')
    case 'flood':
      return failed(`${label} printed more than 4 MB and was ended`)
    case 'refused':
      return failed(`${label} was ended: ${ended.why}`, 'Raise write.agent_tokens.')
    default:
      return failed(`${label} was stopped`)
  }
}
