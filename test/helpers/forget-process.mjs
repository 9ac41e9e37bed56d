/** Forgets a text and kills itself with SIGKILL before a given step. Arguments: text, step. */
import { openWithHooks } from '../../dist/library/open-mnemonic.js'

const [match, step] = process.argv.slice(2)
const onForgetStep = (next) => {
  if (next === step) process.kill(process.pid, 'SIGKILL')
}
const mnemonic = await openWithHooks({}, { onForgetStep })
await mnemonic.forget({ match })
await mnemonic.close()
