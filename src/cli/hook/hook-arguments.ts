/** The arguments of a hook, read without the parser of commands: what is no plain call of a hook is left to that. */

export interface HookArguments {
  readonly harness: string
  readonly event: string
  readonly home?: string
  readonly workspace?: string
  readonly agent?: string
  /** Says on stderr how memory was searched. */
  readonly debug?: boolean
}

const VALUES = ['home', 'workspace', 'agent'] as const
const OF_THE_PARSER: ReadonlySet<string> = new Set(['-h', '--help', '-V', '--version'])

/**
 * Undefined where these arguments ask for something else: help, `hook test`, another command, or too little. What is not known is passed over:
 * another version may have registered it, and a harness takes a usage error (exit 2) for a veto of the person's prompt.
 */
export function hookArguments(argv: readonly string[]): HookArguments | undefined {
  const words: string[] = []
  const values: Partial<Record<(typeof VALUES)[number], string>> = {}
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] as string
    const option = VALUES.find((name) => word === `--${name}` || word.startsWith(`--${name}=`))
    if (option !== undefined) values[option] = word.includes('=') ? word.slice(option.length + 3) : (argv[++i] ?? '')
    else if (OF_THE_PARSER.has(word)) return undefined
    else if (!word.startsWith('-')) words.push(word)
  }
  const [verb, harness, event] = words
  if (verb !== 'hook' || harness === undefined || harness === 'test' || event === undefined) return undefined
  return { harness, event, ...values, ...(argv.includes('--debug') ? { debug: true } : {}) }
}
