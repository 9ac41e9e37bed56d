/** Asks on stderr: stdout is for the answer of the command. */
import { confirm, isCancel, multiselect } from '@clack/prompts'

export interface Choice {
  readonly value: string
  readonly label: string
  readonly hint?: string
}

/** Undefined: the person left by Ctrl-C or Escape. */
export interface Questions {
  yes(question: string, initial: boolean): Promise<boolean | undefined>
  which(question: string, choices: readonly Choice[], initial: readonly string[]): Promise<string[] | undefined>
}

export function terminalQuestions(): Questions {
  const output = process.stderr
  return {
    async yes(message, initialValue) {
      const answer = await confirm({ message, initialValue, output })
      return isCancel(answer) ? undefined : answer
    },
    async which(message, choices, initial) {
      const answer = await multiselect({
        message,
        options: choices.map((one) => ({ ...one })),
        initialValues: [...initial],
        required: false,
        output,
      })
      return isCancel(answer) ? undefined : answer
    },
  }
}
