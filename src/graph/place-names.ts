/** Short names that mean one place and nothing else. "New York" and "Georgia" mean two: they are no short names. */
const SHORT: Readonly<Record<string, string>> = {
  ...{ nyc: 'new york city', 'city of new york': 'new york city', 'san fran': 'san francisco' },
  ...{ philly: 'philadelphia', vegas: 'las vegas', dc: 'washington dc', 'washington d c': 'washington dc', 'd c': 'washington dc' },
  ...{ uk: 'united kingdom', 'u k': 'united kingdom', usa: 'united states', us: 'united states', 'u s': 'united states' },
  ...{ 'u s a': 'united states', 'united states of america': 'united states', uae: 'united arab emirates', nz: 'new zealand' },
  ...{ cdmx: 'mexico city', kl: 'kuala lumpur', hk: 'hong kong', holland: 'netherlands', deutschland: 'germany', munchen: 'munich' },
}

/** A folded name of a place in one form: `nyc` as `new york city`. */
export function placeName(folded: string): string {
  const plain = folded.replace(/^the /, '')
  return SHORT[plain] ?? plain
}

/** Whether one may name the other more exactly: `lisbon` and `lisbon portugal`. */
export function isWithin(one: string, other: string): boolean {
  return one !== other && (one.startsWith(`${other} `) || other.startsWith(`${one} `))
}

/** The names under which a place may be known that is called so: `new york` for `new york city`. */
export function beginningsOf(name: string): string[] {
  const words = name.split(' ')
  return words.slice(1).map((_, at) => words.slice(0, at + 1).join(' '))
}
