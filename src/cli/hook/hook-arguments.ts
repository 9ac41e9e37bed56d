export interface HookArguments {
  readonly harness: string
  readonly event: string
  readonly home?: string
  readonly workspace?: string
  readonly agent?: string
  readonly debug?: boolean
}

const VALUES = ['home', 'workspace', 'agent'] as const
const OF_THE_PARSER: ReadonlySet<string> = new Set(['-h', '--help', '-V', '--version'])

/**
 * Undefined if the arguments need the full parser: help, `hook test`, another command. Ignores unknown options: another version may have
 * registered them, and harnesses treat a usage error (exit 2) as a veto of the prompt.
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
