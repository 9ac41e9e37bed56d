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
const SWITCHES: ReadonlySet<string> = new Set(['--json', '--debug', '--no-color', '--for-agent', '--no-for-agent'])

/** Undefined where these arguments ask for something else: help, `hook test`, another command, or too much or too little. */
export function hookArguments(argv: readonly string[]): HookArguments | undefined {
  const words: string[] = []
  const values: Partial<Record<(typeof VALUES)[number], string>> = {}
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] as string
    const option = VALUES.find((name) => word === `--${name}` || word.startsWith(`--${name}=`))
    if (option !== undefined) values[option] = word.includes('=') ? word.slice(option.length + 3) : (argv[++i] ?? '')
    else if (word.startsWith('-')) {
      if (!SWITCHES.has(word)) return undefined
    } else words.push(word)
  }
  const [verb, harness, event, ...more] = words
  if (verb !== 'hook' || harness === undefined || harness === 'test' || event === undefined || more.length > 0) return undefined
  return { harness, event, ...values, ...(argv.includes('--debug') ? { debug: true } : {}) }
}
