/** One question at the terminal, on stderr: stdout is for the answer of the command. The end of the input counts as an empty answer. */
import { createInterface } from 'node:readline'

export function asker(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): (question: string) => Promise<string> {
  return (question) =>
    new Promise((resolve) => {
      const lines = createInterface({ input, output })
      let answered = false
      lines.on('close', () => {
        if (!answered) resolve('')
      })
      // Ctrl-C at the question means no, and the command ends as if that had been typed.
      lines.on('SIGINT', () => lines.close())
      lines.question(question, (answer) => {
        answered = true
        lines.close()
        resolve(answer)
      })
    })
}
