/** Forgets a text and kills itself, as `kill -9` does, when a step is about to begin. Arguments: text, step. */
import { openMnemonic } from '../../dist/library/index.js'

const [match, step] = process.argv.slice(2)
const mnemonic = await openMnemonic({
  onForgetStep: (next) => {
    if (next === step) process.kill(process.pid, 'SIGKILL')
  },
})
await mnemonic.forget({ match })
await mnemonic.close()
