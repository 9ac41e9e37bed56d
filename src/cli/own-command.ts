/**
 * How the person calls Mnemonic here: what is printed for them to run must work. `npx` puts the program on no PATH but its own; what a harness that
 * npx started calls is not called by npx, though it inherits the variables.
 */
import type { Io } from './io.ts'

const PACKAGE = 'agent-mnemonic'
/** npm quotes each word. */
const CALLS_US = /^['"]?(?:[^\s'"]*[\\/])?(?:agent-)?mnemonic(?:@[^\s'"]*)?['"]?(?=\s|$)/

/** `mnemonic`, or `npx agent-mnemonic` in a clone and from npm's cache: on npm, the shorter name is another program. */
export function ownCommand({ env }: Pick<Io, 'env'>): string {
  if (env.npm_command !== 'exec' || env.npm_lifecycle_event !== 'npx') return 'mnemonic'
  if (!CALLS_US.test(env.npm_lifecycle_script ?? '')) return 'mnemonic'
  return `npx ${PACKAGE}`
}

/** A text of ours with commands to run, as they are called here. Never for a text that others wrote. */
export function asCalledHere(text: string, command: string): string {
  return command === 'mnemonic' ? text : text.replace(/(?<![\w./:@-]|npx )mnemonic(?= [a-z-])/g, command)
}
