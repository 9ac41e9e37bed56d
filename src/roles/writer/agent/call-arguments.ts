export interface CallArguments {
  readonly words: readonly string[]
  readonly options: ReadonlyMap<string, string>
}

/** A string is an error message. */
export function callArguments(args: readonly string[], known: readonly string[]): CallArguments | string {
  const words: string[] = []
  const options = new Map<string, string>()
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string
    if (arg === '--') {
      words.push(...args.slice(at + 1))
      break
    }
    if (!/^--?[a-z]/.test(arg)) {
      words.push(arg)
      continue
    }
    const [name = '', ...inline] = arg.split('=')
    const option = name === '-n' ? '--limit' : name
    if (!known.includes(option)) return `there is no option ${JSON.stringify(name)}: ${known.join(', ')}`
    const value = inline.length > 0 ? inline.join('=') : args[++at]
    if (value === undefined) return `${name} wants a value`
    options.set(option, value)
  }
  return { words, options }
}
