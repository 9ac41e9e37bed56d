/** Globs are untrusted: matching takes linear time in the path for each part of the glob (no backtracking). */

/**
 * An unrooted glob matches the end of a path: `explain.go`, `store/*.ts`. A folder matches everything below it. Supports `*`, `?`, `**`,
 * `[a-z]` and `{a,b}`. Also matches the path verbatim, brackets included. Case-insensitive.
 */
export function pathMatcher(glob: string): (path: string) => boolean {
  const wanted = slashes(glob.trim()).toLowerCase()
  const folder = `${wanted.replace(/\/+$/, '')}/`
  const pattern = wanted.endsWith('/') ? `${wanted}**` : wanted
  const rooted = /^(?:\/|~\/|[a-z]:\/|\*\*(?:\/|$))/.test(pattern)
  const matches = /[*?[{]/.test(pattern) ? runner(compiled(rooted ? pattern : `**/${pattern}`)) : () => false
  // Fast rejection by literal suffix. The slash after `**` is optional.
  const end = /[^*?[\]{},]*$/.exec(pattern)?.[0].replace(/^\//, '') ?? ''
  return (path) => {
    const name = slashes(path).toLowerCase()
    if (name === wanted || name.endsWith(`/${wanted}`)) return true
    if (name.endsWith(end) && matches(name)) return true
    return folder !== '/' && (name.startsWith(folder) || name.includes(`/${folder}`))
  }
}

function slashes(path: string): string {
  return path.replaceAll('\\', '/').replace(/^\.\//, '')
}

/** NFA state; without `test` it is an epsilon transition. */
interface State {
  readonly test?: (character: string) => boolean
  readonly to: number[]
}

const inName = (character: string) => character !== '/'
const any = () => true

function compiled(pattern: string): State[] {
  const states: State[] = [{ to: [] }]
  const signs = [...pattern]
  const add = (state: State) => states.push(state) - 1
  const link = (from: number, to: number) => void states[from]?.to.push(to)
  let at = 0

  function sequence(start: number, isInner: boolean): number {
    let from = start
    while (at < signs.length && !(isInner && (signs[at] === ',' || signs[at] === '}'))) from = part(from)
    return from
  }

  function part(from: number): number {
    const sign = signs[at] as string
    if (sign === '*') return stars(from)
    if (sign === '{' && closes(at)) return alternatives(from)
    const found = sign === '[' ? oneOf(signs, at) : undefined
    at = found?.next ?? at + 1
    return step(from, found?.test ?? (sign === '?' ? inName : (character) => character === sign))
  }

  function step(from: number, test: (character: string) => boolean): number {
    const to = add({ to: [] })
    link(from, add({ test, to: [to] }))
    return to
  }

  function loop(from: number, test: (character: string) => boolean): number {
    const to = add({ to: [] })
    link(from, to)
    link(to, add({ test, to: [to] }))
    return to
  }

  function stars(from: number): number {
    const first = at
    while (signs[at] === '*') at++
    const isWhole = at - first > 1 && (first === 0 || '/,{'.includes(signs[first - 1] as string))
    if (!isWhole || (at < signs.length && !'/,}'.includes(signs[at] as string))) return loop(from, inName)
    if (signs[at] !== '/') return loop(from, any)
    // `**/` matches any folders or none.
    at++
    const to = add({ to: [] })
    link(from, to)
    link(
      step(loop(from, any), (character) => character === '/'),
      to,
    )
    return to
  }

  function closes(open: number): boolean {
    for (let i = open, depth = 0; i < signs.length; i++) {
      if (signs[i] === '{') depth++
      if (signs[i] === '}' && --depth === 0) return true
    }
    return false
  }

  function alternatives(from: number): number {
    const to = add({ to: [] })
    do {
      at++
      const start = add({ to: [] })
      link(from, start)
      link(sequence(start, true), to)
    } while (signs[at] === ',')
    at++
    return to
  }

  link(sequence(0, false), add({ to: [] }))
  return states
}

function oneOf(signs: readonly string[], open: number): { test: (character: string) => boolean; next: number } | undefined {
  const isNot = signs[open + 1] === '!' || signs[open + 1] === '^'
  const first = open + (isNot ? 2 : 1)
  const end = signs.indexOf(']', first + 1)
  if (end === -1) return undefined
  const inside = signs.slice(first, end)
  const has = (character: string) =>
    inside.some((sign, i) =>
      inside[i + 1] === '-' && inside[i + 2] !== undefined
        ? sign <= character && character <= (inside[i + 2] as string)
        : sign === character,
    )
  return { test: (character) => inName(character) && has(character) !== isNot, next: end + 1 }
}

/** A DFA state, built lazily from NFA states. */
interface Stand {
  readonly states: ReadonlySet<number>
  readonly next: Map<string, Stand>
}

const MOST_STANDS = 1000

function runner(states: readonly State[]): (path: string) => boolean {
  const known = new Map<string, Stand>()
  const standOf = (from: readonly number[]): Stand => {
    const all = reached(states, from)
    const key = [...all].sort((a, b) => a - b).join()
    const stand = known.get(key) ?? { states: all, next: new Map() }
    if (known.size < MOST_STANDS) known.set(key, stand)
    return stand
  }
  const first = standOf([0])
  const follow = (stand: Stand, character: string): Stand => {
    const to: number[] = []
    for (const at of stand.states) if (states[at]?.test?.(character)) to.push(...(states[at]?.to ?? []))
    const next = standOf(to)
    if (known.size < MOST_STANDS) stand.next.set(character, next)
    return next
  }
  return (path) => {
    let stand = first
    for (const character of path) {
      stand = stand.next.get(character) ?? follow(stand, character)
      if (stand.states.size === 0) return false
    }
    return stand.states.has(states.length - 1)
  }
}

function reached(states: readonly State[], from: readonly number[]): Set<number> {
  const all = new Set<number>()
  const pending = [...from]
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (all.has(at)) continue
    all.add(at)
    if (states[at]?.test === undefined) pending.push(...(states[at]?.to ?? []))
  }
  return all
}
