/**
 * npx puts the program on no PATH but its own, so printed commands need the prefix. Children of a harness that npx started inherit its
 * variables, but npx did not call them.
 */
import type { Io } from './io.ts'

const PACKAGE = 'agent-mnemonic'
/** npm quotes each word. */
const CALLS_US = /^['"]?(?:[^\s'"]*[\\/])?(?:agent-)?mnemonic(?:@[^\s'"]*)?['"]?(?=\s|$)/

/** `npx agent-mnemonic` in a clone and from npm's cache: on npm, `mnemonic` is another package. */
export function ownCommand({ env }: Pick<Io, 'env'>): string {
  if (env.npm_command !== 'exec' || env.npm_lifecycle_event !== 'npx') return 'mnemonic'
  if (!CALLS_US.test(env.npm_lifecycle_script ?? '')) return 'mnemonic'
  return `npx ${PACKAGE}`
}

/** Only for our own text, never for text that others wrote. */
export function asCalledHere(text: string, command: string): string {
  return command === 'mnemonic' ? text : text.replace(/(?<![\w./:@-]|npx )mnemonic(?= [a-z-])/g, command)
}
