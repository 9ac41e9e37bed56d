import { createInterface } from 'node:readline'
import { MnemonicError } from '../core/error.ts'
import type { Cli } from './cli.ts'

/** Throws USAGE without a terminal, and with --json. */
export async function confirm({ io, out }: Cli, plan: string, question: string): Promise<boolean> {
  if (io.ask === undefined || out.json) {
    throw new MnemonicError('USAGE', `${question.replace(/\?$/, '')}: there is no terminal to ask at`, {
      hint: 'Add --yes to do it without a question.',
    })
  }
  io.stderr.write(`\r\u001b[2K${plan}\n`)
  return /^y(es)?$/i.test((await io.ask(`${question} [y/N] `)).trim())
}

/** Asks on stderr: stdout is for the answer of the command. End of input is an empty answer. */
export function asker(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): (question: string) => Promise<string> {
  return (question) =>
    new Promise((resolve) => {
      const lines = createInterface({ input, output })
      let answered = false
      lines.on('close', () => {
        if (!answered) resolve('')
      })
      // Ctrl-C means no.
      lines.on('SIGINT', () => lines.close())
      lines.question(question, (answer) => {
        answered = true
        lines.close()
        resolve(answer)
      })
    })
}
